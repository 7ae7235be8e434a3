import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, type JsonObject, recordAt } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph, withoutOriginal } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { schemaGraphs } from "../../schema_graphs.ts";
import { hasSchema, schemaErrors } from "./_schema.ts";

const IDS = ["ask", "book", "__proto__", "constructor", "start_node", "a b", "toString", "7"];

const clause = fc.record({
  left: fc.constantFrom("day", "__proto__", "visits"),
  operator: fc.constantFrom("==", "!=", ">", ">=", "<", "<="),
  right: fc.constantFrom<string | number | boolean>("mon", 5, 1.5, true, "{{other}}", ""),
});
const unary = fc.record({ left: fc.constantFrom("day", "visits"), operator: fc.constantFrom("exists", "not_exist") });

const equation = fc
  .tuple(fc.array(fc.oneof(clause, unary), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([equations, or]) => ({
    type: "equation",
    value: "",
    equations,
    ...(equations.length > 1 ? { logical_operator: or ? "or" : "and" } : {}),
  }));
const llm = fc
  .constantFrom("Caller agrees", "Caller asks {{why}}", "True")
  .map((value) => ({ type: "llm_prompt", value }));
const outcome = fc
  .constantFrom("succeeded", "failed")
  .map((result) => ({ type: "tool_call", value: "", outcome: result }));
const always = fc.constant({ type: "always", value: "" });

/** Nodes that ElevenLabs can hold without a loss, with transitions in both directions and several to one node. */
const kinds = fc.constantFrom(
  "conversation",
  "conversation",
  "replaces",
  "say",
  "extract",
  "function",
  "end",
  "transfer",
);

function nodeOf(id: string, kind: string, transitions: readonly JsonObject[]): JsonObject {
  const prompt = `Prompt of ${id}`;
  const stored = { elevenlabs: { tool_id: `tool_${id.length}` } };
  const tool = { name: `tool_${id.length}`, description: "", metadata: stored };
  switch (kind) {
    case "replaces":
      return {
        node_type: "conversation",
        state_prompt: prompt,
        metadata: { elevenlabs: { replaces_prompt: true } },
        transitions,
      };
    case "say":
      return {
        ...{ node_type: "conversation", state_prompt: prompt, instruction_type: "static_text" },
        transitions: transitions
          .slice(0, 1)
          .map((each) => ({ ...each, condition: { type: "always", value: "" }, timing: "else" })),
      };
    case "extract":
      return {
        node_type: "extract",
        variables_to_extract: [
          { name: "day", description: "The day", type: "enum", choices: ["mon", "tue"] },
          { name: "visits", description: "", type: "number" },
        ],
        transitions,
      };
    case "function":
      return { node_type: "function", tools: [tool], transitions };
    case "end":
      return { node_type: "end", metadata: { elevenlabs: { outcome: "success" } } };
    case "transfer":
      return {
        node_type: "transfer",
        metadata: {
          elevenlabs: { transfer_destination: { type: "phone", number: "+14155550100" }, transfer_type: "blind" },
        },
      };
    default:
      return { node_type: "conversation", state_prompt: prompt, tools: [tool], transitions };
  }
}

const graphs: fc.Arbitrary<AgentGraph> = fc
  .record({
    ids: fc.shuffledSubarray(IDS, { minLength: 2 }),
    kinds: fc.array(kinds, { minLength: 8, maxLength: 8 }),
    ways: fc.array(
      fc.record({
        from: fc.nat(7),
        to: fc.nat(7),
        condition: fc.oneof(llm, llm, equation),
        tool: outcome,
        last: always,
      }),
      { maxLength: 16 },
    ),
    begin: fc.constantFrom("Hello", "", undefined),
  })
  .map(({ ids, kinds: found, ways, begin }) => {
    const nodes = ids.map((id, at) => {
      const kind = at === 0 ? "conversation" : (found[at] ?? "end");
      const mine = ways.filter(({ from }) => from % ids.length === at);
      const transitions = mine.map(({ to, condition, tool }) => ({
        target_node_id: ids[to % ids.length],
        condition: kind === "function" && to % 2 === 0 ? tool : condition,
      }));
      return [id, nodeOf(id, kind, transitions)] as const;
    });
    return parseGraph({
      nodes: Object.fromEntries(nodes),
      entry_node_id: ids[0],
      source_type: "custom",
      source_metadata: {
        name: "Law",
        general_prompt: "Be kind.",
        ...(begin === undefined ? {} : { begin_message: begin }),
      },
    });
  });

/** A call takes equations and outcomes first, in order, then what the model decides. */
const rankOf = ({ condition: { type } }: AgentGraph["nodes"][string]["transitions"][number]) =>
  type === "equation" || type === "tool_call" ? 0 : type === "llm_prompt" ? 1 : 2;

/** The right side as calls compare it, which is a text. */
const rightOf = (right: unknown) => (right === undefined || right === null ? null : String(right));

/** What a call depends on. Edges of the platform have the order of their first transition to a node. */
function meaning(graph: AgentGraph): unknown {
  const { source_metadata: source } = graph;
  const nodes = Object.values(graph.nodes).map((node) => {
    const { lens: _, ...settings } = recordAt(node.metadata, "elevenlabs");
    return {
      ...{ id: node.id, type: node.node_type, prompt: node.state_prompt, kind: node.instruction_type ?? "prompt" },
      settings: Object.keys(settings).length > 0 ? settings : null,
      tools: node.tools.map(({ name }) => name),
      variables: node.variables_to_extract,
      to: node.transitions
        .toSorted((a, b) => rankOf(a) - rankOf(b))
        .map(({ target_node_id: target, condition, timing }) => ({
          ...{ target, type: condition.type, value: condition.value, outcome: condition.outcome ?? null },
          equations: (condition.equations ?? []).map(({ left, operator, right }) => [left, operator, rightOf(right)]),
          joint: (condition.equations ?? []).length > 1 ? condition.logical_operator : null,
          timing: timing ?? null,
        })),
    };
  });
  const sorted = nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const { general_prompt: general, begin_message: begin, name } = source;
  return JSON.parse(JSON.stringify({ entry: graph.entry_node_id, general, begin: begin ?? null, name, sorted }));
}

/** Losses after which the document means the same. */
const EXACT = ["static-text", "always-timing", "entry-behavior"];

test("importing what was emitted gives the graph, unless a loss says otherwise", { timeout: 120_000 }, () => {
  let held = 0;
  fc.assert(
    fc.property(graphs, (graph) => {
      const { config, losses } = emit(graph, "elevenlabs");
      const again = importAgent(JSON.stringify(config), { format: "elevenlabs" }).graph;
      const second = emit(withoutOriginal(again), "elevenlabs");
      assert.deepEqual(second.config, config);
      if (losses.some(({ code }) => !EXACT.includes(code))) return;
      assert.deepEqual(meaning(again), meaning(graph));
      held++;
    }),
    { numRuns: 500 },
  );
  assert.ok(held > 5, `${held} graphs without a loss`);
});

test("no pair of nodes has two edges, and each edge is in the order of its nodes", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const { config } = emit(graph, "elevenlabs");
      const workflow = recordAt(isRecord(config) ? config : {}, "workflow");
      const edges = Object.entries(recordAt(workflow, "edges")).map(([id, edge]) => ({
        id,
        ...(isRecord(edge) ? edge : {}),
      }));
      const pairs = edges.map((edge) =>
        JSON.stringify([recordAt({ edge }, "edge").source, recordAt({ edge }, "edge").target].sort()),
      );
      assert.equal(new Set(pairs).size, pairs.length);
      for (const edge of edges) {
        const { source, forward_condition: forward } = recordAt({ edge }, "edge");
        const { edge_order: order } = recordAt(recordAt(workflow, "nodes"), String(source));
        if (forward !== null) assert.ok(Array.isArray(order) && order.includes(edge.id), edge.id);
      }
    }),
    { numRuns: 500 },
  );
});

test("what is emitted is valid by the vendor's schema", { timeout: 120_000 }, (t) => {
  if (!hasSchema) return t.skip("needs ../shared with elevenlabs.openapi.json");
  const errors = schemaErrors();
  for (const arbitrary of [graphs, schemaGraphs()])
    fc.assert(
      fc.property(arbitrary, (graph) => {
        assert.deepEqual(errors(JSON.parse(JSON.stringify(emit(graph, "elevenlabs").config))), []);
      }),
      { numRuns: 200 },
    );
});

test("edges are in the order in which calls take transitions: equations, what the model decides, the rest", () => {
  const graph = parseGraph({
    entry_node_id: "a",
    nodes: {
      a: {
        state_prompt: "Ask.",
        transitions: [
          { target_node_id: "b", condition: { type: "always", value: "" }, timing: "else" },
          { target_node_id: "c", condition: { type: "llm_prompt", value: "Yes" } },
          {
            target_node_id: "d",
            condition: { type: "equation", value: "", equations: [{ left: "x", operator: "==", right: "1" }] },
          },
        ],
      },
      b: { state_prompt: "B." },
      c: { state_prompt: "C." },
      d: { state_prompt: "D." },
    },
  });
  const { config } = emit(graph, "elevenlabs");
  const nodes = recordAt(recordAt(isRecord(config) ? config : {}, "workflow"), "nodes");
  assert.deepEqual(recordAt(nodes, "a").edge_order, ["a_to_d", "a_to_c", "a_to_b"]);
});
