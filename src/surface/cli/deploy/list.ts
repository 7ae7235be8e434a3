import type { Command } from "../arguments.ts";
import { deployRun } from "./deploy_run.ts";
import { PLACE_FLAGS } from "./flags.ts";
import { alignedRows } from "./format_plan.ts";

/** `callweave deploy list`. */
export const deployListCommand: Command = {
  name: "deploy list",
  summary: "List the deployed agents in the lock file",
  spec: {
    positionals: [],
    flags: { folder: PLACE_FLAGS.folder, json: { description: "Print the agents as JSON" } },
  },
  notes: ["No request is sent to the platforms, so no key is needed."],
  examples: ["callweave deploy list", "callweave deploy list --json"],
  run: deployRun(async (args, terminal) => {
    const { listDeployed } = await import("../../../deploy/mod.ts");
    const found = await listDeployed(args.text("folder") ?? ".");
    if (args.has("json")) terminal.out(`${JSON.stringify(found, null, 2)}\n`);
    else if (found.length === 0) terminal.out("nothing is deployed\n");
    else
      for (const { environment, flow, platform, format, ids } of found)
        terminal.out(
          `${flow} in ${environment} at ${platform}\n${alignedRows([["format", format], ...Object.entries(ids)])}`,
        );
    return 0;
  }),
};
