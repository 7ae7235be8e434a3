import { emit } from "../../platforms/mod.ts";
import { check } from "../../src/agent/check/mod.ts";
import type { Figure } from "../figure.ts";
import { bigGraph } from "./big_graph.ts";
import { exponentOf, LARGE, N_LOG_N_BOUND, SMALL } from "./growth.ts";

/** Duration of check() and emit() to `retell` for graphs of growing size. */
export function checkFigures(): readonly Figure[] {
  const checked = exponentOf((count) => {
    const graph = bigGraph(count);
    return () => check(graph);
  });
  const emitted = exponentOf((count) => {
    const graph = bigGraph(count);
    return () => emit(graph, "retell");
  });
  const unit = "exponent";
  const sizes = (ms: number) => `${SMALL} and ${LARGE} nodes; at ${LARGE}: ${ms} ms`;
  return [
    { name: "check_exponent", value: checked.exponent, unit, against: sizes(checked.ms), bound: N_LOG_N_BOUND },
    { name: "check_ms_10000", value: checked.ms, unit: "ms", against: `CPU time for ${LARGE} nodes` },
    { name: "emit_exponent", value: emitted.exponent, unit, against: sizes(emitted.ms), bound: N_LOG_N_BOUND },
  ];
}
