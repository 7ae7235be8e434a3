import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { isCallweaveError } from "../../../src/errors.ts";
import { type AgentGraph, parseGraph } from "../../../src/graph/mod.ts";
import { canonicalJson, isRecord, sameJson } from "../../../src/values/mod.ts";
import { fc } from "../../properties.ts";
import { documents } from "./_documents.ts";

// On a busy machine these take longer than a runner's usual limit.
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
  assert.equal(format, "voicetest");
  const { config, losses } = emit(parseGraph(JSON.parse(JSON.stringify(edit(graph)))), "voicetest");
  assert.deepEqual(losses, []);
  return JSON.parse(JSON.stringify(config));
}

test("emit() gives a lean document back as it was", () => {
  assert.equal(canonicalJson(throughGraph(LEAN)), canonicalJson(LEAN));
});

test("importAgent() fills in what a lean document leaves out", () => {
  const { graph } = importAgent(LEAN);
  assert.equal(graph.nodes.greet?.node_type, "conversation");
  assert.equal(graph.nodes.route?.node_type, "logic");
  assert.deepEqual(graph.nodes.bye?.transitions, []);
  assert.equal(graph.source_type, "custom");
});

test("a complete document is the graph", () => {
  const complete = parseGraph(LEAN);
  assert.deepEqual(importAgent(complete).graph, complete);
  assert.deepEqual(emit(complete, "voicetest").config, complete);
});

test("an edit arrives, alone", () => {
  const edited = throughGraph(LEAN, (graph) => {
    const { bye } = graph.nodes;
    assert.ok(bye);
    return { ...graph, nodes: { ...graph.nodes, bye: { ...bye, state_prompt: "Say goodbye." } } };
  });
  const expected = { ...LEAN, nodes: { ...LEAN.nodes, bye: { ...LEAN.nodes.bye, state_prompt: "Say goodbye." } } };
  assert.equal(canonicalJson(edited), canonicalJson(expected));
});

test("a type that was inferred is written when the transitions would no longer speak for it", () => {
  const edited = throughGraph(LEAN, (graph) => {
    const { route } = graph.nodes;
    assert.ok(route);
    return { ...graph, nodes: { ...graph.nodes, route: { ...route, transitions: route.transitions.slice(1) } } };
  });
  assert.equal(parseGraph(edited).nodes.route?.node_type, "logic");
});

test("removed nodes and emptied texts stay so", () => {
  const edited = throughGraph(LEAN, (graph) => {
    const { bye, greet } = graph.nodes;
    assert.ok(bye && greet);
    return { ...graph, nodes: { greet: { ...greet, state_prompt: "", transitions: [] }, bye } };
  });
  assert.ok(isRecord(edited) && isRecord(edited.nodes));
  assert.deepEqual(Object.keys(edited.nodes), ["greet", "bye"]);
  assert.equal(parseGraph(edited).nodes.greet?.state_prompt, "");
});

test("a document's own data under our name is its own", () => {
  for (const own of [null, 7, { absent: [["nodes"]], null: [] }, { absent: "no" }]) {
    const document = { ...LEAN, source_metadata: { voicetest: own } };
    assert.equal(canonicalJson(throughGraph(document)), canonicalJson(document));
  }
});

test("faults of a document are told all at once", () => {
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

test("emit(import(x)) is x, whatever x leaves out", SLOW, () => {
  fc.assert(
    fc.property(documents, (document) => {
      assert.equal(canonicalJson(throughGraph(document)), canonicalJson(JSON.parse(JSON.stringify(document))));
    }),
    { numRuns: 500 },
  );
});

test("import(emit(g)) is g, after an edit too", SLOW, () => {
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
      const again = importAgent(JSON.parse(JSON.stringify(emit(edited, "voicetest").config))).graph;
      // Beside what is remembered of the spelling, which an edit may change.
      const meaning = ({ source_metadata, ...rest }: AgentGraph) => [
        rest,
        { ...source_metadata, voicetest: undefined },
      ];
      assert.ok(sameJson(JSON.parse(JSON.stringify(meaning(again))), JSON.parse(JSON.stringify(meaning(edited)))));
    }),
    { numRuns: 500 },
  );
});

test("real documents come back as they were", async (t) => {
  const folder = new URL("../../../../shared/corpus/voicetest/graphs/", import.meta.url);
  const files = await readdir(folder).catch(() => []);
  if (files.length === 0) return t.skip("the corpus is not beside the project");
  for (const file of files) {
    const document: unknown = JSON.parse(await readFile(new URL(file, folder), "utf8"));
    assert.equal(canonicalJson(throughGraph(document)), canonicalJson(document), file);
  }
});
