import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, type FormatName, formatNamed, formats, importAgent } from "../../platforms/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";
import * as fc from "../fast_check.ts";
import { ownPartOf } from "../fast_check.ts";
import { changesItsLines, type Lens, returnsTexts } from "./laws.ts";

/** Ids that objects have anyway, look empty, are long, or are equal once they are normalised, shortened or slugs. */
const ODD = [
  ...["__proto__", "constructor", "toString", "hasOwnProperty"],
  ...[" ", "\u00A0", "\u200B", "-", "."],
  ...["caf\u00E9", "cafe\u0301", "CAF\u00C9", "\u212Bngstrom", "\u00C5ngstrom"],
  ...["ask name", "ask_name", "ask-name", "Ask name", "ask name "],
  ...[`${"long".repeat(100)}1`, `${"long".repeat(100)}2`],
  ...["0", "1", "01", "null", "true", "\u{1F600}", "\uD83D"],
];

const text = fc.constantFrom("Ask why.", "Greet {{name}}.", "Say the price.");

/** Graphs whose nodes, tools and variables have such names. */
const graphs: fc.Arbitrary<AgentGraph> = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...ODD), { minLength: 2, maxLength: 7 }), fc.infiniteStream(fc.nat(99)), text)
  .map(([ids, numbers, prompt]) => {
    const some = (list: readonly string[]) => list[Number(numbers.next().value) % list.length] ?? "";
    const nodes = ids.map((id, index) => ({
      ...{ id, node_type: "conversation", state_prompt: `${prompt} Step ${index + 1}.` },
      tools:
        index % 2 === 0
          ? [{ name: some(ODD), description: "Looks it up", type: "custom", url: "https://example.test/hook" }]
          : [],
      transitions: [{ target_node_id: some(ids), condition: { type: "llm_prompt", value: `Caller wants ${index}` } }],
    }));
    return parseGraph({
      entry_node_id: ids[0],
      nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    });
  });

/** Formats that emit only what was imported. */
const ONLY_IMPORTED: readonly string[] = ["vapi-workflow"];
/** Formats whose emitter compiles a graph: what a node says is in several objects. */
const COMPILED: readonly string[] = ["vapi-squad", "vapi-assistant"];

function lensOf(name: FormatName): Lens {
  return {
    read: (document) => importAgent(document, { format: name }).graph,
    write: (graph) => emit(graph, name),
    keys: formatNamed(name).shape?.keys ?? ["id", "name"],
  };
}

const names = formats().flatMap(({ name, imports, emits }) =>
  imports && emits && !ONLY_IMPORTED.includes(name) ? [name] : [],
);

for (const name of ownPartOf(names))
  test(`${name}: nodes and tools with odd and colliding names are emitted, read, edited and emitted again`, () => {
    const property = fc.property(graphs, (graph) => {
      const { text: written, losses } = emit(graph, name);
      for (const { path } of losses) assert.ok(path.every((part) => typeof part === "string" || part >= 0));
      const lens = lensOf(name);
      // the graph's own document has nothing that a lens would put back
      const hasLens = formatNamed(name).shape !== undefined;
      if (hasLens) returnsTexts(lens, written);
      else assert.deepEqual(lens.read(written).nodes, graph.nodes);
      const found = Object.values(lens.read(written).nodes).map(({ state_prompt: prompt }) => prompt);
      for (const { state_prompt: prompt } of Object.values(graph.nodes))
        assert.ok(
          found.some((each) => each.includes(prompt)),
          prompt,
        );
      if (hasLens && !COMPILED.includes(name)) changesItsLines(lens, written, 2);
    });
    fc.assert(property, { numRuns: 60 });
  });
