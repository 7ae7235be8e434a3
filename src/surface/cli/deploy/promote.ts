import { readProject } from "../../project/mod.ts";
import type { Command } from "../arguments.ts";
import { deployTargetOf, loadAgent } from "./agent.ts";
import { confirmAndApply } from "./apply_plan.ts";
import { deployRun } from "./deploy_run.ts";
import { AGENT, AGENT_FLAGS, APPLY_FLAGS, NOTES, PLACE_FLAGS } from "./flags.ts";
import { GATE_FLAGS, passGate, passLosses } from "./gate.ts";
import { readDeployTarget } from "./target.ts";

const { env: _, ...PLACES } = PLACE_FLAGS;

/** `callweave deploy promote`. */
export const deployPromoteCommand: Command = {
  name: "deploy promote",
  summary: "Deploy the agent of environment FROM, if it is unchanged there, to environment INTO",
  spec: {
    positionals: [
      { name: "FROM", description: "Environment to promote from" },
      { name: "INTO", description: "Environment to deploy to" },
      AGENT,
    ],
    flags: {
      ...PLACES,
      ...APPLY_FLAGS,
      ...GATE_FLAGS,
      json: { description: "Print { plan, report } as JSON" },
      ...AGENT_FLAGS,
    },
  },
  notes: [...NOTES, "Refused unless exactly this agent is deployed in FROM: apply it there, test it, then promote."],
  examples: [
    "callweave deploy promote staging production",
    "callweave deploy promote staging production flow.ts --yes",
  ],
  run: deployRun(async (args, terminal) => {
    const project = await readProject(args.text("folder") ?? ".", terminal);
    const from = readDeployTarget(args, project, terminal, args.at("FROM"));
    const into = readDeployTarget(args, project, terminal, args.at("INTO"));
    const agent = await loadAgent(args, project, terminal);
    await passGate(agent, project, args, terminal);
    const { promote } = await import("../../../deploy/mod.ts");
    const planned = await promote(agent.graph, deployTargetOf(from, agent), deployTargetOf(into, agent));
    await passLosses(planned.losses, into, args);
    return await confirmAndApply(planned, args, terminal);
  }),
};
