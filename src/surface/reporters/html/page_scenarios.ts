import type { Gate } from "../../../base/statistics/mod.ts";
import { groupBy } from "../../../base/values/mod.ts";
import type { RunReport } from "../../../run/runner/mod.ts";
import type { PageScenario } from "../../web/mod.ts";
import type { NodeIndexes } from "./node_indexes.ts";
import { trialOf } from "./page_call.ts";

/** Maximum number of pass^k values: more of them are not informative. */
const MOST_PASS_HAT = 8;

/** The scenarios of a run with their trials, in the order of the report. */
export function scenariosOf({ scenarios, results }: RunReport, nodes: NodeIndexes): readonly PageScenario[] {
  const numbered = results.map((result, block) => ({ result, block }));
  const trials = groupBy(numbered, ({ result }) => result.scenario);
  return scenarios.map(({ scenario: name, gate, passHat, verdict, reason, passRate, interval, ...rest }) => ({
    name,
    verdict: isImported({ counts: rest.counts }) ? "imported" : verdict,
    reason,
    ...gateOf(gate),
    passRate,
    interval,
    passHat: passHat.slice(0, MOST_PASS_HAT),
    planned: rest.planned,
    counts: rest.counts,
    ...(rest.variance ? { variance: rest.variance.reason } : {}),
    trials: (trials.get(name) ?? []).map(({ result, block }) => trialOf(result, block, nodes)),
  }));
}

/** Whether a scenario consists of imported calls that were not judged. */
export function isImported({ counts }: Pick<PageScenario, "counts">): boolean {
  const { imported = 0, ...others } = counts;
  return imported > 0 && Object.values(others).every((count) => count === 0);
}

function gateOf(gate: Gate): Pick<PageScenario, "gate" | "needed"> {
  if ("passAny" in gate) return { gate: "one trial must pass" };
  if ("passAll" in gate) return { gate: "all trials must pass", needed: 1 };
  return { gate: `${+(gate.minPassRate * 100).toFixed(2)} % of the trials must pass`, needed: gate.minPassRate };
}
