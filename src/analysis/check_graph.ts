import { type AgentGraph, type Finding, referenceIssues, toGraph } from "../graph/mod.ts";
import { conditionFindings } from "./condition_findings.ts";
import { equationFindings } from "./equation_findings.ts";
import { globalFindings } from "./global_findings.ts";
import { keyFindings } from "./key_findings.ts";
import { nodeFindings } from "./node_findings.ts";
import { pathFindings } from "./path_findings.ts";
import { promptFindings } from "./prompt_findings.ts";
import { silenceFindings } from "./silence_findings.ts";
import { structureFindings } from "./structure_findings.ts";
import { textFindings } from "./text_findings.ts";
import { variableFindings } from "./variable_findings.ts";

/**
 * All findings of a graph, also those that the compiler reports for a flow in code. Within each kind they are in
 * document order.
 *
 * Errors: `unknown-entry`, `unknown-target`, `equation-mismatch`, `unknown-choice`, `function-without-tool`,
 * `duplicate-tool`, `endless-loop`. Warnings: `unreachable-node`, `dead-end`, `empty-condition`, `no-else`,
 * `silent-cycle`, `unknown-snippet`, `unknown-variable` (in an equation), `nothing-to-extract`, `end-with-edges`,
 * `conflicting-tools`, `unknown-key` (almost a key of the graph). Infos: `undeclared-variable` (in a text: a call may
 * set it).
 *
 * @throws {GraphError} `not-a-graph`.
 */
export function checkGraph(source: AgentGraph): Finding[] {
  const graph = toGraph(source, "Cannot check graph");
  const references = referenceIssues(graph).map((issue): Finding => ({ ...issue, severity: "error" }));
  return [
    ...references,
    ...nodeFindings(graph),
    ...structureFindings(graph),
    ...pathFindings(graph),
    ...silenceFindings(graph),
    ...conditionFindings(graph),
    ...equationFindings(graph),
    ...globalFindings(graph),
    ...textFindings(graph),
    ...variableFindings(graph),
    ...promptFindings(graph),
    ...keyFindings(graph),
  ];
}
