import { ScenarioError, StoreError } from "../../base/errors.ts";
import { defined, groupBy, isRecord, type JsonObject, oneLine, sameJson } from "../../base/values/mod.ts";
import { type Caller, type CallerMove, createPersonaCaller } from "../../call/callers/mod.ts";
import { foldText } from "../../call/judges/mod.ts";
import type { HistoryLine, Model, RequestOptions } from "../../call/models/mod.ts";
import type { RecordedTools, ToolAnswer, UnmatchedTools } from "../../call/turn/mod.ts";
import { type AgentGraph, agentName } from "../../document/graph/mod.ts";
import { type Scenario, scenariosAsPlayed, toScenario, toScenarios } from "../../document/scenario/mod.ts";
import { BUDGETS, TURN_MODES } from "../../document/settings/mod.ts";
import type { ReplayRecord } from "../../document/transcript/mod.ts";
import { type ReplayedCall, type RunOptions, type RunReport, runScenarios } from "../runner/mod.ts";
import {
  type NewResult,
  openStore,
  type ResultRecord,
  type ResultStatus,
  redactedResult,
  type Store,
  type StoredRun,
} from "../store/mod.ts";
import { createComparison } from "./compare/mod.ts";
import { checkReplayOptions, checkReplaySource, REPLAYED_STATUSES, type ReplayOptions } from "./options.ts";
import { recordingOf, type StoredCall } from "./recording.ts";
import { createStrictCaller, hangUpOf } from "./strict_caller.ts";

/**
 * Runs the calls of a stored run again with the current graph: the caller says the recorded words, and tools return the
 * recorded results. Finds differences in path, extracted values, tools or ending. The first difference comes
 * first, with its node, turn and transition, and the reasons of both calls.
 *
 * Simulated and imported runs can be replayed; of imported calls, only what their platform recorded is compared. The
 * result is a run of kind `replay`. Each call has the scenario and trial of its recording, and a `replay` with the
 * differences: `pass` without any, else `fail`.
 *
 * @param source A stored run, or the id or unique prefix of one.
 * @param graph The current graph. Default: the graph stored with the run.
 * @throws {ScenarioError} `invalid-option`; also if there is no call to replay.
 * @throws {StoreError} `unknown-run`, `store-failed`; `invalid-option` for an id without a store.
 * @throws What `run()` throws.
 * @example
 * ```ts
 * import { flow, openStore, run, scenario } from "callweave";
 * import { replay } from "callweave/calls";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const store = await openStore(":memory:");
 * const { id } = await run(hello, [scenario("greets", hello).says("Good morning").visits("greet")], { store });
 * const report = await replay(id, hello, { store });
 * console.log(report.results[0]?.replay?.divergences);
 * await store.close();
 * ```
 */
export async function replay(
  source: StoredRun | string,
  graph?: AgentGraph,
  options: ReplayOptions = {},
): Promise<RunReport> {
  checkReplaySource(source);
  checkReplayOptions(options);
  const { store: target } = options;
  if (typeof source !== "string") return await replayRun(source, graph, options, target);
  if (target === false) throw withoutStore(source);
  if (typeof target === "object") return await replayRun(await target.showRun(source), graph, options, target);
  await using store = await openStore(target);
  return await replayRun(await store.showRun(source), graph, options, store);
}

async function replayRun(
  stored: StoredRun,
  graph: AgentGraph | undefined,
  options: ReplayOptions,
  store: Store | string | false | undefined,
): Promise<RunReport> {
  const {
    mode = "strict",
    unmatchedTools = "mocks",
    scenarios = [],
    judge = false,
    only,
    statuses,
    ...shared
  } = options;
  const today = graph ?? stored.graph;
  const results = selectResults(stored, defined({ only, statuses }));
  const recordings = groupBy(
    results.map((result) => recordingOf(result, stored.graph)),
    ({ result }) => result.scenario,
  );
  const played = scenariosAsPlayed(toScenarios(scenarios), results);
  const known = new Map(played.map((scenario) => [scenario.name, scenario]));
  const documents = [...recordings].map(([name, { length }]) => scenarioFor(name, length, known.get(name), judge));
  const compare = createComparison(today, mode);
  const recordingAt = (scenario: string, trial: number): StoredCall => {
    const found = recordings.get(scenario)?.[trial - 1];
    if (!found) throw new TypeError("unreachable: each trial has a recording");
    return found;
  };
  const recorded = recordedSettings(stored.run.options);
  const runOptions: RunOptions = {
    ...recorded,
    ...shared,
    repeat: { sequential: false }, // every call is replayed, also after one that differs
    limits: { ...recorded.limits, ...shared.limits },
    judging: { ...shared.judging, ...(judge ? {} : { metrics: [] }) },
    ...defined({ store }),
    name: options.name ?? agentName(today) ?? stored.run.agent,
  };
  return await runScenarios(today, documents, runOptions, {
    variant: {
      kind: "replay",
      options: { replay: { of: stored.run.id, mode, unmatchedTools } },
      isJudged: judge,
      callOf: ({ scenario, trial }): ReplayedCall =>
        replayedCall(recordingAt(scenario, trial), {
          mode,
          unmatchedTools,
          compare,
          maxTurns: options.limits?.maxTurns,
        }),
    },
  });
}

/** The scenario of a recording without its caller and, if it is not judged, without its expectations. */
function scenarioFor(name: string, repeat: number, known: Scenario | undefined, isJudged: boolean): Scenario {
  const { tool_mocks, llm_model } = known ?? toScenario({ name });
  const kept =
    isJudged && known ? { ...known, user_prompt: "", says: [] } : toScenario({ name, tool_mocks, llm_model });
  return { ...kept, dynamic_variables: {}, repeat, gate: { pass_all: true }, max_turns: null };
}

function withoutStore(id: string): StoreError {
  return new StoreError(`Cannot replay run "${id}": store is false`, {
    code: "invalid-option",
    path: ["store"],
    hint: "Pass the run itself, or the store that has it",
  });
}

/** Settings of the recorded run that affect its calls: the turn mode, and the budget. */
function recordedSettings({ turn, budget }: JsonObject): Pick<RunOptions, "turn" | "limits"> {
  const mode = TURN_MODES.find((each) => each === turn);
  const limits = isRecord(budget) ? { call: numbersIn(budget.call), turn: numbersIn(budget.turn) } : undefined;
  return { ...(mode ? { turn: mode } : {}), ...(limits ? { limits: { budget: limits } } : {}) };
}

function numbersIn(limits: unknown): { readonly [Name in (typeof BUDGETS)[number]]?: number } {
  const given = isRecord(limits) ? limits : {};
  return Object.fromEntries(
    BUDGETS.flatMap((name) => {
      const value = given[name];
      return typeof value === "number" ? [[name, value] as const] : [];
    }),
  );
}

/** The selection of a run's results. */
export interface ResultSelection {
  /** Names of scenarios, or ids of results or their first characters. */
  readonly only?: readonly string[];
  readonly statuses?: readonly ResultStatus[];
}

/**
 * Selects the results of a run that can be replayed, in the order of the run's scenarios and trials.
 *
 * @throws {ScenarioError} `invalid-option` for a name without a result, and for an empty selection.
 */
function selectResults(
  { run, results }: StoredRun,
  { only, statuses = REPLAYED_STATUSES }: ResultSelection,
): readonly ResultRecord[] {
  const planned = Array.isArray(run.plan?.scenarios) ? run.plan.scenarios : [];
  const names = planned.map((each: unknown) => (Array.isArray(each) ? each[0] : each));
  const placeOf = ({ scenario }: ResultRecord) => names.indexOf(scenario);
  const isNamed = ({ scenario, id }: ResultRecord, name: string) => scenario === name || id.startsWith(name);
  const unknown = only?.find((name) => !results.some((result) => isNamed(result, name)));
  if (unknown !== undefined)
    throw refused(`run "${run.id}" has no result "${unknown}"`, "only", "Name a scenario, or the id of a result");
  const found = results
    .filter(({ status }) => statuses.includes(status))
    .filter((result) => only === undefined || only.some((name) => isNamed(result, name)))
    .sort((a, b) => placeOf(a) - placeOf(b) || a.trial - b.trial || (a.attempt ?? 1) - (b.attempt ?? 1));
  if (found.length > 0) return found;
  const hint = `Choose results with the statuses ${statuses.join(", ")}, or choose other statuses`;
  throw refused(`run "${run.id}" has no call with that status`, "statuses", hint);
}

function refused(state: string, option: string, hint: string): ScenarioError {
  return new ScenarioError(`Cannot replay calls: ${state}`, { code: "invalid-option", path: [option], hint });
}

/** Number of turns that an adaptive caller may take beyond those of the recording. */
const MORE_TURNS = 10;

export interface ReplaySettings {
  readonly mode: ReplayRecord["mode"];
  readonly unmatchedTools: UnmatchedTools;
  readonly compare: (recording: StoredCall, result: NewResult) => ReplayRecord;
  /** Limit set by the user; absent: the recording's length. */
  readonly maxTurns: number | undefined;
}

/** A call that repeats a recording. */
function replayedCall(
  recording: StoredCall,
  { mode, unmatchedTools, compare, maxTurns }: ReplaySettings,
): ReplayedCall {
  const { result, turns, startVariables } = recording;
  const isLimited = result.endReason === "max_turns";
  const strict = createStrictCaller(recording);
  let adaptive: AdaptiveCaller | undefined;
  return {
    caller: ({ model, calls }) => {
      if (mode === "strict") return strict;
      adaptive = createAdaptiveCaller(recording, model, calls);
      return adaptive;
    },
    variables: startVariables,
    tools: createRecordedTools(result, unmatchedTools, () => adaptive !== undefined || strict.isDone()),
    maxTurns: maxTurns ?? turns.length + (isLimited ? 0 : mode === "strict" ? 1 : MORE_TURNS),
    audited: ({ transcript, endReason }) => {
      if (!adaptive?.hasImprovised()) return undefined;
      const given = [...turns.map(({ said }) => said), ...Object.values(startVariables).map(String)];
      return { persona: recordedPersona(recording, []), given, transcript, endReason };
    },
    complete: (replayed) => {
      const record = compare(recording, replayed);
      return { ...replayed, ...(record.divergences.length > 0 ? { status: "fail" } : {}), replay: record };
    },
  };
}

/**
 * Answers tool calls from a recorded call: the next unused result for the same name and equal arguments. Each
 * result is used once, so that equal calls get their results in the recorded order.
 *
 * @param isLastTurn Whether the caller has said its last words of the recording.
 */
function createRecordedTools(
  result: ResultRecord,
  unmatched: UnmatchedTools,
  isLastTurn: () => boolean,
): RecordedTools {
  const calls = [...result.toolsCalled];
  return {
    unmatched,
    answer: (name, args) => {
      const found = taken(calls, (call) => call.name === name && isSame(call.arguments, args));
      return found && { outcome: found.outcome, result: found.result ?? null, mocked: true };
    },
    transfer: createTransfers(result, isLastTurn),
  };
}

/**
 * Answers attempts to transfer. Those of the recording failed, except the last one of a transferred call. A
 * failure is recorded as a transition only if the node has one for it.
 */
function createTransfers({ transcript, nodesVisited, endReason }: ResultRecord, isLastTurn: () => boolean) {
  const last = endReason === "agent_transferred" ? nodesVisited.at(-1) : undefined;
  const since = transcript.findLastIndex(({ role }) => role === "user");
  let failures = transcript
    .slice(since + 1)
    .filter(({ metadata: { kind, from } }) => kind === "transition" && from === last).length;
  return (nodeId: string): ToolAnswer["outcome"] | undefined => {
    if (!nodesVisited.includes(nodeId)) return undefined;
    if (nodeId !== last || !isLastTurn()) return "failed";
    return failures-- > 0 ? "failed" : "succeeded";
  };
}

/** Whether arguments are equal. Secrets in stored ones are redacted. */
function isSame(stored: JsonObject, given: JsonObject): boolean {
  return sameJson(stored, given) || sameJson(stored, redactedResult({ arguments: given }).arguments);
}

/** Removes and returns the first item for which the test holds. */
function taken<Item>(items: Item[], test: (item: Item) => boolean): Item | undefined {
  const index = items.findIndex(test);
  return index < 0 ? undefined : items.splice(index, 1)[0];
}

/** A caller played by a model where the agent diverges from the recording. */
export interface AdaptiveCaller extends Caller {
  /** Whether the model has spoken. */
  hasImprovised(): boolean;
}

/**
 * Creates a caller that says the recorded words as long as the agent repeats its own recorded words. Otherwise a model
 * speaks, which has the recorded caller's knowledge and goals, and repeats recorded words where they fit.
 */
function createAdaptiveCaller(recording: StoredCall, model: Model, requests: RequestOptions): AdaptiveCaller {
  const { turns } = recording;
  const said = new Set<number>();
  const hangUp = hangUpOf(recording.result);
  let next = 0;
  let improvised = false;

  function repeat(index: number): CallerMove {
    said.add(index);
    next = index + 1;
    const { said: say = "", step } = turns[index] ?? {};
    return { say, ...step, ...(hangUp && !improvised && said.size === turns.length ? { hangUp } : {}) };
  }

  /** The recorded turn with the same words of the agent before it: the next one, else the first of the rest. */
  function answerTo(asked: string): number | undefined {
    const fits = (index: number) => !said.has(index) && foldText(turns[index]?.asked ?? "") === asked;
    if (next < turns.length && fits(next)) return next;
    if (asked === "") return undefined;
    const found = [...turns.keys()].filter(fits);
    return found.find((index) => index >= next) ?? found[0];
  }

  return {
    hasImprovised: () => improvised,
    // what it says next depends on the reply: it repeats an interruption where the reply is cut afterwards, in text
    next: async (history, options) => {
      const index = answerTo(foldText(lastSpeech(history)));
      if (index !== undefined) return repeat(index);
      if (hangUp && !improvised && said.size === turns.length) return { hangUp };
      const left = [...turns.keys()].filter((each) => !said.has(each));
      const persona = recordedPersona(
        recording,
        left.flatMap((each) => turns[each]?.said ?? []),
      );
      const move = await createPersonaCaller(persona, model, requests).next(history, options);
      const words = foldText(move.say ?? "");
      const recorded = left.find((each) => words !== "" && foldText(turns[each]?.said ?? "") === words);
      if (recorded !== undefined) return { ...move, ...repeat(recorded) };
      improvised = true;
      return move;
    },
  };
}

/** Everything that the agent said since the caller's last words. */
function lastSpeech(history: readonly HistoryLine[]): string {
  const since = history.findLastIndex(({ role }) => role === "user") + 1;
  return history
    .slice(since)
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => content)
    .join("\n");
}

/**
 * Writes the persona of a caller with the knowledge and goals of the recorded one: the recorded conversation
 * itself, and the lines that were not said yet.
 */
function recordedPersona({ result }: Pick<StoredCall, "result">, left: readonly string[]): string {
  const lines = result.transcript.flatMap(({ role, content }) =>
    role === "user" || role === "assistant" ? [`${role === "user" ? "You" : "Agent"}: ${oneLine(content)}`] : [],
  );
  return [
    "You are the caller of a call that was recorded. It takes place again with an agent that may ask other things, or in another order.",
    "You know and want what you said in the recording, and nothing else. Give no name, number, date or wish that is not in it; if the agent asks for one, say that you do not know.",
    "Where one of the lines that you have not said yet answers the agent, say that line word for word, and nothing more.",
    "",
    "The recording:",
    ...lines,
    "",
    ...(left.length > 0
      ? ["Your lines of it that you have not said yet:", ...left.map((line) => `- ${oneLine(line)}`)]
      : ["You have said all your lines of it. Hang up when you have what you wanted, or when the agent cannot help."]),
  ].join("\n");
}
