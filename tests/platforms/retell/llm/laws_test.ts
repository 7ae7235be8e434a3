import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { retellLlm } from "../../../../platforms/retell/llm/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { anyLlm, CLINIC, plain, SINGLE } from "./documents.ts";

/** Imports a document, saves and loads the graph, and emits it. */
function thereAndBack(document: unknown): { graph: AgentGraph; config: unknown; losses: readonly unknown[] } {
  const graph = parseGraph(plain(importAgent(document, { format: "retell-llm" }).graph));
  const { config, losses } = emit(graph, "retell-llm");
  return { graph, config: plain(config), losses };
}

for (const [what, document] of [
  ["a multi-prompt LLM", CLINIC],
  ["an export of a single-prompt agent", SINGLE],
  ["a list of one export", [SINGLE]],
  ["an agent beside its LLM", { agent: { agent_name: "A" }, retell_llm: CLINIC, note: 1 }],
  ["an empty prompt", { general_prompt: "" }],
  ["one empty state called main", { states: [{ name: "main" }] }],
  ["two states of one name", { states: [{ name: "a" }, { name: "a", edges: [{ destination_state_name: "a" }] }] }],
  ["states that are numbers", { states: [{ name: "2" }, { name: "1" }, { name: "b" }], starting_state: "1" }],
  ["a state called like the end", { states: [{ name: "end_call", tools: [{ type: "end_call", name: "end_call" }] }] }],
] as const)
  test(`emit() returns ${what} unchanged`, () => {
    const { config, losses } = thereAndBack(document);
    assert.deepEqual(config, document);
    assert.deepEqual(losses, []);
  });

test("emit() returns any LLM unchanged, including unknown keys, tools and values", () => {
  fc.assert(
    fc.property(anyLlm, (document) => {
      const saved = plain(document);
      const { config, losses } = thereAndBack(saved);
      assert.deepEqual(config, saved);
      assert.deepEqual(losses, []);
    }),
    { numRuns: 400 },
  );
});

test("importing an emitted LLM returns its graph", () => {
  fc.assert(
    fc.property(anyLlm, (document) => {
      const { graph, config } = thereAndBack(plain(document));
      assert.deepEqual(plain(importAgent(config, { format: "retell-llm" }).graph), plain(graph));
    }),
    { numRuns: 150 },
  );
});

/** Generates graphs with the structure of imported LLMs, without the importer's metadata. */
const anyGraph: fc.Arbitrary<AgentGraph> = fc
  .uniqueArray(fc.constantFrom("greet", "ask", "book", "pay", "thank", "main"), { minLength: 1 })
  .chain((ids) => {
    const calls = ["bye", "nurse"];
    const condition = (value: string) => ({ type: "llm_prompt", value });
    const edges = fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.string()), {
      selector: ([id]) => id,
      maxLength: 3,
    });
    const ends = fc.uniqueArray(fc.tuple(fc.constantFrom(...calls), fc.string()), {
      selector: ([id]) => id,
      maxLength: 2,
    });
    const node = fc.tuple(fc.string(), edges, ends, fc.boolean()).map(([state_prompt, to, out, tool]) => ({
      state_prompt,
      transitions: [...to, ...out].map(([id, when]) => ({ target_node_id: id, condition: condition(when) })),
      tools: tool ? [{ name: "find", description: "Finds", type: "custom", url: "https://example.com" }] : [],
    }));
    const speech = fc.constantFrom(
      {},
      { state_prompt: "Bye" },
      { state_prompt: "Bye", instruction_type: "static_text" },
    );
    return fc
      .record({ nodes: fc.tuple(...ids.map(() => node)), speech, prompt: fc.string() })
      .map(({ nodes, speech, prompt }) => {
        const retell = {
          transfer_destination: { type: "predefined", number: "+15550100" },
          transfer_option: { type: "cold_transfer" },
        };
        const callers = ids.filter((_, i) => nodes[i]?.transitions.some(({ target_node_id: id }) => id === "nurse"));
        const failed = { type: "tool_call", value: "", outcome: "failed" };
        const back = callers.length === 1 ? [{ target_node_id: callers[0], condition: failed }] : [];
        const targets = new Set(nodes.flatMap(({ transitions }) => transitions.map(({ target_node_id: id }) => id)));
        const terminal = {
          bye: { node_type: "end", ...speech },
          nurse: { node_type: "transfer", ...speech, transitions: back, metadata: { retell } },
        };
        return parseGraph({
          entry_node_id: ids[0],
          source_type: "retell-llm",
          source_metadata: { general_prompt: prompt },
          nodes: {
            ...Object.fromEntries(ids.map((id, i) => [id, { node_type: "conversation", ...nodes[i] }])),
            ...Object.fromEntries(Object.entries(terminal).filter(([id]) => targets.has(id))),
          },
        });
      });
  });

test("importing an emitted graph returns it, for any graph that the format supports", () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const { config, losses } = emit(graph, "retell-llm");
      const again = plain(importAgent(plain(config), { format: "retell-llm" }).graph);
      assert.deepEqual(losses, []);
      // the document determines the order of tools and edges, so transitions to ends come last
      assert.deepEqual(again.nodes, plain(graph.nodes));
      assert.equal(again.entry_node_id, graph.entry_node_id);
      assert.equal(again.source_metadata.general_prompt, graph.source_metadata.general_prompt);
    }),
    { numRuns: 200 },
  );
});

test("detect() detects an LLM by its keys, and no flows", () => {
  assert.ok((retellLlm.detect?.(CLINIC) ?? 0) > 0.8);
  assert.ok((retellLlm.detect?.([SINGLE]) ?? 0) > 0.8);
  for (const other of [
    null,
    3,
    [],
    {},
    { retellLlmData: null, conversationFlow: { nodes: [] } },
    { nodes: [], general_prompt: "" },
  ])
    assert.equal(retellLlm.detect?.(other), 0, JSON.stringify(other));
});

for (const [document, path, state] of [
  [{ states: {} }, ["states"], '"states" is not a list'],
  [{ retellLlmData: { states: [{ name: "a" }, 3] } }, ["retellLlmData", "states", 1], "state 1 is not an object"],
  [{ states: [{ state_prompt: "Hi" }] }, ["states", 0, "name"], "state 0 has no name"],
  [{ nodes: [] }, [], "it has no key of an LLM"],
] as const)
  test(`importAgent() reports the first problem of ${JSON.stringify(document)}`, () => {
    const message = new RegExp(`: ${state}$`);
    assert.throws(() => importAgent(document, { format: "retell-llm" }), { code: "unknown-shape", path, message });
  });

const CORPUS = ["retell", "voicetest/retell", "negative"].map(
  (folder) => new URL(`../../../../../shared/corpus/${folder}/`, import.meta.url),
);

test("emit() returns every third-party LLM unchanged", (t) => {
  const folders = CORPUS.filter((folder) => existsSync(folder));
  if (folders.length === 0) return t.skip("shared/corpus is not here");
  let count = 0;
  for (const folder of folders)
    for (const file of readdirSync(folder).filter((entry) => entry.endsWith(".json"))) {
      const document: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8").replace(/^\uFEFF/, ""));
      if ((retellLlm.detect?.(document) ?? 0) === 0) continue;
      const { config, losses } = thereAndBack(document);
      assert.deepEqual(config, document, file);
      assert.deepEqual(losses, [], file);
      count++;
    }
  assert.ok(count >= 9);
});
