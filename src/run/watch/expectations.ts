import { canonicalJson, defined } from "../../base/values/mod.ts";
import {
  type Metric,
  type ReplyRule,
  replyRules,
  type Scenario,
  type ScenarioInput,
  toScenario,
} from "../../document/scenario/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import { matchScenario } from "../calls/mod.ts";

/** What a call is judged by, beside the policies. */
export interface CallExpectations {
  /** Scenarios with only criteria and the limit of the latency, one per name that `nameFor` returns. */
  readonly scenarios: readonly Scenario[];
  /** Name of the scenario by which a call is judged; `null` if nothing of it can be judged. */
  readonly nameFor: (transcript: readonly Message[]) => string | null;
}

/** Expectations of every call, whatever its caller wants. */
export interface EveryCall {
  /** Longest time until the agent's first word, in milliseconds. */
  readonly answersWithinMs: number | undefined;
  /** Whether there is something else, such as policies, so that no call is left out. */
  readonly hasMore: boolean;
}

const OTHERS = "other calls";

/**
 * Chooses what real calls are judged by. What all scenarios expect is expected of every call; what some expect, of the
 * calls whose callers want the same. Only criteria, rules for each reply and the latency count: the rest of a scenario is about its own caller.
 */
export function expectationsOf(scenarios: readonly Scenario[], every: EveryCall): CallExpectations {
  const shared = sharedBy(scenarios);
  const { metrics, replies } = shared;
  const limits = [every.answersWithinMs, shared.answersWithinMs].filter((ms) => ms !== undefined);
  const own = scenarios.map((each) =>
    judging(each.name, {
      metrics: uniqueMetrics([...metrics, ...each.metrics]),
      limits: [...limits, ...limitOf(each)],
      replies: ownRules(each),
    }),
  );
  const names = new Set(scenarios.map(({ name }) => name));
  const others = names.has(OTHERS) ? `${OTHERS} (no scenario)` : OTHERS;
  const isJudged = (scenario: Scenario) => {
    const { metrics: judged, answers_within_ms: limit } = scenario;
    return every.hasMore || judged.length + replyRules(scenario).length > 0 || (limit ?? null) !== null;
  };
  const all = [...own, judging(others, { metrics, limits, replies })];
  const usable = new Set(all.filter(isJudged).map(({ name }) => name));
  const match = matchScenario(scenarios);
  return {
    scenarios: all,
    nameFor: (transcript) => {
      const name = match(transcript) ?? others;
      return usable.has(name) ? name : null;
    },
  };
}

function sharedBy(scenarios: readonly Scenario[]): {
  metrics: readonly Metric[];
  replies: readonly ReplyRule[];
  answersWithinMs: number | undefined;
} {
  const [first, ...rest] = scenarios;
  if (!first) return { metrics: [], replies: [], answersWithinMs: undefined };
  const has = ({ metrics }: Scenario, wanted: Metric) => metrics.some((each) => keyOf(each) === keyOf(wanted));
  const [limit] = limitOf(first);
  return {
    metrics: first.metrics.filter((metric) => rest.every((each) => has(each, metric))),
    replies: ownRules(first).filter((rule) =>
      rest.every((each) => ownRules(each).some((other) => canonicalJson(other) === canonicalJson(rule))),
    ),
    answersWithinMs: rest.every((each) => limitOf(each)[0] === limit) ? limit : undefined,
  };
}

function limitOf({ answers_within_ms: limit }: Scenario): readonly number[] {
  return typeof limit === "number" ? [limit] : [];
}

/** Rules for each reply; a value that the agent says back is the caller's own. */
function ownRules(scenario: Scenario): readonly ReplyRule[] {
  return replyRules(scenario).filter((rule) => !("says_back" in rule));
}

function keyOf(metric: Metric): string {
  return canonicalJson(metric);
}

/** Criteria by their texts: one that a scenario words like one for every call counts once, as the first has it. */
function uniqueMetrics(metrics: readonly Metric[]): readonly Metric[] {
  const found = new Map<string, Metric>();
  for (const metric of metrics) if (!found.has(metric.criterion)) found.set(metric.criterion, metric);
  return [...found.values()];
}

function judging(
  name: string,
  {
    metrics,
    limits,
    replies,
  }: {
    readonly metrics: readonly Metric[];
    readonly limits: readonly number[];
    readonly replies: readonly ReplyRule[];
  },
): Scenario {
  const limit = limits.length > 0 ? Math.min(...limits) : undefined;
  const each = replies.length > 0 ? [...replies] : undefined;
  const source: ScenarioInput = {
    name,
    metrics: [...metrics],
    ...defined({ answers_within_ms: limit, each_reply: each }),
  };
  return toScenario(source);
}
