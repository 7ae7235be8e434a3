import { oneLine } from "../../../base/values/mod.ts";
import { readProject } from "../../project/mod.ts";
import { type Command, EXAMPLE } from "../arguments.ts";
import { formatTerminal } from "../diff/mod.ts";
import { listStyle } from "../format/mod.ts";
import { deployTargetOf, loadAgent, loadBase } from "./agent.ts";
import { deployRun } from "./deploy_run.ts";
import { AGENT, AGENT_FLAGS, BASE_FLAG, NOTES, nextCommand, PLACE_FLAGS } from "./flags.ts";
import { alignedRows } from "./format_plan.ts";
import { readDeployTarget } from "./target.ts";
import { placeWords, RESOURCE_STATE_WORDS } from "./words.ts";

/** `callweave deploy drift`. */
export const deployDriftCommand: Command = {
  name: "deploy drift",
  summary: "Show what was changed on the platform since the last apply",
  spec: {
    positionals: [AGENT],
    flags: { ...PLACE_FLAGS, ...BASE_FLAG, json: { description: "Print the drift as JSON" }, ...AGENT_FLAGS },
  },
  notes: [...NOTES, "Exit code 1 when something was changed or deleted there, for a nightly job."],
  examples: [`callweave deploy drift flow.ts --to ${EXAMPLE.format}`, "callweave deploy drift --env production --json"],
  run: deployRun(async (args, terminal) => {
    const project = await readProject(args.text("folder") ?? ".", terminal);
    const target = readDeployTarget(args, project, terminal);
    const agent = await loadAgent(args, project, terminal);
    const previous = await loadBase(args, project, terminal);
    const { drift } = await import("../../../deploy/mod.ts");
    const found = await drift(agent.graph, deployTargetOf(target, agent, previous));
    const place = oneLine(placeWords(found));
    const style = listStyle(terminal.stdout, terminal.env);
    const rows = found.resources.map(({ address, id, state }) => [
      id === undefined ? address : `${address} (${id})`,
      RESOURCE_STATE_WORDS[state],
    ]);
    const words = found.isDrifted
      ? `${place}: drift\n${alignedRows(rows)}${found.changes.length > 0 ? `\n${formatTerminal({ name: "Changed on the platform", changes: found.changes }, style)}` : ""}`
      : `${place}: no drift\n`;
    const { version } = found;
    const since = version?.changed === undefined ? "" : ` of ${version.changed}`;
    const newer = version && `version ${version.now}${since}; version ${version.applied} was applied last`;
    terminal.out(
      args.has("json")
        ? `${JSON.stringify(found, null, 2)}\n`
        : `${words}${newer === undefined ? "" : `${oneLine(newer)}\n`}`,
    );
    if (found.isDrifted && !args.has("json")) {
      const isDeleted = found.resources.some(({ state }) => state === "missing");
      terminal.err(`${nextCommand(isDeleted ? "plan" : "pull", args)}\n`);
    }
    return found.isDrifted ? 1 : 0;
  }),
};
