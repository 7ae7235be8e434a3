import { parseJsonFile, readTextFile } from "../../../base/files/mod.ts";
import { readProject } from "../../project/mod.ts";
import { type Command, EXAMPLE } from "../arguments.ts";
import { deployTargetOf, loadAgent, loadBase } from "./agent.ts";
import { confirmAndApply } from "./apply_plan.ts";
import { deployRun } from "./deploy_run.ts";
import { AGENT, AGENT_FLAGS, APPLY_FLAGS, BASE_FLAG, NOTES, PLACE_FLAGS } from "./flags.ts";
import { GATE_FLAGS, passGate, passLosses } from "./gate.ts";
import { readDeployTarget } from "./target.ts";
import { VERIFY_FLAGS, verifyAfter } from "./verify_applied.ts";

/** `callweave deploy apply`. */
export const deployApplyCommand: Command = {
  name: "deploy apply",
  summary: "Deploy an agent to its platform",
  spec: {
    positionals: [AGENT],
    flags: {
      ...PLACE_FLAGS,
      ...BASE_FLAG,
      plan: { value: "PLAN.json", description: "Apply only if planning again gives this plan" },
      ...APPLY_FLAGS,
      ...GATE_FLAGS,
      ...VERIFY_FLAGS,
      json: { description: "Print { plan, report } as JSON, with --verify also { verification }" },
      ...AGENT_FLAGS,
    },
  },
  notes: [
    ...NOTES,
    "It plans, asks for confirmation, and executes the plan. If it is interrupted, apply again to finish it.",
    "With --verify, the deployed agent is called, and compared with its graph: see callweave verify.",
    "Exit code 1 when code and platform have both changed the same place, the gate refuses, or --verify finds a difference; 3 when it could not compare.",
  ],
  examples: [
    `callweave deploy apply flow.ts --to ${EXAMPLE.format}`,
    "callweave deploy apply --env production --yes --publish --require-run any",
    "callweave deploy apply --env staging --plan plan.json",
    "callweave deploy apply --env staging --yes --verify scenarios.ts --rollback-if-different",
  ],
  run: deployRun(async (args, terminal) => {
    const project = await readProject(args.text("folder") ?? ".", terminal);
    const target = readDeployTarget(args, project, terminal);
    const file = args.text("plan");
    const reviewed = file === undefined ? undefined : parseJsonFile(file, await readTextFile(file));
    const agent = await loadAgent(args, project, terminal);
    await passGate(agent, project, args, terminal);
    const previous = await loadBase(args, project, terminal);
    const { plan, requireReviewedPlan } = await import("../../../deploy/mod.ts");
    const planned = await plan(agent.graph, deployTargetOf(target, agent, previous));
    await passLosses(planned.losses, target, args);
    if (file !== undefined) requireReviewedPlan(planned, reviewed, `"${file}"`);
    const isReviewed = file !== undefined;
    const verified = await verifyAfter({ agent, target: deployTargetOf(target, agent, previous) }, args, terminal);
    return await confirmAndApply(planned, args, terminal, { isReviewed, ...(verified ? { next: verified } : {}) });
  }),
};
