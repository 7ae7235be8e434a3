import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv } from "ajv";
import { flow } from "../../../../dsl/mod.ts";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, type JsonObject, recordAt, records } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { PUBLISHED_SCHEMAS } from "../../published_schemas.ts";
import { schemaGraphs } from "../../schema_graphs.ts";
import { exampleGraphs } from "../../sdk_literals.ts";
import { assistants, DESK } from "./_documents.ts";

const SCHEMA = new URL("../../../../../shared/platforms/telnyx.schema.json", import.meta.url);

/** The types do not say which fields can be null, and models change faster than types. */
function open(schema: unknown, key = ""): unknown {
  if (Array.isArray(schema)) return schema.map((item) => open(item));
  if (!isRecord(schema)) return schema;
  if (key === "model" && Object.hasOwn(schema, "enum")) return {};
  const copy: JsonObject = Object.fromEntries(Object.entries(schema).map(([name, item]) => [name, open(item, name)]));
  if (key === "properties" || key === "definitions" || typeof copy.type !== "string") return copy;
  return copy.type === "null" ? copy : { ...copy, type: [copy.type, "null"] };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

// compiling the schema takes longer than the cases
if (fc.RUNS_SLOW_CASES)
  test("emit() writes documents that match the SDK's types", async (t) => {
    if (!existsSync(SCHEMA)) return t.skip("../shared is not here");
    const ajv = new Ajv(PUBLISHED_SCHEMAS);
    const schema = open(JSON.parse(readFileSync(SCHEMA, "utf8")));
    ajv.addSchema(isRecord(schema) ? schema : {}, "telnyx");
    const validate = ajv.getSchema("telnyx#/definitions/TelnyxAssistantCreate");
    assert.ok(validate);
    const check = (graph: AgentGraph) => {
      const config = plain(emit(graph, "telnyx").config);
      assert.ok(validate(config), JSON.stringify(validate.errors?.[0]));
    };
    for (const graph of await exampleGraphs()) check(graph);
    fc.assert(fc.property(schemaGraphs(), check), { numRuns: 200, endOnFailure: true });
    assert.equal(validate({ ...DESK, instructions: 3 }), false);
  });

const flowOf = (graph: AgentGraph): JsonObject => {
  const { config } = emit(graph, "telnyx");
  return recordAt(isRecord(config) ? config : {}, "conversation_flow");
};

test("a tool or speak node with edges has one default edge, and no other node has one", () => {
  fc.assert(
    fc.property(schemaGraphs(), (graph) => {
      const { nodes, edges } = flowOf(graph);
      for (const { id, type } of records(nodes)) {
        const mine = records(edges).filter((edge) => edge.start_node_id === id);
        const defaults = mine.filter((edge) => recordAt(edge, "condition").type === "default");
        assert.equal(defaults.length, mine.length > 0 && type !== "prompt" ? 1 : 0, String(id));
      }
      const ids = [...records(nodes), ...records(edges)].map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
    }),
    { numRuns: 200 },
  );
});

test("prompt nodes say that they append to the assistant's instructions", () => {
  const graph = flow("shop", { prompt: "You sell lamps." })
    .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("bye", "Done")] })
    .end("bye", {})
    .compile();
  const { config } = emit(graph, "telnyx");
  const { instructions } = isRecord(config) ? config : {};
  assert.equal(instructions, "You sell lamps.");
  assert.deepEqual(flowOf(graph), {
    start_node_id: "greet",
    nodes: [
      { id: "greet", type: "prompt", instructions: "Greet.", instructions_mode: "append" },
      {
        id: "bye",
        type: "tool",
        shared_tool_id: "tool-hangup",
        tool: { type: "hangup", hangup: {}, shared: true },
      },
    ],
    edges: [
      {
        id: "edge-greet-to-bye",
        start_node_id: "greet",
        target: { type: "node", node_id: "bye" },
        condition: { type: "llm", prompt: "Done" },
      },
    ],
  });
});

test("what is emitted and has no losses reads back as the same graph", () => {
  const graph = flow("desk", {
    prompt: "Be brief.",
    beginMessage: "Hello.",
  })
    .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("bye", "Done")] })
    .end("bye", {})
    .compile();
  const { text, losses } = emit(graph, "telnyx");
  assert.deepEqual(losses, []);
  const back = importAgent(text).graph;
  assert.deepEqual(Object.keys(back.nodes), ["greet", "bye"]);
  assert.equal(back.nodes.bye?.node_type, "end");
});

test("several destinations are one transfer tool, because an assistant takes no second one", () => {
  const graph = flow("desk", { prompt: "Be brief." })
    .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("one", "Sales"), to("two", "Billing")] })
    .transfer("one", { to: "+12025550142" })
    .transfer("two", { to: "+12025550143" })
    .compile();
  const { losses } = emit(graph, "telnyx");
  assert.deepEqual(
    losses.map(({ code, path }) => `${code} ${path.join(".")}`),
    ["transfer-tools nodes.one", "tool-merged nodes.one", "transfer-tools nodes.two", "tool-merged nodes.two"],
  );
  const nodes = records(flowOf(graph).nodes).slice(1);
  assert.deepEqual(
    nodes.map(({ instructions, shared_tool_ids: ids }) => [instructions, ids]),
    [
      ['Call the tool "transfer" to transfer the call to +12025550142.', ["tool-transfer"]],
      ['Call the tool "transfer" to transfer the call to +12025550143.', ["tool-transfer"]],
    ],
  );
});

test("import names what the graph cannot have, and keeps it", () => {
  fc.assert(
    fc.property(assistants, (document) => {
      const { findings } = importAgent(document, { format: "telnyx" });
      const { nodes, edges } = document.conversation_flow;
      const unknown = nodes.filter(({ type }: JsonObject) => type === "a_new_type").length;
      const loose = (edges ?? []).filter((edge: JsonObject) => recordAt(edge, "target").node_id === "nowhere").length;
      const count = (code: string) => findings.filter((each) => each.code === code).length;
      assert.deepEqual([count("unknown-node-type"), count("loose-edge")], [unknown, loose]);
    }),
    { numRuns: 100 },
  );
});

test("documents that are no assistants get one sentence with the place", () => {
  const wrong: readonly (readonly [document: object, message: RegExp, path: string])[] = [
    [{ ...DESK, instructions: 3 }, /"instructions" is not a text/, "instructions"],
    [{ ...DESK, conversation_flow: { nodes: 3 } }, /"nodes" is not a list/, "conversation_flow.nodes"],
    [{ ...DESK, conversation_flow: { nodes: [] } }, /"nodes" is empty/, "conversation_flow.nodes"],
    [{ ...DESK, conversation_flow: { nodes: [{}] } }, /node 0 has no "id"/, "conversation_flow.nodes.0.id"],
    [
      { ...DESK, conversation_flow: { nodes: [{ id: "a" }, { id: "a" }] } },
      /two nodes have the id "a"/,
      "conversation_flow.nodes.1.id",
    ],
    [
      { ...DESK, conversation_flow: { nodes: [{ id: "a" }], start_node_id: "b" } },
      /there is no start node "b"/,
      "conversation_flow.start_node_id",
    ],
    [
      { data: { ...DESK, conversation_flow: { nodes: [{ id: "a" }], start_node_id: "a", edges: {} } } },
      /"edges" is not a list/,
      "data.conversation_flow.edges",
    ],
  ];
  for (const [document, message, path] of wrong)
    assert.throws(
      () => importAgent(document, { format: "telnyx" }),
      (error) =>
        error instanceof Error &&
        message.test(error.message) &&
        "path" in error &&
        String(error.path) === path.replaceAll(".", ","),
      String(message),
    );
});

test("a flow alone, an answer with the assistant under data, and a list of one come back in their form", () => {
  for (const document of [DESK.conversation_flow, { data: DESK }, [DESK]]) {
    const imported = importAgent(document);
    assert.equal(imported.format, "telnyx");
    assert.deepEqual(emit(imported.graph, "telnyx").config, document);
    const { n_order: order } = imported.graph.nodes;
    assert.ok(order);
    const edited = {
      ...imported.graph,
      nodes: { ...imported.graph.nodes, n_order: { ...order, state_prompt: "New." } },
    };
    assert.ok(emit(edited, "telnyx").text.includes('"New."'));
  }
});

/** A graph of nodes that lead to `end` in several ways. */
const graphOf = (nodes: JsonObject): AgentGraph =>
  parseGraph({ entry_node_id: "start", nodes: { ...nodes, a: { node_type: "end" }, b: { node_type: "end" } } });

const way = (to: string, condition: JsonObject, timing?: string) => ({
  ...{ target_node_id: to, condition },
  ...(timing ? { timing } : {}),
});
const LLM = { type: "llm_prompt", value: "Caller agrees" };
const GOLD = { type: "equation", equations: [{ left: "tier", operator: "==", right: "gold" }] };
const ALWAYS = { type: "always" };

test("edges are in the order in which calls take them", () => {
  const order = (transitions: readonly JsonObject[]) =>
    records(flowOf(graphOf({ start: { node_type: "conversation", state_prompt: "Hi.", transitions } })).edges).map(
      ({ target, condition }) => {
        const { type, expression } = isRecord(condition) ? condition : {};
        return `${isRecord(target) ? target.node_id : ""} ${isRecord(expression) ? expression.type : type}`;
      },
    );
  const ways = [way("a", ALWAYS, "else"), way("a", LLM), way("b", GOLD)];
  assert.deepEqual(order(ways), ["b comparison", "a llm", "a bool_literal"]);
  assert.deepEqual(order([way("a", LLM), way("b", ALWAYS)]), ["b bool_literal", "a llm"]);
});

test("of two transitions that are always taken, a tool node has the first as its default edge", () => {
  const tools = [{ name: "find", description: "Finds", url: "https://acme.test" }];
  const transitions = [way("a", ALWAYS), way("b", ALWAYS), way("b", GOLD)];
  const graph = graphOf({ start: { node_type: "function", tools, transitions } });
  const found = records(flowOf(graph).edges).map(({ target, condition }) => [
    target,
    recordAt({ condition }, "condition").type,
  ]);
  assert.deepEqual(found, [
    [{ type: "node", node_id: "b" }, "expression"],
    [{ type: "node", node_id: "a" }, "default"],
  ]);
  const { losses } = emit(graph, "telnyx");
  assert.deepEqual(
    losses.filter(({ code }) => code === "edge-taken").map(({ path }) => path),
    [["nodes", "start", "transitions", 1]],
  );
});

test("the timing of a transition to a node that only decides is a loss, because its edge has another condition", () => {
  const graph = flow("desk", { prompt: "Be brief." })
    .conversation("greet", { prompt: "Greet.", next: ({ to, otherwise }) => [to("bye", "Done"), otherwise("route")] })
    .logic("route", { next: ({ to }) => [to("help", "Caller needs help")] })
    .conversation("help", { prompt: "Help.", next: ({ to }) => [to("bye", "Done")] })
    .end("bye", {})
    .compile();
  const paths = emit(graph, "telnyx").losses.flatMap(({ code, path }) => (code === "else" ? [path.join(".")] : []));
  assert.deepEqual(paths, ["nodes.greet.transitions.1.timing"]);
});

test("extract nodes that share one tool are told its name and their own variables", () => {
  const variables = (...names: string[]) => names.map((name) => ({ name, description: `The ${name}`, type: "string" }));
  const to = (id: string) => [{ target_node_id: id, condition: { type: "always", value: "" } }];
  const nodes = {
    first: { node_type: "extract", variables_to_extract: variables("size"), transitions: to("second") },
    second: { node_type: "extract", variables_to_extract: variables("colour", "count"), transitions: to("bye") },
    bye: { node_type: "end", state_prompt: "" },
  };
  const graph = parseGraph({ entry_node_id: "first", nodes });
  const told = records(flowOf(graph).nodes).flatMap(({ instructions }) => instructions ?? []);
  assert.deepEqual(told, [
    'Call the tool "save_first" for these variables only: size.',
    'Call the tool "save_first" for these variables only: colour, count.',
  ]);
});
