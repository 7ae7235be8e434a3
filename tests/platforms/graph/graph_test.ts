import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { canonicalJson, isRecord, sameJson } from "../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph, withoutOriginal } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";
import { documents } from "./_documents.ts";

// on a busy machine these exceed the default timeout of a test runner
const SLOW = { timeout: 120_000 };

const LEAN = {
  entry_node_id: "greet",
  nodes: {
    greet: {
      state_prompt: "Greet.",
      transitions: [{ target_node_id: "route", condition: { type: "llm_prompt", value: "Caller answers" } }],
    },
    route: {
      id: "route",
      tools: null,
      transitions: [
        { target_node_id: "bye", condition: { type: "equation", equations: [{ left: "a", operator: "exists" }] } },
        { target_node_id: "greet", condition: { type: "always" } },
      ],
    },
    bye: { node_type: "end", global_node_setting: null, x_new: { kept: true } },
  },
  source_metadata: null,
};

function throughGraph(document: unknown, edit: (graph: AgentGraph) => AgentGraph = (graph) => graph): unknown {
  const { graph, format } = importAgent(JSON.stringify(document));
  assert.equal(format, "graph");
  const { config, losses } = emit(parseGraph(JSON.parse(JSON.stringify(edit(graph)))), "graph");
  assert.deepEqual(losses, []);
  return JSON.parse(JSON.stringify(config));
}

test("emit() does not add keys that an imported document lacks", () => {
  assert.equal(canonicalJson(throughGraph(LEAN)), canonicalJson(LEAN));
});

test("importAgent() fills in missing keys", () => {
  const { graph } = importAgent(LEAN);
  assert.equal(graph.nodes.greet?.node_type, "conversation");
  assert.equal(graph.nodes.route?.node_type, "logic");
  assert.deepEqual(graph.nodes.bye?.transitions, []);
  assert.equal(graph.source_type, "custom");
});

test("importAgent() keeps a document that lacks keys as the original", () => {
  const { source_metadata: source } = importAgent(LEAN).graph;
  assert.deepEqual(Object.keys(source), ["original"]);
});

test("a saved graph keeps the document of the format that it was imported from", () => {
  const outline = { format: "retell", text: "{}" };
  const { graph } = importAgent({ ...LEAN, source_metadata: { original: outline } });
  assert.deepEqual(graph.source_metadata.original, outline);
});

test("a complete document equals its graph", () => {
  const complete = parseGraph(LEAN);
  assert.deepEqual(importAgent(complete).graph, complete);
  assert.deepEqual(emit(complete, "graph").config, complete);
});

test("an edit changes only its own value", () => {
  const edited = throughGraph(LEAN, (graph) => {
    const { bye } = graph.nodes;
    assert.ok(bye);
    return { ...graph, nodes: { ...graph.nodes, bye: { ...bye, state_prompt: "Say goodbye." } } };
  });
  const expected = { ...LEAN, nodes: { ...LEAN.nodes, bye: { ...LEAN.nodes.bye, state_prompt: "Say goodbye." } } };
  assert.equal(canonicalJson(edited), canonicalJson(expected));
});

test("an inferred type is written when the transitions no longer imply it", () => {
  const edited = throughGraph(LEAN, (graph) => {
    const { route } = graph.nodes;
    assert.ok(route);
    return { ...graph, nodes: { ...graph.nodes, route: { ...route, transitions: route.transitions.slice(1) } } };
  });
  assert.equal(parseGraph(edited).nodes.route?.node_type, "logic");
});

test("removed nodes and emptied texts are not restored", () => {
  const edited = throughGraph(LEAN, (graph) => {
    const { bye, greet } = graph.nodes;
    assert.ok(bye && greet);
    return { ...graph, nodes: { greet: { ...greet, state_prompt: "", transitions: [] }, bye } };
  });
  assert.ok(isRecord(edited) && isRecord(edited.nodes));
  assert.deepEqual(Object.keys(edited.nodes), ["greet", "bye"]);
  assert.equal(parseGraph(edited).nodes.greet?.state_prompt, "");
});

test("a document's own data under source_metadata.voicetest is kept", () => {
  for (const own of [null, 7, { absent: [["nodes"]], null: [] }, { absent: "no" }]) {
    const document = { ...LEAN, source_metadata: { voicetest: own } };
    assert.equal(canonicalJson(throughGraph(document)), canonicalJson(document));
  }
});

test("all errors of a document are reported at once", () => {
  const broken = {
    entry_node_id: "nope",
    nodes: { a: { transitions: [{ target_node_id: "b", condition: { type: "always" } }] } },
  };
  assert.throws(
    () => importAgent(broken),
    (error) =>
      isCallweaveError(error) && error.issues.map(({ code }) => code).join() === "unknown-entry,unknown-target",
  );
});

test("emit(import(x)) equals x, with any keys missing", SLOW, () => {
  fc.assert(
    fc.property(documents, (document) => {
      assert.equal(canonicalJson(throughGraph(document)), canonicalJson(JSON.parse(JSON.stringify(document))));
    }),
    { numRuns: 500 },
  );
});

test("import(emit(g)) equals g, also after an edit", SLOW, () => {
  fc.assert(
    fc.property(documents, fc.nat(3), fc.boolean(), (document, index, shorten) => {
      const { graph } = importAgent(document);
      const entries = Object.entries(graph.nodes).map(([id, node], at) => {
        if (at !== index) return [id, node] as const;
        return [
          id,
          shorten ? { ...node, transitions: node.transitions.slice(1) } : { ...node, state_prompt: "" },
        ] as const;
      });
      const edited = { ...graph, nodes: Object.fromEntries(entries) };
      const again = importAgent(JSON.parse(JSON.stringify(emit(edited, "graph").config))).graph;
      // an edit changes the kept document
      const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
      assert.ok(sameJson(plain(withoutOriginal(again)), plain(withoutOriginal(edited))));
    }),
    { numRuns: 500 },
  );
});

test("third-party documents are emitted as imported", async (t) => {
  const folder = new URL("../../../../shared/corpus/voicetest/graphs/", import.meta.url);
  const files = await readdir(folder).catch(() => []);
  if (files.length === 0) return t.skip("the corpus is not beside the project");
  for (const file of files) {
    const document: unknown = JSON.parse(await readFile(new URL(file, folder), "utf8"));
    assert.equal(canonicalJson(throughGraph(document)), canonicalJson(document), file);
  }
});
