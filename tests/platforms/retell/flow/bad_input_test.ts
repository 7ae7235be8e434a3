import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { isTooDeep } from "../../../../src/base/values/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { sampled } from "../../../fast_check.ts";
import { mutants } from "../../mutate.ts";
import { differences } from "./differences.ts";
import { hotelExport, hotelFlow } from "./every_node.ts";

const CORPUS = new URL("../../../../../shared/corpus/retell/", import.meta.url);

function refusal(document: unknown): readonly unknown[] {
  try {
    importAgent(document, { format: "retell" });
  } catch (error) {
    assert.ok(isCallweaveError(error));
    assert.ok(error.hint !== "");
    return [error.code, error.path.join("."), error.message];
  }
  return [];
}

test("import() reports the first problem of a flow", () => {
  const says = (state: string) => `Cannot import Retell conversation flow: ${state}`;
  assert.deepEqual(refusal({ start_node_id: "a", nodes: {} }), [
    "unknown-shape",
    "nodes",
    says('"nodes" is not a list'),
  ]);
  assert.deepEqual(refusal({ nodes: [] }), ["unknown-shape", "nodes", says('"nodes" is empty')]);
  assert.deepEqual(refusal([{ conversationFlow: { nodes: [{ id: "a" }, "b"] } }]), [
    "unknown-shape",
    "0.conversationFlow.nodes.1",
    says("node 1 is not an object"),
  ]);
  assert.deepEqual(refusal({ nodes: [{ id: 5 }] }), ["unknown-shape", "nodes.0.id", says('node 0 has no "id"')]);
  assert.deepEqual(refusal({ nodes: [{ id: "a" }, { id: "a" }] }), [
    "unknown-shape",
    "nodes.1.id",
    says('two nodes have the id "a"'),
  ]);
  assert.deepEqual(refusal({ agent_id: "", conversationFlow: [] }), [
    "unknown-shape",
    "conversationFlow",
    says('"conversationFlow" is not an object'),
  ]);
  assert.equal(refusal("[1]")[0], "unknown-shape");
});

test("import() reports the missing engine of an agent", () => {
  const agent = (type: string) => ({ agent_id: "a", voice_id: "v", response_engine: { type } });
  for (const document of [agent("retell-llm"), [agent("conversation-flow")], agent("custom-llm")])
    assert.throws(() => importAgent(document), {
      code: "unknown-shape",
      message: /an agent without its [a-z]+-[a-z]+$/,
    });
  const { format } = importAgent({ ...agent("retell-llm"), retellLlmData: { general_prompt: "Hi" } });
  assert.equal(format, "retell-llm");
  assert.throws(() => importAgent({ response_engine: { type: "another" } }), { code: "unknown-format" });
});

test("import() accepts any text as an id", () => {
  const ids = ["__proto__", "constructor", "12", "toString", "", "7"];
  const nodes = ids.map((id, index) => ({
    id,
    type: "conversation",
    edges: [{ id: `e${index}`, destination_node_id: ids[index - 1] ?? "7" }],
  }));
  const document = { start_node_id: "__proto__", nodes };
  const { graph } = importAgent(document);
  assert.equal(Object.keys(graph.nodes).length, ids.length);
  assert.deepEqual(JSON.parse(JSON.stringify(emit(graph, "retell").config)), document);
});

test("emit() returns special edges unchanged if their condition is null, missing or unknown", () => {
  for (const condition of [{ transition_condition: null }, {}, { transition_condition: "Else" }]) {
    const edge = (id: string) => ({ id, destination_node_id: "z", ...condition });
    const document = {
      start_node_id: "a",
      nodes: [
        { id: "a", type: "conversation", else_edge: edge("1"), always_edge: edge("2"), skip_response_edge: edge("3") },
        { id: "s", type: "sms", success_edge: edge("4"), failed_edge: edge("5") },
        { id: "t", type: "transfer_call", edge: edge("6") },
        { id: "z", type: "end" },
      ],
    };
    const { graph } = importAgent(document);
    assert.deepEqual(graph.nodes.a?.transitions.length, 3);
    assert.deepEqual(JSON.parse(JSON.stringify(emit(graph, "retell").config)), document);
  }
});

function realDocuments(): unknown[] {
  if (!existsSync(CORPUS)) return [];
  const names = readdirSync(CORPUS).filter((name) => name.endsWith(".json"));
  return names.map((name) => JSON.parse(readFileSync(new URL(name, CORPUS), "utf8").replace(/^\uFEFF/, "")));
}

test("damaged documents are emitted unchanged or rejected with a typed error", (t) => {
  const real = realDocuments();
  if (real.length === 0) t.diagnostic("../shared is not here: own documents only");
  const count = sampled(300);
  let read = 0;
  for (const document of mutants([hotelExport, hotelFlow, ...real], count)) {
    try {
      const { graph, format } = importAgent(document);
      if (format !== "retell") continue;
      const saved = parseGraph(JSON.parse(JSON.stringify(graph)));
      assert.deepEqual(differences(JSON.parse(JSON.stringify(document)), emit(saved, format).config), []);
      read++;
    } catch (error) {
      assert.ok(isCallweaveError(error) || isTooDeep(document), String(error));
    }
  }
  const least = count < 300 ? 0.15 : 0.26; // shares of a small sample differ more
  assert.ok(read > least * count, `${read} of ${count} could be read`);
});
