import { defined, startTimeLimit } from "../../base/values/mod.ts";
import type { AgentConnection } from "../../call/connection/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { CHECKS, type CheckFunction, type Policy, type Scenario } from "../../document/scenario/mod.ts";
import type { Usage } from "../../document/transcript/mod.ts";
import { type RunOptions, run } from "../runner/mod.ts";
import type { ResultRecord } from "../store/mod.ts";
import type { AttackedCall } from "./detect.ts";
import type { AttackOptions, AttackReport } from "./types.ts";

/** Holds the calls of an attack, within its limits. */
export interface Bench {
  /**
   * Runs calls, one for each scenario or `repeat` of it, as far as the limits allow.
   *
   * @param keep Number of calls to keep for later.
   * @returns The calls in the order of the scenarios; shorter, if the limits do not allow all of them.
   */
  readonly run: (calls: readonly BenchCall[], keep?: number) => Promise<readonly (ResultRecord | undefined)[]>;
  /** Runs scenarios as they are. */
  readonly runScenarios: (scenarios: readonly Scenario[]) => Promise<readonly ResultRecord[]>;
  /** Number of calls that may still be made. */
  readonly left: () => number;
  readonly calls: () => number;
  readonly stopped: () => AttackReport["stopped"];
  readonly usage: () => AttackReport["usage"];
}

/** A call to run, and whether the agent withstands in it. */
export interface BenchCall {
  readonly scenario: Scenario;
  readonly withstands: (call: AttackedCall) => boolean;
  readonly criterion?: string | undefined;
}

/** What calls of an attack share. */
export interface BenchSettings {
  readonly agent: AgentGraph | AgentConnection;
  readonly isConnection: boolean;
  readonly graph: AgentGraph;
  readonly policies: readonly Policy[];
  readonly limits: { readonly calls: number; readonly costUsd: number; readonly wallMs: number };
  readonly options: AttackOptions;
}

/** Calls between two looks at the limits. */
const MOST_AT_ONCE = 60;
/** A limit that is reached at once, where nothing is left. */
const LEAST_USD = 0.000_001;
/** Name of the check that each call of an attack has. */
const WITHSTANDS = "the agent withstands";

/** Creates the bench of an attack. Close it with `using`. */
export function createBench(settings: BenchSettings): Bench & Disposable {
  const { limits, options } = settings;
  const limit = startTimeLimit(limits.wallMs, options.signal);
  let calls = 0;
  let usage: AttackReport["usage"] = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const spent = () => usage.costUsd ?? 0;
  const stopped = (): AttackReport["stopped"] => {
    if (options.signal?.aborted) return "aborted";
    if (limit.expired()) return "wallMs";
    if (spent() >= limits.costUsd) return "costUsd";
    return calls >= limits.calls ? "calls" : undefined;
  };
  const isPriced = options.limits?.costUsd !== undefined;
  const results = async (scenarios: readonly Scenario[]): Promise<readonly ResultRecord[]> => {
    const found: ResultRecord[] = [];
    for (let at = 0; at < scenarios.length && !stopped(); at += MOST_AT_ONCE) {
      const some = scenarios.slice(at, at + MOST_AT_ONCE);
      calls += some.length;
      const report = await run(settings.agent, some, {
        ...runOptions(settings),
        // a run refuses a limit where a price is unknown: then only a limit of the user's is an error
        ...(isPriced ? { limits: { maxCostUsd: Math.max(LEAST_USD, limits.costUsd - spent()) } } : {}),
        signal: limit.signal,
      });
      usage = addedUsage(usage, report.usage);
      found.push(...report.results);
    }
    return found;
  };
  return {
    left: () => (stopped() ? 0 : limits.calls - calls),
    calls: () => calls,
    stopped,
    usage: () => usage,
    runScenarios: async (given) => {
      const some = stopped() ? [] : given.slice(0, limits.calls - calls);
      return some.length === 0 ? [] : await results(some);
    },
    run: async (given, keep = 0) => {
      const some = stopped() ? [] : given.slice(0, Math.max(0, limits.calls - calls - keep));
      if (some.length === 0) return [];
      // the same conversation may run several times
      const scenarios = some.map((call, index) => withCheck(call, `${index + 1}. ${call.scenario.name}`, settings));
      const byName = new Map((await results(scenarios)).map((result) => [result.scenario, result]));
      return scenarios.map(({ name }) => byName.get(name));
    },
    [Symbol.dispose]: () => limit[Symbol.dispose](),
  };
}

function runOptions({ policies, options, isConnection, graph }: BenchSettings): RunOptions {
  return {
    store: false,
    repeat: { sequential: false },
    judging: { policies: isConnection ? [] : policies, audit: "off" },
    ...defined({ models: options.models, requests: options.requests }),
    ...(isConnection
      ? { connection: { graph, unchecked: "report", allowRealTools: options.allowRealTools ?? false } }
      : {}),
  };
}

function withCheck(
  { scenario, withstands, criterion }: BenchCall,
  name: string,
  { isConnection }: BenchSettings,
): Scenario {
  const judge: CheckFunction = (call) => {
    const words = { transcript: call.transcript, checks: [], verdicts: [] };
    // a check that reads what a connection does not report is left out; what was found is decided by the results
    if (isConnection) return withstands({ ...words, toolsCalled: [], nodesVisited: [], variables: {} });
    const { toolsCalled, nodesVisited, variables } = call;
    return withstands({ ...words, toolsCalled, nodesVisited, variables });
  };
  return {
    ...scenario,
    name,
    repeat: null,
    gate: null,
    metrics: criterion === undefined ? [] : [{ criterion }],
    checks: [WITHSTANDS],
    [CHECKS]: [{ name: WITHSTANDS, judge }],
  };
}

function addedUsage(
  a: AttackReport["usage"],
  { calls, inputTokens, outputTokens, costUsd }: Usage,
): AttackReport["usage"] {
  const cost = a.costUsd === undefined && costUsd === undefined ? undefined : (a.costUsd ?? 0) + (costUsd ?? 0);
  return {
    calls: a.calls + calls,
    inputTokens: a.inputTokens + inputTokens,
    outputTokens: a.outputTokens + outputTokens,
    ...defined({ costUsd: cost }),
  };
}
