import { defined, own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Divergence } from "../../../document/transcript/mod.ts";
import type { CallStep, CallSteps, EnteredStep } from "./call_steps.ts";
import { differentNames, stepText, transitionOf, variableText } from "./step_words.ts";

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
export function describeDifference(
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
