import { own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Divergence } from "../../../document/transcript/mod.ts";
import type { CallStep, CallSteps } from "./call_steps.ts";
import { type ComparedCalls, describeDifference } from "./describe_difference.ts";
import { differentNames, isSameStep, stepText, variableText, workings } from "./step_words.ts";

/** Two calls and their graphs. */
export interface CallPair extends ComparedCalls {
  readonly recorded: CallSteps;
  readonly replayed: CallSteps;
  /** Names of the final values to compare. */
  readonly variables: {
    readonly recorded: { readonly [name: string]: unknown };
    readonly replayed: { readonly [name: string]: unknown };
  };
  /** Whether the turns of both calls correspond, so that a step in a later turn is a difference. */
  readonly hasSameTurns: boolean;
}

/**
 * Finds the differences between a replay and its recording: the earliest first, then those of the same turn and
 * of later ones, one for each turn and kind, and the final values.
 */
export function compareCalls(pair: CallPair): readonly Divergence[] {
  const { hasSameTurns } = pair;
  const [recorded, replayed] = [pair.recorded.steps, pair.replayed.steps];
  let at = 0;
  for (; at < recorded.length && at < replayed.length; at++) {
    const [a, b] = [recorded[at], replayed[at]];
    if (!a || !b || !isSameStep(a, b) || (hasSameTurns && a.turn !== b.turn)) break;
  }
  if (at < recorded.length || at < replayed.length) at = otherWay(pair, at) ?? at;
  let [a, b] = [recorded[at], replayed[at]];
  if (hasSameTurns && a && b && a.turn !== b.turn) [a, b] = a.turn < b.turn ? [a, undefined] : [undefined, b];
  const first = a || b ? describeDifference(a, b, pair) : [];
  const rest = a || b ? laterDifferences(recorded.slice(at), replayed.slice(at), pair, first[0]) : [];
  const found = [...first, ...rest];
  return [...found, ...finalValues(pair, found, recorded.at(-1) ?? replayed.at(-1))];
}

/**
 * The first step before a difference at which both calls went to the same node by transitions that work differently:
 * after one of them the agent may speak at once, after the other it waits for the caller.
 */
function otherWay({ recorded, replayed, before, today }: CallPair, end: number): number | undefined {
  for (let at = 0; at < end; at++) {
    const [a, b] = [recorded.steps[at], replayed.steps[at]];
    if (a?.kind !== "path" || b?.kind !== "path" || a.ways.length === 0 || b.ways.length === 0) continue;
    const [was, is] = [workings(a, before), workings(b, today)];
    if (!was.some((each) => is.includes(each))) return at;
  }
  return undefined;
}

/** Differences after the first one, by turn and kind. */
function laterDifferences(
  recorded: readonly CallStep[],
  replayed: readonly CallStep[],
  pair: CallPair,
  first: Divergence | undefined,
): readonly Divergence[] {
  const turnOf = ({ turn }: CallStep) => (pair.hasSameTurns ? turn : 0);
  const turns = [...new Set([...recorded, ...replayed].map(turnOf))].sort((a, b) => a - b);
  const lastOf = (steps: readonly CallStep[]) => steps.reduce((last, step) => Math.max(last, turnOf(step)), 0);
  const last = Math.min(lastOf(recorded), lastOf(replayed)); // later steps exist in one of the calls only
  const found: Divergence[] = [];
  for (const turn of turns.filter((each) => each <= last)) {
    for (const kind of ["path", "variable", "tool"] as const) {
      if (kind === first?.kind && (turn === first.turn || !pair.hasSameTurns)) continue;
      const ofTurn = (steps: readonly CallStep[]) =>
        steps.filter((step) => step.kind === kind && turnOf(step) === turn);
      const [a, b] = [ofTurn(recorded), ofTurn(replayed)];
      if (a.length === b.length && a.every((step, index) => isSameStep(step, b[index] ?? step))) continue;
      const textOf = (steps: readonly CallStep[], graph: AgentGraph) =>
        steps.length === 0 ? null : steps.map((step) => stepText(step, graph)).join(", then ");
      const begin = a[0] ?? b[0];
      found.push({
        kind,
        turn: begin?.turn ?? turn,
        nodeId: begin?.node ?? "",
        ...texts(textOf(a, pair.before), textOf(b, pair.today), `${WHAT[kind]} differs in turn ${begin?.turn ?? turn}`),
        follows: true,
      });
    }
  }
  const [a, b] = [recorded, replayed].map((steps) => steps.find(({ kind }) => kind === "end"));
  if (a?.kind === "end" && b?.kind === "end" && first?.kind !== "end" && !isSameStep(a, b)) {
    const reason = `The recording ends with ${a.reason} in turn ${a.turn}, the replay with ${b.reason} in turn ${b.turn}`;
    const { turn, node: nodeId } = b;
    found.push({ kind: "end", turn, nodeId, recorded: a.reason, replayed: b.reason, reason, follows: true });
  }
  return found;
}

const WHAT = { path: "The path", variable: "What was extracted", tool: "What tools were called with" } as const;

/** Differences in final values that no extraction has shown. */
function finalValues(
  { variables: { recorded, replayed } }: CallPair,
  found: readonly Divergence[],
  last: CallStep | undefined,
): readonly Divergence[] {
  if (found.some(({ kind }) => kind === "variable" || kind === "path")) return [];
  return differentNames(recorded, replayed).map((name): Divergence => {
    const [a, b] = [own(recorded, name), own(replayed, name)].map((value) => variableText([name, value]));
    return {
      kind: "variable",
      turn: last?.turn ?? 0,
      nodeId: last?.node ?? "",
      ...texts(a ?? null, b ?? null, `At the end of the call, ${name} differs`),
      ...(found.length > 0 ? { follows: true } : {}),
    };
  });
}

function texts(recorded: string | null, replayed: string | null, head: string) {
  const reason = `${head}: ${recorded ?? "nothing"} in the recording, ${replayed ?? "nothing"} in the replay`;
  return { recorded, replayed, reason };
}
