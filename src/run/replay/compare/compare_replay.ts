import { diffGraphs, knownVariables } from "../../../agent/analysis/mod.ts";
import { defined, type JsonObject, own, pick } from "../../../base/values/mod.ts";
import { type AgentGraph, isTerminal } from "../../../document/graph/mod.ts";
import type { Divergence, Message, ReplayRecord } from "../../../document/transcript/mod.ts";
import type { NewResult } from "../../store/mod.ts";
import type { StoredCall } from "../recording.ts";
import { type CallStep, type CallSteps, type ComparedCall, callSteps, type EnteredStep } from "./call_steps.ts";
import { differentNames, isSameStep, stepText, transitionOf, variableText, workings } from "./step_words.ts";

/** Maximum number of graph changes that a divergence names. */
const MOST_CHANGES = 5;

/** Returns a function that compares replays on a graph with their recordings. */
export function createComparison(today: AgentGraph, mode: ReplayRecord["mode"]) {
  const changes = new Map<AgentGraph, ReturnType<typeof diffGraphs>>();

  function changesAt(before: AgentGraph, nodeId: string): readonly string[] {
    const found = changes.get(before) ?? diffGraphs(before, today);
    changes.set(before, found);
    return found
      .filter(({ node, nodes }) => node === nodeId || nodes?.includes(nodeId))
      .map(({ message }) => message)
      .slice(0, MOST_CHANGES);
  }

  return (recording: StoredCall, replayed: NewResult): ReplayRecord => {
    const { result, graph: before, isComplete } = recording;
    const steps = {
      recorded: callSteps(result, { splitsTurns: isComplete }),
      replayed: callSteps(replayed, { splitsTurns: true }),
    };
    const compared = isComplete ? steps : knownSteps(steps, result, { before, today });
    const variables = comparedVariables(recording, replayed, today);
    const found = compareCalls({ ...compared, before, today, variables, hasSameTurns: mode === "strict" });
    const [first, ...rest] = result.endReason ? found : found.filter(({ kind }) => kind !== "end");
    const divergences = first ? [withChanges(first, changesAt(before, first.nodeId)), ...rest] : [];
    return { ofResult: result.id, mode, divergences };
  };
}

function withChanges(divergence: Divergence, graphChanges: readonly string[]): Divergence {
  return graphChanges.length === 0 ? divergence : { ...divergence, graphChanges };
}

/**
 * The final values that can be compared: those in the recording that a call on the new graph can set. Start
 * values are the same on both sides, unless the recording does not have them.
 */
function comparedVariables(
  { result, graph, startVariables, isComplete }: StoredCall,
  replayed: NewResult,
  today: AgentGraph,
) {
  const known = new Set([...knownVariables(today).keys(), ...knownVariables(graph).keys()]);
  const isSet = (values: JsonObject, name: string) =>
    known.has(name) || (isComplete && own(startVariables, name) !== own(values, name));
  const names = [...new Set([...Object.keys(result.variables), ...Object.keys(replayed.variables)])].filter(
    (name) =>
      (isSet(result.variables, name) || isSet(replayed.variables, name)) &&
      (Object.hasOwn(result.variables, name) || (isComplete && !isDefault(today, replayed, name))),
  );
  return { recorded: pick(result.variables, names), replayed: pick(replayed.variables, names) };
}

/** Whether a value is a new default of the new graph, which no call has set. */
function isDefault(
  { source_metadata: { default_dynamic_variables: defaults } }: AgentGraph,
  call: NewResult,
  name: string,
) {
  return own(defaults ?? {}, name) !== undefined && own(call.startVariables ?? {}, name) === own(call.variables, name);
}

/** The comparable steps of a recording and of its replay. */
export interface ComparedSteps {
  readonly recorded: CallSteps;
  readonly replayed: CallSteps;
}

/**
 * Reduces both calls to what the platform recorded. Platforms leave out silent nodes, and some record
 * neither nodes nor tools.
 */
function knownSteps(
  { recorded, replayed }: ComparedSteps,
  call: ComparedCall,
  { before, today }: { readonly before: AgentGraph; readonly today: AgentGraph },
): ComparedSteps {
  const path = arrivals(call.transcript, call.nodesVisited);
  const named = new Set(path.map(({ to }) => to));
  const tools = declaredTools(before, today);
  const others = recorded.steps.filter(
    (step) => step.kind !== "path" && (step.kind !== "tool" || tools.has(step.name)),
  );
  const kinds = new Set<CallStep["kind"]>(others.map(({ kind }) => kind));
  const [lastRecorded, lastReplayed] = [recorded.steps.at(-1), replayed.steps.at(-1)];
  const endsAlike =
    lastRecorded?.kind === "end" && lastReplayed?.kind === "end" && lastRecorded.reason === lastReplayed.reason;
  const isKnown = (step: CallStep) => {
    if (step.kind !== "path") return kinds.has(step.kind);
    if (named.size === 0) return false;
    const node = own(today.nodes, step.to);
    if (named.has(step.to) || !node) return true;
    return node.node_type === "conversation" || (isTerminal(node) && !endsAlike);
  };
  const inTime = [...path, ...others].map((step, index) => ({ step, index }));
  inTime.sort((a, b) => a.step.turn - b.step.turn || rank(a.step) - rank(b.step) || a.index - b.index);
  return {
    recorded: { steps: inTime.map(({ step }) => step), stays: recorded.stays },
    replayed: {
      steps: sortedInTurns(replayed.steps.filter(isKnown)),
      stays: replayed.stays,
    },
  };
}

/** The order of kinds in a turn: the platform's record does not tell which came first. */
function rank({ kind }: CallStep): number {
  return ["path", "variable", "tool", "end"].indexOf(kind);
}

function sortedInTurns(steps: readonly CallStep[]): readonly CallStep[] {
  return steps
    .map((step, index) => ({ step, index }))
    .sort((a, b) => a.step.turn - b.step.turn || rank(a.step) - rank(b.step) || a.index - b.index)
    .map(({ step }) => step);
}

/** The recorded nodes, where they change. */
function arrivals(transcript: readonly Message[], nodesVisited: readonly string[]): readonly EnteredStep[] {
  const steps: EnteredStep[] = [];
  let turn = 0;
  let node = "";
  const enter = (to: unknown, because?: unknown) => {
    if (typeof to !== "string" || to === "" || to === node) return;
    steps.push({ kind: "path", turn, node, to, ways: [], ...(typeof because === "string" ? { because } : {}) });
    node = to;
  };
  const transitions = transcript.filter(({ metadata: { kind, to } }) => kind === "transition" && to !== "");
  if (transitions.length > 0) enter(transitions[0]?.metadata.from);
  else enter(nodesVisited[0]);
  for (const [index, { role, node_id, metadata }] of transcript.entries()) {
    if (role === "user" && transcript[index - 1]?.role !== "user") turn += 1;
    if (metadata.kind === "transition") enter(metadata.to, metadata.because);
    else if (role === "assistant") enter(node_id);
  }
  return steps;
}

function declaredTools(...graphs: readonly AgentGraph[]): ReadonlySet<string> {
  return new Set(
    graphs.flatMap(({ nodes }) => Object.values(nodes).flatMap(({ tools }) => tools.map(({ name }) => name))),
  );
}

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
function compareCalls(pair: CallPair): readonly Divergence[] {
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

/** Both calls with their graphs. */
export interface ComparedCalls {
  readonly recorded: CallSteps;
  readonly replayed: CallSteps;
  /** Graph of the recording. */
  readonly before: AgentGraph;
  /** Graph of the replay. */
  readonly today: AgentGraph;
}

/**
 * Describes the first steps that differ. If one is missing, that call did nothing there. Extractions give
 * one difference for each variable.
 */
function describeDifference(
  a: CallStep | undefined,
  b: CallStep | undefined,
  sides: ComparedCalls,
): readonly Divergence[] {
  const step = a ?? b;
  if (!step) return [];
  const { turn } = step;
  const nodeId = step.kind === "path" && step.node === "" ? step.to : step.node;
  const recorded = a ? stepText(a, sides.before) : null;
  const replayed = b ? stepText(b, sides.today) : null;
  if (a?.kind === "variable" && b?.kind === "variable") {
    return differentNames(a.values, b.values).map((name): Divergence => {
      const [was, is] = [a, b].map(({ values }) => variableText([name, own(values, name)]));
      const reason = sentence(turn, nodeId, `extracts ${was}`, `extracts ${is}`);
      return { kind: "variable", turn, nodeId, recorded: was ?? null, replayed: is ?? null, reason };
    });
  }
  const path = (side: CallStep | undefined) => (side?.kind === "path" && side.node !== "" ? side : undefined);
  const [from, to] = [path(a), path(b)];
  const stayed = (steps: CallSteps) => steps.stays.find((stay) => stay.turn === turn && stay.node === nodeId)?.because;
  return [
    {
      kind: kindOf(a, b),
      turn,
      nodeId,
      recorded,
      replayed,
      reason: sentence(turn, nodeId, verbOf(a, recorded, nodeId), verbOf(b, replayed, nodeId)),
      ...defined({
        recordedTransition: from && transitionOf(from, sides.before),
        replayedTransition: to && transitionOf(to, sides.today),
        recordedReason: reasonOf(a, from, stayed(sides.recorded)),
        replayedReason: reasonOf(b, to, stayed(sides.replayed)),
      }),
    },
  ];
}

function reasonOf(step: CallStep | undefined, path: EnteredStep | undefined, stayed: string | undefined) {
  return step === undefined ? stayed : path?.because;
}

/** The kind of a difference: `path` if one of the calls moved and the other did something else. */
function kindOf(a: CallStep | undefined, b: CallStep | undefined): Divergence["kind"] {
  const kinds = [a?.kind, b?.kind];
  return (["path", "tool", "variable"] as const).find((kind) => kinds.includes(kind)) ?? "end";
}

function verbOf(step: CallStep | undefined, text: string | null, nodeId: string): string {
  if (!step) return nodeId === "" ? "does nothing" : `stays at "${nodeId}"`;
  if (step.kind === "path") return step.node === "" ? `${text}` : `takes ${text}`;
  if (step.kind === "tool") return `calls ${text}`;
  return step.kind === "end" ? `ends with ${text}` : `extracts ${text}`;
}

function sentence(turn: number, nodeId: string, recorded: string, replayed: string): string {
  const when = turn === 0 ? "In the opening" : `In turn ${turn}`;
  const where = nodeId === "" ? "" : ` at "${nodeId}"`;
  return `${when}${where}, the recording ${recorded}; the replay ${replayed}`;
}
