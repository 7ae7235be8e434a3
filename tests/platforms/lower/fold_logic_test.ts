import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ALWAYS,
  any,
  foldLogic,
  type Guard,
  guardGoBacks,
  isTerminal,
  lower,
  multiplyGlobals,
  type PlatformGuards,
  promoteBusy,
  type Route,
} from "../../../platforms/lower/mod.ts";
import { isRecord, own } from "../../../src/base/values/mod.ts";
import { evaluateEquation } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";
import { always, equal, graphOf, told } from "../vapi/compile/graphs.ts";
import { comparedCall } from "../vapi/compile/squads/random_graph.ts";
import { type FinishedCall, runCall } from "./run_call.ts";

const done = (id: string, value: string): Guard => ({ kind: "is", variable: `did ${id}`, value });
const either = (id: string): Guard => ({ kind: "any", guards: [done(id, "succeeded"), done(id, "failed")] });

/** Stores the outcome of each silent node in a variable. */
const state: PlatformGuards = {
  outcome: ({ id }, { condition: { outcome } }) => (outcome ? done(id, outcome) : either(id)),
  outcomeWords: () => "",
  work: ({ id, node_type, variables_to_extract: variables }) => {
    if (node_type === "function") return either(id);
    return node_type === "extract" && variables.length > 0 ? done(id, "true") : undefined;
  },
};

/** Returns which nodes are kept: all nodes except silent ones, and one silent node of each cycle. */
function staying(graph: AgentGraph): (id: string) => boolean {
  const stays = new Set([graph.entry_node_id]);
  promoteBusy(graph, stays);
  return (id) => {
    const node = own(graph.nodes, id);
    return node !== undefined && (stays.has(id) || node.node_type === "conversation" || isTerminal(node));
  };
}

type Values = Map<string, unknown>;

function holds(guard: Guard, values: Values): boolean {
  if (guard.kind === "clause") return evaluateEquation(guard.clause, Object.fromEntries(values));
  if (guard.kind === "is") return values.get(guard.variable) === guard.value;
  if (guard.kind === "not") return !holds(guard.guard, values);
  return guard.kind === "all"
    ? guard.guards.every((each) => holds(each, values))
    : guard.guards.some((each) => holds(each, values));
}

/** Formats a route's transitions like those of a call. */
function stepsOf({ hops }: Route, graph: AgentGraph): string {
  const pairs = hops.map((hop) => {
    const [index = "", ...id] = hop.split(" ");
    const from = id.join(" ");
    return `${from} > ${own(graph.nodes, from)?.transitions[Number(index)]?.target_node_id}`;
  });
  return pairs.join(", ");
}

/** Finds the route of every step of a call between kept nodes, and checks its guard against the call's variables. */
function followCall(graph: AgentGraph, { events }: FinishedCall, start: { readonly [name: string]: unknown }) {
  const stays = staying(graph);
  const folded = foldLogic(graph, stays, state);
  const values: Values = new Map(Object.entries(start));
  const found = { walks: 0, late: 0 };
  const works = (id: string) => {
    const node = own(graph.nodes, id);
    return node !== undefined && state.work(node) !== undefined;
  };
  const checkArrival = (id: string) => {
    for (const { through, guard } of folded.routes(id))
      if ([id, ...through].some(works)) assert.ok(!holds(guard, values), `a route of "${id}" is open before its work`);
  };
  let [at, steps, hasWorked] = [graph.entry_node_id, [] as string[], false];
  checkArrival(at);
  for (const event of events) {
    const id = String(event.node_id);
    if (event.kind === "extraction" && isRecord(event.variables)) {
      for (const [name, value] of Object.entries(event.variables)) values.set(name, value);
      values.set(`did ${id}`, "true");
      hasWorked = true;
    }
    if (event.kind === "tool_call") {
      values.set(`did ${id}`, event.outcome);
      const tool = own(graph.nodes, id)?.tools.find(({ name }) => name === event.name);
      if (event.outcome === "succeeded" && isRecord(event.result))
        for (const [name, path] of Object.entries(tool?.response_variables ?? {})) {
          const value = own(event.result, path.replace("$.", ""));
          if (value !== undefined && value !== null) values.set(name, value);
        }
      hasWorked = true;
    }
    if (event.kind !== "transition") continue;
    steps.push(`${String(event.from)} > ${String(event.to)}`);
    if (!stays(String(event.to))) continue;
    const routes = folded.routes(at);
    const taken = routes.filter((route) => stepsOf(route, graph) === steps.join(", "));
    const open = taken.filter(({ guard }) => holds(guard, values));
    if (taken.length > 0) {
      found.walks += 1;
      if (open.length === 0) {
        assert.ok(hasWorked, `no route for ${steps.join(", ")}`);
        found.late += 1; // an extraction on the route changed the variable after the equation was evaluated
      } else if (open.some(({ choices }) => choices.length === 0)) {
        const certain = routes.filter(({ choices, guard }) => choices.length === 0 && holds(guard, values));
        assert.equal(certain.length, 1, `more than one route is certain at "${at}"`);
      }
    }
    for (const name of [...values.keys()]) if (name.startsWith("did ")) values.delete(name);
    [at, steps, hasWorked] = [String(event.to), [], false];
    checkArrival(at);
  }
  return found;
}

test("foldLogic has an open route for every path that a call takes through silent nodes", async () => {
  const total = { calls: 0, walks: 0, late: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const call = comparedCall(seed);
      const finished = await runCall(call.graph, call, call.answers);
      const defaults = call.graph.source_metadata.default_dynamic_variables ?? {};
      const { walks, late } = followCall(call.graph, finished, { ...defaults, ...call.variables });
      total.calls += 1;
      total.walks += walks;
      total.late += late;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  assert.ok(total.walks > total.calls && total.late <= total.walks / 20, JSON.stringify(total));
});

test("foldLogic guards a transition against earlier ones, and a fallback against all others", () => {
  const graph = graphOf({
    ask: { transitions: [told("sort", "Caller answers")] },
    sort: { node_type: "logic", transitions: [equal("a", "x", "1"), equal("b", "y", "2"), always("c")] },
    a: {},
    b: {},
    c: {},
  });
  const routes = foldLogic(graph, staying(graph), state).routes("ask");
  const open = (x: string, y: string) =>
    routes.filter(({ guard }) => holds(guard, new Map(Object.entries({ x, y })))).map(({ target }) => target);
  assert.deepEqual([open("1", "2"), open("0", "2"), open("0", "0")], [["a"], ["b"], ["c"]]);
  assert.deepEqual(routes[1], {
    ...routes[1],
    texts: ["Caller answers"],
    through: ["sort"],
    hops: ["0 ask", "1 sort"],
    choices: ["0 ask"],
    forced: false,
  });
});

test("foldLogic guards routes until the silent nodes on the path have done their work", () => {
  const graph = graphOf({
    ask: { transitions: [told("read", "Caller answers")] },
    read: {
      node_type: "extract",
      variables_to_extract: [{ name: "x", description: "", type: "string" }],
      transitions: [always("book")],
    },
    book: { node_type: "function", tools: [{ name: "f", description: "" }], transitions: [always("end")] },
    end: { node_type: "end" },
  });
  const [route] = foldLogic(graph, staying(graph), state).routes("ask");
  assert.ok(route);
  const open = (values: readonly (readonly [string, string])[]) => holds(route.guard, new Map(values));
  assert.deepEqual([open([]), open([["did read", "true"]]), open([["did book", "failed"]])], [false, false, false]);
  assert.equal(
    open([
      ["did read", "true"],
      ["did book", "failed"],
    ]),
    true,
  );
});

test("foldLogic keeps the variables that the last transition of a route sets", () => {
  const plain = graphOf({
    ask: { transitions: [told("sort", "Yes")] },
    sort: { node_type: "logic", transitions: [always("g")] },
    g: {},
  });
  const setting = (id: string, sets: { readonly [name: string]: string }) => {
    const node = plain.nodes[id];
    assert.ok(node);
    return { ...node, transitions: node.transitions.map((each) => ({ ...each, sets })) };
  };
  const nodes = { ...plain.nodes, ask: setting("ask", { x: "1" }), sort: setting("sort", { x: "2" }) };
  const [route] = foldLogic({ ...plain, nodes }, staying(plain), state).routes("ask");
  assert.deepEqual(route?.sets, { x: "2" });
});

test("foldLogic opens a way back only to the node that the caller came from", () => {
  const condition = { type: "equation", value: "", equations: [{ left: "x", operator: "==", right: "1" }] };
  const graph = graphOf({
    a: {},
    b: {},
    g: { global_node_setting: { condition: "Help", go_back_conditions: [{ id: "done", condition }] } },
  });
  const { graph: lowered } = lower(graph, [multiplyGlobals, guardGoBacks(() => "from")]);
  const routes = foldLogic(lowered, staying(graph), state).routes("g");
  const open = (values: { readonly [name: string]: string }) =>
    routes.filter(({ guard }) => holds(guard, new Map(Object.entries(values)))).map(({ target }) => target);
  assert.deepEqual(
    [open({ x: "1" }), open({ x: "1", from: "a" }), open({ x: "1", from: "b" }), open({ from: "a" })],
    [[], ["a"], ["b"], []],
  );
});

test("foldLogic counts the fallback of a silent node as a choice if the model decides its siblings", () => {
  const choices = (...transitions: readonly object[]) => {
    const graph = graphOf({
      ask: { transitions: [told("sort", "Yes")] },
      sort: { node_type: "logic", transitions },
      a: {},
      b: {},
    });
    return foldLogic(graph, staying(graph), state)
      .routes("ask")
      .map((route) => route.choices);
  };
  assert.deepEqual(choices(told("a", "Friendly"), always("b")), [
    ["0 ask", "0 sort"],
    ["0 ask", "1 sort"],
  ]);
  assert.deepEqual(choices(equal("a", "x", "1"), always("b")), [["0 ask"], ["0 ask"]]);
});

test("promoteBusy finds silent nodes in a cycle, and those with more than 32 routes", () => {
  const found = (graph: AgentGraph) => {
    const promoted = new Set<string>();
    promoteBusy(graph, promoted);
    return [...promoted];
  };
  const ways = (count: number) =>
    graphOf({
      ask: { transitions: [told("sort", "Yes")] },
      sort: {
        node_type: "logic",
        transitions: Array.from({ length: count }, (_, index) => equal("ask", "x", `${index}`)),
      },
    });
  assert.deepEqual([found(ways(32)), found(ways(33))], [[], ["sort"]]);
  const circle = graphOf({
    ask: { transitions: [told("one", "Yes")] },
    one: { node_type: "logic", transitions: [always("two")] },
    two: { node_type: "logic", transitions: [equal("one", "x", "1"), always("ask")] },
  });
  assert.deepEqual(found(circle), ["one"]);
});

test("any() always holds if one of its guards always holds", () => {
  const guard = done("a", "true");
  assert.deepEqual([any([guard, ALWAYS]), any([guard]), any([])], [ALWAYS, guard, { kind: "any", guards: [] }]);
});
