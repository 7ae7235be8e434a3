import { check } from "../../../../agent/check/mod.ts";
import { drawAddressed } from "../../../../agent/draw/mod.ts";
import { createRedactor } from "../../../../base/redaction/mod.ts";
import type { AgentGraph, Finding } from "../../../../document/graph/mod.ts";
import { graphWithoutSecrets } from "../../../../document/secrets/mod.ts";
import type { StudioAnswer } from "../../api/mod.ts";

/** What of an agent is shown, without secrets. */
export type ShownParts = Pick<StudioAnswer<"agent">, "graph" | "picture" | "findings">;

/**
 * Draws and checks a graph: 500 nodes take about a second, so only processes of their own call this.
 *
 * @param unread Findings of what the source has and the graph lacks.
 */
export function shownParts(graph: AgentGraph, unread: readonly Finding[] = []): ShownParts {
  const redactor = createRedactor();
  const plain = graphWithoutSecrets(graph);
  const findings = [...unread, ...check(graph)].map((finding) => ({ ...finding, path: [...finding.path] }));
  return {
    graph: redactor.value({ ...plain }),
    picture: redactor.text(drawAddressed(plain)),
    findings: redactor.value(findings),
  };
}
