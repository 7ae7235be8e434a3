import assert from "node:assert/strict";
import { test } from "node:test";
import { emit } from "../../platforms/mod.ts";
import { HELD_BY } from "../../scripts/construct_table.ts";
import type { Path } from "../../src/base/errors.ts";
import { getAt } from "../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";
import * as fc from "../fast_check.ts";
import { schemaGraphs } from "./schema_graphs.ts";

/** Whether a path leads to a node or a transition that a graph has. What is missing in them may be named. */
function isThere(graph: AgentGraph, path: Path): boolean {
  if (path[0] !== "nodes" || path.length < 2) return Object.hasOwn(graph, String(path[0]));
  return getAt(graph, path.slice(0, path[2] === "transitions" ? 4 : 2)) !== undefined;
}

test("losses of every format are at nodes and transitions that the graph has", () => {
  let found = 0;
  fc.assert(
    fc.property(schemaGraphs(), fc.constantFrom("Hello.", undefined), (drawn, begin_message) => {
      const { start_speaker: _, ...source } = drawn.source_metadata;
      const graph = parseGraph({
        ...JSON.parse(JSON.stringify(drawn)),
        source_metadata: { ...source, ...(begin_message ? { begin_message } : {}) },
      });
      for (const format of HELD_BY)
        for (const { code, path } of emit(graph, format).losses) {
          assert.ok(isThere(graph, path), `${format} ${code} ${path.join(".")}`);
          found++;
        }
    }),
    { numRuns: 100, endOnFailure: true },
  );
  assert.ok(found > 100, `${found} losses`);
});
