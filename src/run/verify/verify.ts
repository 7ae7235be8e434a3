import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, defined, oneOf } from "../../base/values/mod.ts";
import type { AgentConnection } from "../../call/connection/mod.ts";
import { offline } from "../../call/models/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { ScenarioSource } from "../../document/scenario/mod.ts";
import { replay } from "../replay/mod.ts";
import {
  type ConnectionOptions,
  graphOf,
  isConnection,
  lookUpAgent,
  type RunOptions,
  type RunReport,
  run,
} from "../runner/mod.ts";
import type { ResultRecord, StoredRun } from "../store/mod.ts";
import { type CallPair, compareCall, reportedBy } from "./compare_call.ts";
import { summarise } from "./summarise.ts";
import type { CallDifference, SideOfCall, UncomparedCall, VerifiedCall, VerifyReport } from "./types.ts";
import { voiceFigures } from "./voice_figures.ts";

/** Options of {@link verify}. Those it shares with `run()` mean the same. */
export interface VerifyOptions
  extends Pick<
    RunOptions,
    | "variables"
    | "systemVariables"
    | "limits"
    | "requests"
    | "repeat"
    | "judging"
    | "store"
    | "listeners"
    | "signal"
    | "name"
    | "clock"
  > {
  /** Models of the callers, of the judge, and of the agent's graph. Default: the offline model. */
  readonly models?: RunOptions["models"];
  /** The agent's graph. Default: the one that its platform has. */
  readonly graph?: AgentGraph;
  /** What happens to expectations that the connection cannot show. Default: `refuse`. */
  readonly unchecked?: ConnectionOptions["unchecked"];
  /** Whether the agent's tools may run where no mock answers. Default: false. */
  readonly allowRealTools?: boolean;
}

/**
 * Runs scenarios against a deployed agent, says the same words to its graph, and reports where the two differ: in the
 * path, in tool calls, variables, the end or the verdict, with rates over repeated calls.
 *
 * In the calls with the graph, tools return what they returned to the deployed agent. Both runs are stored.
 *
 * @throws {ScenarioError} `invalid-option` without a graph; what `run()` throws.
 * @throws {ConnectionError} When the agent cannot be looked up.
 */
export async function verify(
  source: AgentConnection,
  scenarios: readonly ScenarioSource[],
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  if (!isConnection(source))
    throw new ScenarioError("Cannot verify: the agent is no connection", {
      code: "invalid-option",
      path: ["agent"],
      hint: "Pass what connect gives, such as connect.http({ … })",
    });
  const { graph: given, unchecked, allowRealTools, models = {}, ...shared } = options;
  checkOptions({ unchecked }, { unchecked: oneOf("refuse", "report") }, ScenarioError, "Cannot verify");
  const connection = await lookUpAgent(source, shared.signal);
  const graph = given ?? (await graphOf(connection));
  if (!graph)
    throw new ScenarioError(`Cannot verify "${connection.name}": its graph is not known`, {
      code: "invalid-option",
      path: ["graph"],
      hint: "Pass { graph }, or --graph flow.ts",
    });
  const { agent: model = offline(), ...others } = models;
  const live = await run(connection, scenarios, {
    ...shared,
    repeat: { ...shared.repeat, sequential: false },
    models: { caller: model, judge: model, ...others },
    connection: { graph, ...defined({ unchecked, allowRealTools }) },
  });
  const { results } = live;
  const { limits, requests, judging, store, signal, name, clock } = shared;
  const broken = results.filter((result) => !isFinished(result));
  const rest = results.filter(isFinished);
  const played =
    rest.length === 0
      ? undefined
      : await replay(storedRunOf(live, rest, graph), graph, {
          ...defined({ limits, requests, judging, store, signal, name, clock }),
          models: { agent: model, ...others },
          scenarios,
          judge: true,
        });
  return reportOf({ connection, graph, live, played, broken });
}

function isFinished({ status }: ResultRecord): boolean {
  return status === "pass" || status === "fail";
}

/** The calls of a run as a stored one, also if nothing is stored. */
function storedRunOf(report: RunReport, results: readonly ResultRecord[], graph: AgentGraph): StoredRun {
  const { id, kind, startedAt, name, models, counts } = report;
  const run = { id, kind, startedAt, finishedAt: startedAt, agent: name, graphFingerprint: "", models, counts };
  return { run: { ...run, options: {} }, results, graph };
}

/** Both runs. */
interface BothRuns {
  readonly connection: AgentConnection;
  readonly graph: AgentGraph;
  readonly live: RunReport;
  readonly played: RunReport | undefined;
  /** Calls with the agent that did not finish. */
  readonly broken: readonly ResultRecord[];
}

function reportOf({ connection, graph, live, played, broken }: BothRuns): VerifyReport {
  const reported = reportedBy(connection, graph);
  const notCompared: UncomparedCall[] = broken.map((result) => uncompared(result, "agent"));
  const calls: VerifiedCall[] = [];
  const pairs: CallPair[] = [];
  const agents = new Map(live.results.map((result) => [result.id, result]));
  for (const result of played?.results ?? []) {
    const agent = agents.get(result.replay?.ofResult ?? "");
    if (!agent) {
      // a call that failed is no replay of another
      notCompared.push(uncompared(result, "graph"));
      continue;
    }
    if (result.status === "error" || result.status === "cancelled" || result.status === "invalid") {
      notCompared.push(uncompared({ ...result, trial: agent.trial }, "graph"));
      continue;
    }
    const side = { ...result, status: verdictOf(result) };
    const differences = withVerdict(compareCall({ agent, graph: result }, graph, reported), agent, side);
    const { scenario, trial } = agent;
    pairs.push({ agent, graph: result });
    calls.push({ scenario, trial, differences, agent: sideOf(agent), graph: sideOf(side) });
  }
  const kinds = ["path", "variable", "tool", "end"] as const;
  return {
    agent: connection.name,
    ...defined({ version: connection.version }),
    runs: { agent: live.id, graph: played?.id ?? null },
    same: notCompared.length === 0 && calls.length > 0 && calls.every(({ differences }) => differences.length === 0),
    differences: summarise(calls, graph),
    calls,
    notCompared,
    ...defined({ voice: voiceFigures(pairs) }),
    notReported: kinds.filter((kind) => !reported[kind]),
  };
}

/** Whether a call with the graph passed what the scenario expects: a replay also fails for its differences. */
function verdictOf({ checks, verdicts }: ResultRecord): "pass" | "fail" {
  return [...checks, ...verdicts].every(({ passed }) => passed) ? "pass" : "fail";
}

/** Adds a difference of the verdicts, if both calls were judged by the same expectations and nothing else differs. */
function withVerdict(
  differences: readonly CallDifference[],
  agent: ResultRecord,
  graph: ResultRecord,
): readonly CallDifference[] {
  if (differences.length > 0) return differences;
  const judged = new Map(allOf(graph).map((each) => [each.name, each.passed]));
  // times of voice are compared with each other, never with those of text
  const isHeard = agent.connection?.voice !== undefined;
  const checks = isHeard ? agent.checks.filter(({ kind }) => kind !== "latency") : agent.checks;
  const other = allOf({ ...agent, checks }).find(({ name, passed }) => judged.has(name) && judged.get(name) !== passed);
  if (!other) return differences;
  const words = (passed: boolean) => (passed ? `passes "${other.name}"` : `fails "${other.name}"`);
  const { passed, name } = other;
  return [
    {
      kind: "verdict",
      turn: agent.turnCount,
      nodeId: graph.nodesVisited.at(-1) ?? "",
      name,
      agent: words(passed),
      graph: words(!passed),
      said: "",
    },
  ];
}

function allOf({ checks, verdicts }: ResultRecord) {
  return [
    ...checks.map(({ kind, expected, passed }) => ({ name: `${kind} ${expected}`, passed })),
    ...verdicts.map(({ criterion, passed }) => ({ name: criterion, passed })),
  ];
}

function sideOf({ id, status, nodesVisited, endReason }: ResultRecord): SideOfCall {
  return { resultId: id, status, nodesVisited, ...defined({ endReason }) };
}

function uncompared({ scenario, trial, status, errorMessage }: ResultRecord, side: UncomparedCall["side"]) {
  return { scenario, trial, side, reason: errorMessage ?? `the call is ${status}` };
}
