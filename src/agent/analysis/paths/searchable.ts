import type { AgentGraph, EquationClause, TransitionCondition } from "../../../document/graph/mod.ts";
import { comparedVariables } from "../equations/mod.ts";
import { type Cells, cellsOf } from "./cells.ts";
import { type Edges, edgesOf } from "./edges/mod.ts";
import { type VariableSources, variableSources } from "./variables.ts";

/** A graph prepared for searches. */
export interface Searchable {
  readonly graph: AgentGraph;
  readonly sources: VariableSources;
  readonly edges: Edges;
  /** All comparisons: those of the graph, and those that searches ask for. */
  readonly clauses: readonly EquationClause[];
  readonly cellsOf: (name: string) => Cells;
  /** The variables that conditions read. */
  readonly variablesIn: (conditions: readonly TransitionCondition[]) => readonly string[];
}

/** Options of {@link searchable}. */
export interface SearchableOptions {
  /** Conditions that searches ask for besides the graph's own. */
  readonly conditions?: readonly TransitionCondition[];
  /** Whether searches ask for the values of clauses. */
  readonly hasEvaluations?: boolean;
}

/** Prepares a graph for searches. */
export function searchable(
  graph: AgentGraph,
  { conditions = [], hasEvaluations = false }: SearchableOptions = {},
): Searchable {
  const own = Object.values(graph.nodes).flatMap(({ transitions, global_node_setting: setting }) => [
    ...transitions.map(({ condition }) => condition),
    ...(setting?.go_back_conditions ?? []).map(({ condition }) => condition),
  ]);
  const clauses = [...own, ...conditions].flatMap(({ equations }) => equations ?? []);
  const sources = variableSources(graph);
  const variablesIn = (asked: readonly TransitionCondition[]) => [
    ...new Set(asked.flatMap(({ equations }) => (equations ?? []).flatMap(comparedVariables))),
  ];
  return {
    graph,
    sources,
    clauses,
    edges: edgesOf(graph, sources, hasEvaluations),
    cellsOf: cellsOf(clauses, sources),
    variablesIn,
  };
}
