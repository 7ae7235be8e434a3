import type { Scenario } from "../../document/scenario/mod.ts";
import type { CheckResult, LatencyParts, TurnLatency } from "../../document/transcript/mod.ts";
import type { JudgedCall } from "./judged_call.ts";

/** Names of the parts of a turn, in order of time. */
const PARTS: readonly (readonly [part: keyof LatencyParts, words: string])[] = [
  ["transition", "transition"],
  ["extraction", "extraction"],
  ["tools", "tools"],
  ["reply", "reply"],
];

/**
 * Checks that the agent's first word came in time in every turn, the opening included. Silent turns are ignored, except
 * one that timed out. A call without measurements, such as one from recordings, passes, and the reason says so.
 */
export function checkLatency(
  { answers_within_ms: limitMs }: Pick<Scenario, "answers_within_ms">,
  { latency = [], endReason }: JudgedCall,
): readonly CheckResult[] {
  if (limitMs === undefined || limitMs === null) return [];
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
    .map((turn) => `${placeOf(turn)} after ${wait(turn.ms)}${madeOf(turn)}`);
  if (silence.length + slow.length > 0) return check(false, [...silence, ...slow].join("; "));
  if (answered.length === 0)
    return check(true, "not measured: the agent said nothing, or its answers came from recordings");
  const slowest = answered.reduce((most, turn) => (turn.ms > most.ms ? turn : most));
  return check(true, `the slowest of ${answered.length} was ${placeOf(slowest)}, after ${wait(slowest.ms)}`);
}

function silenceOf(turn: TurnLatency): string {
  return `${placeOf(turn)} not at all: the turn timed out`;
}

function placeOf({ turn, nodeId }: TurnLatency): string {
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
