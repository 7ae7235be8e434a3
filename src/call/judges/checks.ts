import { ScenarioError } from "../../base/errors.ts";
import {
  type Clock,
  isRecord,
  type JsonObject,
  own,
  readableError,
  sameJson,
  shown,
  startTimeLimit,
  thrownWords,
} from "../../base/values/mod.ts";
import { textOf } from "../../document/expressions/mod.ts";
import {
  type CheckFunction,
  type callChecks,
  DEFAULT_THRESHOLD,
  type ExpectedToolCall,
  type Scenario,
} from "../../document/scenario/mod.ts";
import type { CheckResult, EndReason, LatencyParts, Message, TurnLatency } from "../../document/transcript/mod.ts";
import { containsText, foldText, messagePlace, quoteLine, spokenLines } from "./evidence.ts";
import type { JudgedCall } from "./metric.ts";
import type { Pattern } from "./pattern.ts";

/** End reasons that fail a scenario unless it expects them. */
export const FAULTS: readonly EndReason[] = ["hop_limit", "dead_air", "budget_exceeded", "turn_timeout"];

/** Checks the visited nodes and the end reason. */
export function checkFlow(
  { visits, avoids, ends }: Pick<Scenario, "visits" | "avoids" | "ends">,
  call: JudgedCall,
): readonly CheckResult[] {
  const { nodesVisited: visited } = call;
  return [
    ...(visits.length > 0 ? [checkVisits(visits, visited)] : []),
    ...avoids.map((id): CheckResult => {
      const reason = visited.includes(id) ? `visited ${pathTo(visited, id)}` : `visited ${path(visited)}`;
      return { kind: "avoids", expected: id, passed: !visited.includes(id), reason };
    }),
    ...checkEnd(ends ?? undefined, call),
  ];
}

/** Checks that nodes were visited in this order; others may come between. */
function checkVisits(visits: readonly string[], visited: readonly string[]): CheckResult {
  let from = 0;
  for (const [index, id] of visits.entries()) {
    const at = visited.indexOf(id, from);
    if (at === -1) {
      const before = visits[index - 1];
      const missed =
        visited.includes(id) && before !== undefined ? `never reached ${id} after ${before}` : `never reached ${id}`;
      return { kind: "visits", expected: path(visits), passed: false, reason: `visited ${path(visited)}; ${missed}` };
    }
    from = at + 1;
  }
  return { kind: "visits", expected: path(visits), passed: true, reason: `visited ${path(visited)}` };
}

function checkEnd(expected: EndReason | undefined, { endReason, endDetail }: JudgedCall): readonly CheckResult[] {
  const found = `the call ended with ${endReason ?? "no reason"}${endDetail ? `: ${endDetail}` : ""}`;
  if (expected) return [{ kind: "ends", expected, passed: endReason === expected, reason: found }];
  if (!endReason || !FAULTS.includes(endReason)) return [];
  return [{ kind: "ends", expected: `not ${endReason}`, passed: false, reason: found }];
}

function pathTo(visited: readonly string[], id: string): string {
  return path(visited.slice(0, visited.indexOf(id) + 1));
}

function path(ids: readonly string[]): string {
  return ids.length > 0 ? ids.join(" -> ") : "no node";
}

/** Names of the parts of a turn, in order of time. */
const PARTS: readonly (readonly [part: keyof LatencyParts, words: string])[] = [
  ["transition", "transition"],
  ["extraction", "extraction"],
  ["tools", "tools"],
  ["reply", "reply"],
];

/**
 * Checks that the agent's first word came in time in every turn, the opening included. Silent turns are ignored, except
 * one that timed out. A call without measurements, such as one from recordings, passes, and the reason says so. Turns with
 * tools do not count if they have a limit of their own.
 */
export function checkLatency(
  {
    answers_within_ms: limitMs,
    answers_after_tools_within_ms: afterTools,
  }: Pick<Scenario, "answers_within_ms" | "answers_after_tools_within_ms">,
  { latency: all = [], endReason, transcript }: JudgedCall,
): readonly CheckResult[] {
  if (limitMs === undefined || limitMs === null) return [];
  const others = afterTools ? turnsWithTools(transcript) : undefined;
  const latency = others ? all.filter(({ turn }) => !others.has(turn)) : all;
  const answered = latency.flatMap((turn) => (turn.firstWordMs === null ? [] : [{ ...turn, ms: turn.firstWordMs }]));
  const late = answered.filter(({ ms }) => ms > limitMs);
  const expected = `within ${limitMs} ms`;
  const last = latency.at(-1);
  const check = (passed: boolean, reason: string): readonly CheckResult[] => [
    { kind: "latency", expected, passed, reason },
  ];
  const silence = last && endReason === "turn_timeout" && last.firstWordMs === null ? [silenceOf(last)] : [];
  const slow = late
    .toSorted((a, b) => b.ms - a.ms)
    .map((turn) => `${turnPlace(turn)} after ${wait(turn.ms)}${madeOf(turn)}`);
  if (silence.length + slow.length > 0) return check(false, [...silence, ...slow].join("; "));
  if (answered.length === 0)
    return check(true, "not measured: the agent said nothing, or its answers came from recordings");
  const slowest = answered.reduce((most, turn) => (turn.ms > most.ms ? turn : most));
  return check(true, `the slowest of ${answered.length} was ${turnPlace(slowest)}, after ${wait(slowest.ms)}`);
}

/** The turns in which the agent calls tools before it speaks. */
export function turnsWithTools(transcript: readonly Message[]): ReadonlySet<number> {
  const found = new Set<number>();
  let turn = 0;
  let hasSpoken = false;
  for (const { role, metadata } of transcript) {
    if (role === "user") {
      turn += 1;
      hasSpoken = false;
    }
    if (role === "assistant") hasSpoken = true;
    if (role === "tool" && metadata.kind === "tool_call" && !hasSpoken) found.add(turn);
  }
  return found;
}

function silenceOf(turn: TurnLatency): string {
  return `${turnPlace(turn)} not at all: the turn timed out`;
}

function turnPlace({ turn, nodeId }: TurnLatency): string {
  const where = nodeId === "" ? "" : ` at "${nodeId}"`;
  return turn === 0 ? `the opening${where}` : `turn ${turn}${where}`;
}

function madeOf({ parts }: TurnLatency): string {
  const happened = parts ? PARTS.filter(([part]) => parts[part] > 0) : [];
  if (!parts || happened.length === 0) return "";
  return ` (${happened.map(([part, words]) => `${words} ${wait(parts[part])}`).join(", ")})`;
}

function wait(ms: number): string {
  return `${Math.round(ms)} ms`;
}

/** Checks the final values of variables, and the tool calls. */
export function checkExpectations(
  { extracts, calls }: Pick<Scenario, "extracts" | "calls">,
  call: JudgedCall,
): readonly CheckResult[] {
  return [
    ...Object.entries(extracts).map(([name, value]) => checkVariable(name, textOf(value), call)),
    ...calls.map((expected, index) => {
      const same = calls
        .slice(0, index)
        .filter(({ tool, args }) => tool === expected.tool && sameJson(args, expected.args));
      return checkToolCall(expected, same.length + 1, call);
    }),
  ];
}

/** @param expected `undefined`: the variable must not be set. */
function checkVariable(name: string, expected: string | undefined, { variables }: JudgedCall): CheckResult {
  const value = own(variables, name);
  return {
    kind: "extracts",
    expected: expected === undefined ? `${name} not set` : `${name} == ${expected}`,
    passed: value === expected,
    reason: value === undefined ? `${name} was never set` : `${name} is ${JSON.stringify(value)}`,
  };
}

/**
 * @param times How many such calls are expected: equal expectations add up.
 */
function checkToolCall({ tool, args }: ExpectedToolCall, times: number, { toolsCalled }: JudgedCall): CheckResult {
  const ofTool = toolsCalled.filter(({ name }) => name === tool);
  const fitting = ofTool.filter((call) => isWithin(args, call.arguments));
  const expected = Object.keys(args).length > 0 ? `${tool}(${JSON.stringify(args)})` : tool;
  const shown = (calls: typeof ofTool) =>
    calls.map((call) => `${call.name}(${JSON.stringify(call.arguments)}), which ${call.outcome}`).join("; ");
  const passed = fitting.length >= times;
  let reason = `called ${shown(passed ? fitting : ofTool)}`;
  if (ofTool.length === 0) {
    const others = [...new Set(toolsCalled.map(({ name }) => name))];
    reason = `${tool} was never called; ${others.length > 0 ? `called ${others.join(", ")}` : "no tool was"}`;
  } else if (!passed && fitting.length > 0)
    reason = `called only ${fitting.length} of ${times} times: ${shown(fitting)}`;
  return { kind: "calls", expected: times > 1 ? `${expected}, ${times} times` : expected, passed, reason };
}

/** Whether an object contains the wanted values; as with mocks, scalars are compared as text. */
function isWithin(wanted: JsonObject, given: JsonObject): boolean {
  return Object.entries(wanted).every(([key, want]) => {
    if (!Object.hasOwn(given, key)) return false;
    const got = given[key];
    if (isRecord(want)) return isRecord(got) && isWithin(want, got);
    return typeof want === "object" || typeof got === "object" ? sameJson(got, want) : String(got) === String(want);
  });
}

/**
 * Checks each of the agent's messages. The caller's messages do not count: a caller who reads out an account number
 * breaks no rule of the agent. `includes` and `excludes` ignore white space, case and the style of quotes and dashes;
 * blank texts are skipped. An excluded text must not span consecutive messages either, because a caller hears them as
 * one.
 */
export function checkMessages(
  { includes, excludes }: Pick<Scenario, "includes" | "excludes">,
  patterns: readonly Pattern[],
  { transcript }: JudgedCall,
): readonly CheckResult[] {
  const spoken = spokenLines(transcript);
  const folded = spoken.map((line) => ({ line, text: foldText(line.content) }));
  const lineWith = (text: string) => {
    const wanted = foldText(text);
    return folded.find((each) => containsText(each.text, wanted))?.line;
  };
  const at = (line: Message) => quoteLine(transcript, line);
  const silent = spoken.length === 0 ? "the agent said nothing at all" : undefined;
  const isText = (text: string) => foldText(text) !== "";

  return [
    ...includes.filter(isText).map((text): CheckResult => {
      const line = lineWith(text);
      const reason = line ? `said in ${at(line)}` : (silent ?? "the agent never said it");
      return { kind: "includes", expected: text, passed: line !== undefined, reason };
    }),
    ...excludes.filter(isText).map((text): CheckResult => {
      const line = lineWith(text);
      if (line) return { kind: "excludes", expected: text, passed: false, reason: `said in ${at(line)}` };
      const wanted = foldText(text);
      const speech = speeches(transcript).find((lines) => containsText(joined(lines), wanted));
      const [first] = speech ?? [];
      const reason = first
        ? `said across lines, from ${messagePlace(transcript, first)} on`
        : "the agent never said it";
      return { kind: "excludes", expected: text, passed: speech === undefined, reason };
    }),
    ...patterns.map((pattern): CheckResult => {
      const line = spoken.find(({ content }) => pattern.matches(content));
      const what = pattern.kind === "glob" ? "glob" : "RE2 expression";
      const other = line ? undefined : spoken.map(({ content }) => pattern.spellingFor(content)).find(Boolean);
      const hint = other === undefined ? "" : `; "${other}" would match`;
      const reason = line ? `matched in ${at(line)}` : (silent ?? `nothing the agent said matches this ${what}${hint}`);
      return { kind: "patterns", expected: pattern.source, passed: line !== undefined, reason };
    }),
  ];
}

/** The groups of consecutive messages of the agent. */
function speeches(transcript: readonly Message[]): readonly (readonly Message[])[] {
  const turns: Message[][] = [[]];
  for (const line of transcript) {
    if (line.role === "user") turns.push([]);
    if (line.role === "assistant") turns.at(-1)?.push(line);
  }
  return turns;
}

function joined(lines: readonly Message[]): string {
  return foldText(lines.map(({ content }) => content).join(" "));
}

/** Default time limit of a check, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** Names of errors that indicate a bug in a check. Assertions throw other errors. */
const MISTAKES = new Set(["TypeError", "ReferenceError", "RangeError", "SyntaxError", "EvalError", "URIError"]);

/** A function that judges a call. */
type CallCheck = Pick<ReturnType<typeof callChecks>[number], "name" | "judge" | "threshold" | "checkTimeoutMs">;

/** The call that a check gets. */
type CheckedCall = Parameters<CheckFunction>[0];

/** Options of {@link runOwnChecks}. */
interface OwnCheckOptions {
  readonly threshold?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Clock of the time limits. Absent: the machine's. */
  readonly timers?: Pick<Clock, "after"> | undefined;
}

/**
 * Runs the function checks of a scenario, one after another.
 *
 * `true`, `undefined` and a score at or above the threshold pass. `false`, a lower score and a thrown error fail.
 *
 * @throws {ScenarioError} `check-answer` for any other return value, `check-timeout` after the time limit,
 *   `check-failed` for a bug in the check such as a TypeError, because it says nothing about the call.
 */
export async function runOwnChecks(
  checks: readonly CallCheck[],
  call: CheckedCall,
  options: OwnCheckOptions = {},
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await runOwnCheck(check, call, options));
  return results;
}

async function runOwnCheck(check: CallCheck, call: CheckedCall, options: OwnCheckOptions): Promise<CheckResult> {
  const { name, judge, checkTimeoutMs: timeoutMs = DEFAULT_TIMEOUT_MS } = check;
  const threshold = check.threshold ?? options.threshold ?? DEFAULT_THRESHOLD;
  using limit = startTimeLimit(timeoutMs, options.signal, options.timers);
  let answer: unknown;
  try {
    const { signal } = limit;
    const asked = Promise.resolve().then(() => judge(copyOf(call), { signal }));
    answer = await limit.until<unknown>(asked);
  } catch (thrown) {
    const error = readableError(thrown);
    if (options.signal?.aborted) throw error;
    if (limit.expired()) throw late(name, timeoutMs);
    if (error !== thrown) throw mistaken(name, thrownWords(error), error);
    if (error instanceof Error && MISTAKES.has(error.name)) {
      throw mistaken(name, `it threw ${error.name}: ${error.message}`, error);
    }
    const reason = isRecord(error) && typeof error.message === "string" ? error.message : `it threw ${shown(error)}`;
    return { kind: "check", expected: name, passed: false, reason };
  }
  if (answer === undefined) return { kind: "check", expected: name, passed: true, reason: "it did not throw" };
  if (typeof answer === "boolean")
    return { kind: "check", expected: name, passed: answer, reason: `it returned ${answer}` };
  if (typeof answer !== "number" || !(answer >= 0 && answer <= 1)) throw unusable(name, answer);
  const reason = `it scores ${answer}, needs ${threshold}`;
  return { kind: "check", expected: name, passed: answer >= threshold, reason, score: answer, threshold };
}

/** Copies the call, so that a check cannot modify what is judged next or stored. */
function copyOf(call: CheckedCall): CheckedCall {
  return {
    ...call,
    transcript: call.transcript.map((message) => ({ ...message })),
    nodesVisited: [...call.nodesVisited],
    toolsCalled: call.toolsCalled.map((toolCall) => ({ ...toolCall })),
    variables: { ...call.variables },
  };
}

function unusable(name: string, answer: unknown): ScenarioError {
  return new ScenarioError(`Cannot use check "${name}": it returned ${shown(answer)}`, {
    code: "check-answer",
    path: ["checks", name],
    hint: "Return true, false or a score from 0 to 1, or throw",
  });
}

function late(name: string, timeoutMs: number): ScenarioError {
  return new ScenarioError(`Cannot use check "${name}": it took longer than ${timeoutMs} ms`, {
    code: "check-timeout",
    path: ["checks", name],
    hint: "Make the check settle, or raise checkTimeoutMs",
  });
}

function mistaken(name: string, state: string, cause: unknown): ScenarioError {
  return new ScenarioError(`Cannot use check "${name}": ${state}`, {
    code: "check-failed",
    path: ["checks", name],
    hint: "Fix the check; to fail a call, throw an assertion or return false",
    cause,
  });
}
