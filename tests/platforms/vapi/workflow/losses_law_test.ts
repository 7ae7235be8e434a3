import assert from "node:assert/strict";
import { test } from "node:test";
import { emit } from "../../../../platforms/mod.ts";
import { recordAt } from "../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { type LawFormat, unnoticedChanges, vanishedSettings } from "../../losses_law.ts";
import { schemaGraphs } from "../../schema_graphs.ts";
import { DOCUMENTS, imported, SECOND_GENERATION } from "./documents.ts";

const WORKFLOW: LawFormat = { name: "vapi-workflow", emit: (graph) => emit(graph, "vapi-workflow") };

/** Timeout for many emitted documents, which take long on a busy machine. */
const SLOW = { timeout: 120_000 };

/** What an import keeps of the document; the graph's own values replace parts of it. */
const isKept = (key: string | number) => ["metadata", "vapi", "original", "source_type"].includes(String(key));

for (const [title, document] of DOCUMENTS)
  test(`a change of any setting of an imported workflow is emitted or named in losses: ${title}`, SLOW, () => {
    const lost = unnoticedChanges(imported(document), WORKFLOW).filter(({ path }) => !path.some(isKept));
    assert.deepEqual(lost, []);
  });

test("a format that forgets the conditions of an imported workflow fails this law", SLOW, () => {
  const forgetting = (graph: AgentGraph) => {
    const { config, losses } = emit(graph, "vapi-workflow");
    return { config: { ...recordAt({ config }, "config"), edges: [] }, losses };
  };
  const lost = unnoticedChanges(imported(SECOND_GENERATION), { ...WORKFLOW, emit: forgetting });
  assert.ok(lost.some(({ path }) => path.join(".").includes("condition.value")));
});

test("every part of a node that an imported workflow gets is emitted or named in losses", SLOW, () => {
  const graphs = schemaGraphs().map((graph): AgentGraph => {
    const { vapi: _, ...source } = graph.source_metadata;
    return { ...graph, source_type: "vapi-workflow", source_metadata: { ...source, vapi: { kind: "workflow" } } };
  });
  const property = fc.property(graphs, (graph) => {
    const lost = vanishedSettings(graph, WORKFLOW).filter(
      ({ path }) => !path.some(isKept) && unnoticedChanges(graph, WORKFLOW, [path]).length > 0,
    );
    assert.deepEqual(lost, []);
  });
  fc.assert(property, { numRuns: 30, endOnFailure: true });
});
