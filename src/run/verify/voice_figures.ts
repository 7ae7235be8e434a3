import { quantile, wilson } from "../../base/statistics/mod.ts";
import { compareWords } from "../../call/audio/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import type { ResultRecord } from "../store/mod.ts";
import type { CallPair } from "./compare_call.ts";
import type { VerifiedFigure, VerifiedTimes, VerifiedVoice } from "./types.ts";

/** Share of words that may differ in words that count as the same: transcriptions mishear some. */
const SAME_WORDS = 0.2;

/** What the calls by voice show besides differences from the graph, which nobody hears; `undefined` for calls in text. */
export function voiceFigures(pairs: readonly CallPair[]): VerifiedVoice | undefined {
  const voices = pairs.flatMap(({ agent }) => agent.connection?.voice ?? []);
  if (voices.length === 0) return undefined;
  const interruptions = voices.flatMap((voice) => voice.interruptions);
  const stopped = interruptions.flatMap(({ stoppedMs }) => (stoppedMs === null ? [] : [stoppedMs]));
  const turns = pairs.flatMap(sameTurns);
  const callers = heardOf(voices.flatMap(({ words }) => words.filter(({ by }) => by === "caller")));
  return {
    figures: [
      figure(
        "words",
        "turns in which the agent says the words of the graph",
        turns.filter(Boolean).length,
        turns.length,
      ),
      figure("heard", "words of the caller that the agent's platform hears", callers.right, callers.words),
      figure("stops", "interruptions after which the agent stops", stopped.length, interruptions.length),
      figure(
        "overlap",
        "calls in which the agent talks over the caller",
        voices.filter(({ overlaps }) => overlaps.length > 0).length,
        voices.length,
      ),
    ].filter(({ of }) => of > 0),
    times: [
      timesOf(
        "until the agent's first word",
        pairs.flatMap(({ agent }) => waitsOf(agent)),
      ),
      timesOf("until the agent stops when it is interrupted", stopped),
      timesOf(
        "longest silence in a turn of the agent",
        voices.flatMap(({ pauses }) => pauses.map(({ ms }) => ms)),
      ),
    ].filter(({ count }) => count > 0),
  };
}

function figure(kind: VerifiedFigure["kind"], what: string, count: number, of: number): VerifiedFigure {
  return { kind, what, count, of, rate: of === 0 ? 0 : count / of, interval: wilson(count, of) };
}

function timesOf(what: string, times: readonly number[]): VerifiedTimes {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted.length === 0 ? 0 : Math.round(quantile(sorted, share)));
  return { what, count: sorted.length, medianMs: at(0.5), p95Ms: at(0.95) };
}

function waitsOf({ latency = [] }: ResultRecord): readonly number[] {
  return latency.flatMap(({ firstWordMs }) => firstWordMs ?? []);
}

function heardOf(list: readonly { readonly said: string; readonly heard: string }[]) {
  const compared = list.map(({ said, heard }) => compareWords(said, heard));
  const words = compared.reduce((sum, each) => sum + each.words, 0);
  // words that were added can be more than those that were said
  return { words, right: compared.reduce((sum, each) => sum + Math.max(0, each.words - each.errors), 0) };
}

/** Whether both sides of each turn say the same. */
function sameTurns({ agent, graph }: CallPair): readonly boolean[] {
  const [theirs, ours] = [spokenTurns(agent.transcript), spokenTurns(graph.transcript)];
  return [...ours].flatMap(([turn, said]) => {
    const heard = theirs.get(turn);
    if (heard === undefined) return [];
    const { words, errors } = compareWords(said, heard);
    return [words === 0 ? heard.trim() === "" : errors / words <= SAME_WORDS];
  });
}

function spokenTurns(transcript: readonly Message[]): ReadonlyMap<number, string> {
  const turns = new Map<number, string>();
  let turn = 0;
  for (const { role, content } of transcript) {
    if (role === "user") turn += 1;
    if (role === "assistant") turns.set(turn, `${turns.get(turn) ?? ""} ${content}`.trim());
  }
  return turns;
}
