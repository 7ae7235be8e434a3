import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallEvent } from "../../../../src/agent/analysis/paths/mod.ts";
import { ruleWatch } from "../../../../src/agent/analysis/policies.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import type { PolicyRule } from "../../../../src/document/scenario/mod.ts";

const GRAPH = parseGraph({
  entry_node_id: "a",
  source_metadata: { begin_message: "Hello {{caller_name}}." },
  snippets: { sign: "Your {{plan}}." },
  nodes: { a: { state_prompt: "Ask." }, b: { state_prompt: "Say {{total}}. {%sign%}" } },
});

const enter = (node: string): CallEvent => ({ kind: "enter", node });
const set = (node: string): CallEvent => ({ kind: "set", node });
const speak = (node: string, isBegin = false): CallEvent => ({ kind: "speak", node, isBegin });
const tool = (name: string, outcome: "succeeded" | "failed"): CallEvent => ({
  kind: "tool",
  node: "a",
  tool: name,
  outcome,
});
const end = (reason: "agent_ended" | "caller_ended"): CallEvent => ({ kind: "end", node: "a", reason });

/** The states after each event; conditions hold as given. */
function statesOf(rule: PolicyRule, events: readonly CallEvent[], holds = true): string {
  const watch = ruleWatch(GRAPH, rule);
  let state = watch.start;
  const states = events.map((event) => {
    state = watch.next(state, event, () => holds);
    return ["clear", "noted", "broken"][state];
  });
  return states.join(" ");
}

const [A, B] = [[{ node: "a" }], [{ node: "b" }]];

test("before is met by its first point, and broken by the second one alone", () => {
  const rule = { verb: "before", first: A, second: B } as const;
  assert.equal(statesOf(rule, [enter("c"), enter("a"), enter("b")]), "clear noted noted");
  assert.equal(statesOf(rule, [enter("b"), enter("a")]), "broken broken");
});

test("at_most_once is broken by the second time", () => {
  const rule = { verb: "at_most_once", points: A } as const;
  assert.equal(statesOf(rule, [enter("a"), enter("b"), enter("a"), enter("b")]), "noted noted broken broken");
});

test("after is broken by an end of the agent between its points, and by no end of the caller", () => {
  const rule = { verb: "after", first: A, second: B } as const;
  assert.equal(statesOf(rule, [enter("a"), end("agent_ended")]), "noted broken");
  assert.equal(statesOf(rule, [enter("a"), end("caller_ended")]), "noted noted");
  assert.equal(statesOf(rule, [enter("a"), enter("b"), end("agent_ended")]), "noted clear clear");
});

test("leads_to waits from its first to its second point, and can never be broken by an event", () => {
  const rule = { verb: "leads_to", first: A, second: B } as const;
  assert.equal(statesOf(rule, [enter("c"), enter("a"), enter("c"), enter("b")]), "clear noted noted clear");
  assert.deepEqual(ruleWatch(GRAPH, rule).ahead, B);
});

test("way_to waits for its points from the start", () => {
  const watch = ruleWatch(GRAPH, { verb: "way_to", points: B });
  assert.deepEqual([watch.start, watch.next(watch.start, enter("b"), () => true), watch.ahead], [1, 1, B]);
});

test("never is broken at its point, with a condition only while that holds", () => {
  const equation = { type: "equation", value: "", equations: [{ left: "vip", operator: "exists" }] } as const;
  const rule = { verb: "never", points: A } as const;
  assert.equal(statesOf(rule, [enter("b"), enter("a")]), "clear broken");
  assert.equal(statesOf({ ...rule, while: equation }, [enter("a")], false), "clear");
  assert.equal(statesOf({ ...rule, while: equation }, [enter("a")]), "broken");
});

test("never with a condition is also broken when variables change at its node, and at no other node", () => {
  const equation = { type: "equation", value: "", equations: [{ left: "vip", operator: "exists" }] } as const;
  const rule = { verb: "never", points: [{ end: "agent_ended" }, ...A], while: equation } as const;
  assert.equal(statesOf(rule, [set("b"), set("a")]), "clear broken");
  assert.equal(statesOf({ verb: "never", points: A }, [set("a")]), "clear");
});

test("known is broken by words with a variable that is not set, those of snippets included", () => {
  const rule = (...variables: readonly string[]) => ({ verb: "known", variables }) as const;
  assert.equal(statesOf(rule("total"), [speak("a"), speak("b")]), "clear broken");
  assert.equal(statesOf(rule("plan"), [enter("b"), speak("b")]), "clear broken");
  assert.equal(statesOf(rule("total"), [speak("b")], false), "clear");
});

test("known looks at the begin message for the words that open a call", () => {
  const rule = { verb: "known", variables: ["caller_name"] } as const;
  assert.equal(statesOf(rule, [speak("a"), speak("a", true)]), "clear broken");
});

test("a point of a tool is its call, of an outcome if it has one", () => {
  const rule = (outcome?: "failed") =>
    ({ verb: "never", points: [{ tool: "find", ...(outcome ? { outcome } : {}) }] }) as const;
  assert.equal(statesOf(rule(), [tool("other", "failed"), set("a"), tool("find", "succeeded")]), "clear clear broken");
  assert.equal(statesOf(rule("failed"), [tool("find", "succeeded"), tool("find", "failed")]), "clear broken");
});

test("a point of an end is the end for its reason", () => {
  const rule = { verb: "never", points: [{ end: "agent_ended" }] } as const;
  assert.equal(statesOf(rule, [end("caller_ended"), end("agent_ended")]), "clear broken");
});

test("a rule of several points is about each of them", () => {
  const rule = { verb: "at_most_once", points: [{ node: "a" }, { tool: "find" }] } as const;
  assert.equal(statesOf(rule, [enter("a"), tool("find", "failed")]), "noted broken");
});

test("known reads whether each of its variables is set", () => {
  const { conditions } = ruleWatch(GRAPH, { verb: "known", variables: ["plan", "total"] });
  assert.deepEqual(
    conditions.map(({ type, equations }) => [type, equations]),
    ["plan", "total"].map((left) => ["equation", [{ left, operator: "not_exist" }]]),
  );
});
