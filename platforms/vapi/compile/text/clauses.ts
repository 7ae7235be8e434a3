import type { Path } from "../../../../src/errors.ts";
import { bareName } from "../../../../src/expressions/mod.ts";
import type { AgentGraph, EquationClause } from "../../../../src/graph/mod.ts";

/** One comparison of an equation of the graph. */
interface PlacedClause extends Pick<EquationClause, "operator"> {
  /** Name of the variable on the left. */
  readonly name: string;
  /** Path of the transition or go-back condition. */
  readonly path: Path;
}

/** All comparisons in the equations of a graph. */
export function clausesOf({ nodes }: AgentGraph): readonly PlacedClause[] {
  return Object.values(nodes).flatMap(({ id, transitions, global_node_setting: setting }) =>
    Object.entries({ transitions, go_backs: setting?.go_back_conditions ?? [] }).flatMap(([list, conditions]) =>
      conditions.flatMap(({ condition: { type, equations } }, index) =>
        (type === "equation" ? (equations ?? []) : []).map(({ left, operator }) => {
          const at = list === "transitions" ? [list] : ["global_node_setting", "go_back_conditions"];
          return { name: bareName(left), operator, path: ["nodes", id, ...at, index] };
        }),
      ),
    ),
  );
}
