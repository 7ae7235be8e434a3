import { own } from "../../../base/values/mod.ts";
import { type AgentGraph, isTerminal } from "../../../document/graph/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import type { CallStep, CallSteps, ComparedCall, EnteredStep } from "./call_steps.ts";

/** The comparable steps of a recording and of its replay. */
export interface ComparedSteps {
  readonly recorded: CallSteps;
  readonly replayed: CallSteps;
}

/**
 * Reduces both calls to what the platform recorded. Platforms leave out silent nodes, and some record
 * neither nodes nor tools.
 */
export function knownSteps(
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
