import { readProject } from "../../project/mod.ts";
import { type Command, EXAMPLE } from "../arguments.ts";
import { deployRun } from "./deploy_run.ts";
import { NOTES, PLACE_FLAGS } from "./flags.ts";
import { alignedRows } from "./format_plan.ts";
import { readDeployTarget } from "./target.ts";

/** `callweave deploy delete`. */
export const deployDeleteCommand: Command = {
  name: "deploy delete",
  summary: "Delete an agent on its platform, and in the lock file",
  spec: {
    positionals: [],
    flags: {
      ...PLACE_FLAGS,
      confirm: {
        value: "NAME",
        description: "The agent's name in the lock file, so that nothing is deleted by mistake",
      },
      json: { description: "Print what was deleted as JSON" },
    },
  },
  notes: [...NOTES, "Only resources in the lock file are deleted."],
  examples: [`callweave deploy delete --to ${EXAMPLE.format} --env staging --confirm help-desk`],
  run: deployRun(async (args, terminal) => {
    const project = await readProject(args.text("folder") ?? ".", terminal);
    const target = readDeployTarget(args, project, terminal);
    const { deleteDeployed } = await import("../../../deploy/mod.ts");
    const report = await deleteDeployed(target, { confirm: args.text("confirm") ?? "" });
    const rows =
      alignedRows(report.deleted.map(({ address, id }) => ["deleted", address, id])) || "nothing was there\n";
    terminal.out(args.has("json") ? `${JSON.stringify(report, null, 2)}\n` : rows);
    return 0;
  }),
};
