import { checkExpectations, checkFlow, checkLatency, checkMessages, runOwnChecks } from "../../../call/judges/mod.ts";
import { CHECKS } from "../../../document/scenario/mod.ts";
import type { CheckResult } from "../../../document/transcript/mod.ts";
import type { ResolvedScenario, RunSetup, StartedCall } from "../call/mod.ts";
import { checkedCall } from "../call/mod.ts";
import { checkCallPolicies } from "./policy_checks.ts";

/** Checks the expectations that need no judge: texts, path, ending, variables, tools and policies. */
export function checkWithoutJudge(
  { scenario, patterns }: ResolvedScenario,
  { graph, policies }: RunSetup,
  call: StartedCall,
): readonly CheckResult[] {
  return [
    ...checkMessages(scenario, patterns, call),
    ...checkFlow(scenario, call),
    ...checkExpectations(scenario, call),
    ...checkLatency(scenario, call),
    ...checkCallPolicies(graph, policies, call),
  ];
}

/** Runs the check functions of a scenario. */
export async function checkByCode(
  { scenario }: ResolvedScenario,
  { graph, options: { judging: { threshold } = {} }, signal, timers }: RunSetup,
  call: StartedCall,
): Promise<readonly CheckResult[]> {
  const checked = checkedCall(scenario.name, call, graph);
  return await runOwnChecks(scenario[CHECKS] ?? [], checked, { threshold, signal, timers });
}
