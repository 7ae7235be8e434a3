import { readProject } from "../../project/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments.ts";
import { confirmAndApply } from "./apply_plan.ts";
import { deployRun } from "./deploy_run.ts";
import { APPLY_FLAGS, NOTES, PLACE_FLAGS } from "./flags.ts";
import { alignedRows } from "./format_plan.ts";
import { readDeployTarget } from "./target.ts";

/** `callweave deploy rollback`. */
export const deployRollbackCommand: Command = {
  name: "deploy rollback",
  summary: "Restore the platform's state before an apply",
  spec: {
    positionals: [
      { name: "SNAPSHOT", description: "Snapshot file of an apply (default: the latest one)", optional: true },
    ],
    flags: {
      ...PLACE_FLAGS,
      list: { description: "Only list the snapshots of this machine" },
      ...APPLY_FLAGS,
      json: { description: "Print { plan, report } as JSON; with --list the snapshots" },
    },
  },
  notes: [...NOTES, "--flow may be left out where the lock file has one agent in the environment."],
  examples: [
    `callweave deploy rollback --to ${EXAMPLE.format} --env production`,
    `callweave deploy rollback --to ${EXAMPLE.format} --list`,
  ],
  run: deployRun(async (args, terminal) => {
    const project = await readProject(args.text("folder") ?? ".", terminal);
    const target = readDeployTarget(args, project, terminal);
    const snapshot = args.at("SNAPSHOT") || "latest";
    const { listSnapshots, rollback } = await import("../../../deploy/mod.ts");
    if (args.has("list")) {
      if (args.at("SNAPSHOT") !== "") throw usage("--list takes no snapshot", "Leave it out");
      const found = await listSnapshots(target);
      const rows = alignedRows(found.map(({ taken, path }) => [taken, path])) || "no snapshots\n";
      terminal.out(args.has("json") ? `${JSON.stringify(found, null, 2)}\n` : rows);
      return 0;
    }
    return await confirmAndApply(await rollback(snapshot, target), args, terminal);
  }),
};
