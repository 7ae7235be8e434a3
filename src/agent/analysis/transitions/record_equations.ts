import { isRecord, own } from "../../../base/values/mod.ts";
import type { AgentGraph, TransitionCondition } from "../../../document/graph/mod.ts";
import type { EvaluatedEquation, RecordedMove } from "../../../document/transcript/mod.ts";
import { isAfterSpeech, type MoveRecord, typeOf } from "./record_ways.ts";

/** The equations that a record names as evaluated; `undefined` when it names none. */
export function recordedEquations({ metadata }: MoveRecord): readonly EvaluatedEquation[] | undefined {
  if (!Array.isArray(metadata.equations)) return undefined;
  return metadata.equations.filter(isRecord).flatMap(({ transition, go_back, clauses }): EvaluatedEquation[] => {
    const values = Array.isArray(clauses) ? clauses.map(Boolean) : [];
    if (typeof transition === "number") return [{ transition, clauses: values }];
    return typeof go_back === "number" ? [{ go_back, clauses: values }] : [];
  });
}

/**
 * Deduces the values of equations from records of older versions, which did not name the equations: the one that was
 * taken is true, and those before it are false; all of a node are false where the model or an `else` decided. For a
 * condition with several clauses this gives the value of each only if they are all the same.
 */
export function deducedEquations(
  graph: AgentGraph,
  { node_id: id, metadata }: MoveRecord,
  ways: readonly RecordedMove[],
): readonly EvaluatedEquation[] {
  const because = metadata.kind === "transition" ? String(metadata.because ?? "") : undefined;
  const [way] = ways;
  if (because !== undefined && !metadata.decision && (isAfterSpeech(because) || !way)) return [];
  const node = own(graph.nodes, id);
  const transitions = [...(node?.transitions ?? []).entries()].filter(([, each]) => each.condition.type === "equation");
  const backs = [...(node?.global_node_setting?.go_back_conditions ?? []).entries()];
  const isFree = because !== undefined && !metadata.decision && typeOf(because) !== "always";
  const last = isFree && way && "transition" in way ? way.transition : Number.POSITIVE_INFINITY;
  const lastBack = isFree && way && "go_back" in way ? way.go_back : -1;
  return [
    ...transitions
      .filter(([index]) => index <= last)
      .flatMap(([index, { condition }]) =>
        clausesOf(condition, index === last).map((clauses) => ({ transition: index, clauses })),
      ),
    ...backs
      .filter(([index, { condition }]) => condition.type === "equation" && index <= lastBack)
      .flatMap(([index, { condition }]) =>
        clausesOf(condition, index === lastBack).map((clauses) => ({ go_back: index, clauses })),
      ),
  ];
}

/** The values of clauses that follow from the value of their condition; none where several values are possible. */
function clausesOf({ equations, logical_operator }: TransitionCondition, holds: boolean): readonly boolean[][] {
  const count = equations?.length ?? 0;
  return count === 1 || holds === (logical_operator !== "or") ? [Array.from({ length: count }, () => holds)] : [];
}
