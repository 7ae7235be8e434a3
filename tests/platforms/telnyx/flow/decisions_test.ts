import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { expandSnippets, extractBehind, lower } from "../../../../platforms/lower/mod.ts";
import { emit, importAgent, type Loss } from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { isRecord, type JsonObject, own, recordAt, records } from "../../../../src/base/values/mod.ts";
import { clauseVariables, equationHolds } from "../../../../src/document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  isSilent,
  isTerminal,
  parseGraph,
  type Transition,
  waysAfterHearing,
  waysAfterSpeech,
  waysAfterWork,
} from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { graphs } from "../../retell/flow/graphs.ts";
import { onlyDecides } from "../../scripted_call.ts";
import { exampleGraphs } from "../../sdk_literals.ts";
import { type Moment, nextOf } from "./_interpreter.ts";

const CORPUS = new URL("../../../../../shared/corpus/", import.meta.url);

/** Losses after which a call may take another way. */
const OTHER_WAYS = [
  ...["mixed-condition", "tool-condition", "failed-condition", "operand", "exists", "too-many-ways", "no-edge"],
  ...["function-without-tool", "no-default", "logic-fallback"],
];

/** The way that calls take: what needs no model, then what the model picks, then what is always taken. */
function taken(
  { withoutModel, offered, otherwise }: ReturnType<typeof waysAfterWork>,
  { variables, holds }: Moment,
): Transition | undefined {
  return (
    withoutModel.find(({ condition }) => condition.type === "equation" && equationHolds(condition, variables)) ??
    offered.find(({ condition }) => holds(condition.value)) ??
    otherwise
  );
}

/** The node after a node, passing those that only decide, as the engine finds it; `undefined`: the call stays. */
function expectedNext(graph: AgentGraph, node: AgentNode, moment: Moment): string | undefined {
  if (isTerminal(node)) return undefined;
  const first = isSilent(node)
    ? taken(waysAfterWork(node), moment)
    : (waysAfterSpeech(node).otherwise ?? taken(waysAfterHearing(node), moment));
  let at = first;
  for (let hops = 0; at && hops < 50; hops++) {
    const next = own(graph.nodes, at.target_node_id);
    if (!next || !onlyDecides(next) || next.id === graph.entry_node_id) return next?.id;
    at = taken(waysAfterWork(next), moment);
  }
  return undefined;
}

/** Whether a way can be passed without a loss that says that Telnyx takes another one. */
function isExact(graph: AgentGraph, node: AgentNode, losses: readonly Loss[]): boolean {
  const seen = new Set<string>();
  const open = [node];
  for (let each = open.pop(); each; each = open.pop()) {
    if (seen.has(each.id)) continue;
    seen.add(each.id);
    const { id } = each;
    if (losses.some(({ code, path }) => OTHER_WAYS.includes(code) && path[0] === "nodes" && path[1] === id))
      return false;
    const next = each.transitions.map(({ target_node_id: to }) => own(graph.nodes, to));
    open.push(...next.flatMap((to) => (to && onlyDecides(to) ? [to] : [])));
  }
  return true;
}

const isCallable = (graph: AgentGraph) => Object.values(graph.nodes).every((node) => !node.global_node_setting);

/** Holds each node's decisions against the flow's, with made-up variables and answers. Returns how many were compared. */
function compareDecisions(given: AgentGraph, seed: number): number {
  const { graph } = extractBehind(lower(given, [expandSnippets]).graph, given.source_type !== "telnyx");
  const { config, losses } = emit(graph, "telnyx");
  const flow = recordAt(isRecord(config) ? config : {}, "conversation_flow");
  const ids = records(flow.nodes).map(({ id }) => String(id));
  const all = Object.values(graph.nodes);
  const clauses = all.flatMap(({ transitions }) => transitions.flatMap(({ condition }) => condition.equations ?? []));
  let compared = 0;
  for (const node of all.filter(({ id, node_type: type }) => ids.includes(id) && type !== "logic")) {
    if (isTerminal(node)) continue;
    if (!isExact(graph, node, losses)) continue;
    for (let round = 0; round < 6; round++) {
      const bit = (text: string) => hash(`${seed} ${node.id} ${round} ${text}`);
      const values = clauses.flatMap((clause) =>
        clauseVariables(clause).map((name) => [name, valueFor(clause.right, bit(name))] as const),
      );
      const variables = Object.fromEntries(values);
      const moment: Moment = { variables, holds: (prompt) => bit(prompt) % 3 === 0 };
      const from = answeringNode(flow, node);
      const expected = expectedNext(graph, node, moment);
      assert.equal(nextOf(flow, from, moment), expected, `${node.id} ${JSON.stringify(variables)}`);
      compared++;
    }
  }
  return compared;
}

/** The node whose edges are those of a node: a text that waits for the caller is followed by it. */
function answeringNode(flow: JsonObject, { id }: AgentNode): string {
  const [only, ...others] = records(flow.edges).filter((edge) => edge.start_node_id === id);
  const to = only ? String(recordAt(only, "target").node_id) : "";
  return others.length === 0 && to.startsWith(`${id}_reply`) ? to : id;
}

function valueFor(right: unknown, number: number): unknown {
  const values = [right, `${String(right)}x`, "", number % 7, -3, undefined];
  return values[number % values.length];
}

/** A number for a text, always the same. */
function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index++) value = (value * 31 + text.charCodeAt(index)) >>> 0;
  return value >>> 3;
}

test("flows take the same decisions as calls, on the examples", async () => {
  let compared = 0;
  for (const graph of await exampleGraphs()) if (isCallable(graph)) compared += compareDecisions(graph, 1);
  for (const graph of (await exampleGraphs()).filter((each) => !isCallable(each)))
    compared += compareDecisions(withoutGlobals(graph), 1);
  assert.ok(compared > 50, `${compared} decisions`);
});

function withoutGlobals(graph: AgentGraph): AgentGraph {
  const nodes = Object.values(graph.nodes).map((node) => [node.id, { ...node, global_node_setting: null }] as const);
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

const clause = fc.record({
  left: fc.constantFrom("tier", "balance"),
  operator: fc.constantFrom("==", "!=", "contains", "not_contains", ">", ">=", "<", "<="),
  // what a variable that is not set is compared as on the right side is not documented
  right: fc.constantFrom("gold", "5", "-3", 5, true),
});
const condition = fc.oneof(
  fc.integer({ min: 1, max: 9 }).map((number) => ({ type: "llm_prompt", value: `Caller says ${number}` })),
  fc.record({
    type: fc.constant("equation"),
    equations: fc.array(clause, { minLength: 1, maxLength: 3 }),
    logical_operator: fc.constantFrom("and", "or"),
  }),
  fc.constant({ type: "always" }),
);
const NODES = ["a", "b", "c", "d", "e", "f"];
const transition = fc.record({
  target_node_id: fc.constantFrom(...NODES),
  condition,
  timing: fc.constantFrom("else", "else", undefined),
});

/** Graphs of nodes that speak, decide and call a tool, with many equations. */
const deciding = fc
  .array(
    fc.record({
      node_type: fc.constantFrom("conversation", "logic", "function"),
      transitions: fc.array(transition, { maxLength: 4 }),
    }),
    { minLength: NODES.length, maxLength: NODES.length },
  )
  .map((list) => {
    const tools = [{ name: "look", description: "Looks", url: "https://acme.test" }];
    const nodes = list.map((node, index) => {
      const type = index === 0 ? "conversation" : node.node_type;
      return [NODES[index], { ...node, node_type: type, tools: type === "function" ? tools : [] }] as const;
    });
    return parseGraph({ entry_node_id: "a", nodes: Object.fromEntries(nodes) });
  });

test("flows take the same decisions as calls, on graphs with many equations", () => {
  let compared = 0;
  fc.assert(
    fc.property(deciding, fc.nat(), (graph, seed) => {
      compared += compareDecisions(graph, seed);
    }),
    { numRuns: 400, endOnFailure: true },
  );
  assert.ok(compared > 200, `${compared} decisions`);
});

test("flows take the same decisions as calls, on generated graphs", () => {
  let compared = 0;
  fc.assert(
    fc.property(graphs(), fc.nat(), (graph, seed) => {
      compared += compareDecisions(withoutGlobals(graph), seed);
    }),
    { numRuns: 200, endOnFailure: true },
  );
  assert.ok(compared > 100, `${compared} decisions`);
});

test("flows take the same decisions as calls, on the corpora of other platforms", {
  skip: existsSync(CORPUS) ? false : "there is no ../shared/corpus",
}, () => {
  let compared = 0;
  for (const folder of ["retell/", "vapi/"].map((name) => new URL(name, CORPUS)))
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
      try {
        const { graph } = importAgent(readFileSync(new URL(name, folder), "utf8").replace(/^\uFEFF/, ""));
        if (Object.keys(graph.nodes).length <= 60) compared += compareDecisions(withoutGlobals(graph), 3);
      } catch (error) {
        if (!isCallweaveError(error)) throw new Error(name, { cause: error });
      }
    }
  assert.ok(compared > 500, `${compared} decisions`);
});
