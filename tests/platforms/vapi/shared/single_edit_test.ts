import assert from "node:assert/strict";
import { test } from "node:test";
import type { Format } from "../../../../platforms/platform.ts";
import { vapiAssistant } from "../../../../platforms/vapi/assistant/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import type { Path } from "../../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, setAt } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { differences } from "./differences.ts";
import { assistant, squad } from "./generate.ts";
import { emitted, imported, plain } from "./lens.ts";

const SLOW = { timeout: 120_000 };
const MARK = "edited_just_here";

/** A text of the graph, and the number of places in the document that may contain it. */
type Text = readonly [path: Path, most: number];

/** Returns every editable text of a graph. */
function textsOf(graph: AgentGraph): Text[] {
  const begin: Text[] = graph.source_metadata.begin_message ? [[["source_metadata", "begin_message"], 1]] : [];
  const nodes = Object.values(graph.nodes).flatMap((node): Text[] => [
    [["nodes", node.id, "state_prompt"], 1],
    ...node.tools.flatMap((_, index): Text[] => [
      [["nodes", node.id, "tools", index, "description"], 1],
      [["nodes", node.id, "tools", index, "name"], 1],
    ]),
    ...node.transitions.map((_, index): Text => [["nodes", node.id, "transitions", index, "condition", "value"], 2]),
  ]);
  return [...begin, ...nodes].filter(([path]) => getAt(graph, path) !== "");
}

/** Returns all texts and other values in a document. */
function leaves(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isRecord(value) ? Object.values(value).flatMap(leaves) : [value];
}

function checkEdits(format: Format, document: unknown, pick: number): void {
  const graph = imported(format, document);
  const texts = textsOf(graph);
  const [path, most] = texts[pick % texts.length] ?? [];
  if (!path || most === undefined) return;
  const whole: JsonObject = { ...plain(graph) };
  const { config, losses } = emitted(format, parseGraph(plain(setAt(whole, path, MARK))));
  const changes = differences(plain(document), plain(config));
  assert.ok(changes.length >= 1 && changes.length <= most, JSON.stringify([path, changes]));
  for (const [, after] of changes) assert.ok(leaves(after).includes(MARK), JSON.stringify([path, changes]));
  assert.deepEqual(losses, []);
}

test("emit() changes only the edited text of a squad", SLOW, () => {
  fc.assert(
    fc.property(squad, fc.nat(), (document, pick) => checkEdits(vapiSquad, document, pick)),
    { numRuns: 200 },
  );
});

test("emit() changes only the edited text of an assistant", SLOW, () => {
  fc.assert(
    fc.property(assistant, fc.nat(), (document, pick) => checkEdits(vapiAssistant, document, pick)),
    { numRuns: 200 },
  );
});
