import { type AgentGraph, type Finding, referenceIssues, toGraph } from "../../../document/graph/mod.ts";
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
 * `docs/check.md` explains each code of a finding. Suppressions are not applied: `check()` does that.
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
