import assert from "node:assert/strict";
import { test } from "node:test";
import { type CoverageOptions, coverage, mergeCoverage } from "../../../../src/agent/analysis/mod.ts";
import { fingerprint, parseGraph } from "../../../../src/document/graph/mod.ts";
import type { Message } from "../../../../src/document/transcript/mod.ts";

const when = (left: string, operator: string, right?: string) => ({ left, operator, ...(right ? { right } : {}) });
const ask = {
  state_prompt: "Ask.",
  transitions: [
    {
      target_node_id: "__proto__",
      condition: { type: "equation", equations: [when("n", ">", "5"), when("vip", "exists")] },
    },
    { target_node_id: "__proto__", condition: { type: "equation", equations: [when("n", ">", "5")] } },
    { target_node_id: "__proto__", condition: { type: "llm_prompt", value: "Caller wants help" } },
    { target_node_id: "__proto__", condition: { type: "llm_prompt", value: "Caller wants help" } },
    { target_node_id: "bye", condition: { type: "always" }, timing: "else" },
  ],
};
const graph = parseGraph({
  entry_node_id: "ask",
  nodes: Object.fromEntries([
    ["ask", ask],
    [
      "__proto__",
      {
        node_type: "extract",
        variables_to_extract: [
          { name: "__proto__", description: "", type: "enum", choices: ["constructor", "b", "b"] },
        ],
        transitions: [{ target_node_id: "bye", condition: { type: "always" } }],
      },
    ],
    ["bye", { node_type: "end", state_prompt: "Bye." }],
  ]),
});

const message = (node_id: string, metadata: object): Message => ({
  ...{ role: "tool", node_id, content: "", timestamp: "2026-01-02T03:04:05.678Z" },
  metadata: { ...metadata },
});
const move = (from: string, to: string, because: string, more: object = {}) =>
  message(from, { kind: "transition", from, to, because, ...more });
const call = (...transcript: readonly Message[]) => ({ nodesVisited: [], transcript });

const covered = (calls: Parameters<typeof coverage>[1], options?: CoverageOptions) =>
  coverage(graph, calls, options)
    .items.filter(({ calls: count }) => count > 0)
    .map(({ name }) => name);

const FIRST = "ask -> __proto__: n > 5 and vip exists";
const SECOND = "ask -> __proto__: n > 5";
const clause = (name: string, isTrue: boolean) => `ask -> __proto__: ${name} is ${isTrue}`;

test("coverage() tells equal conditions between the same nodes apart by their index", () => {
  const taken = move("ask", "__proto__", 'n > 5 (n = "7")', {
    ways: [{ transition: 1 }],
    equations: [
      { transition: 0, clauses: [true, false] },
      { transition: 1, clauses: [true] },
    ],
  });
  const { items } = coverage(graph, [call(taken)]);
  const found = items.filter(({ calls }) => calls > 0);
  assert.deepEqual(
    found.map((item) => [item.kind, "index" in item ? item.index : -1, item.name]),
    [
      ["transition", 1, SECOND],
      ["clause", 0, clause("n > 5", true)],
      ["clause", 0, clause("vip exists", false)],
      ["clause", 1, clause("n > 5", true)],
    ],
  );
});

test("coverage() lists a choice once, and finds one of a variable called __proto__", () => {
  const variables = Object.fromEntries([["__proto__", "constructor"]]);
  const choices = coverage(graph, [call(message("__proto__", { kind: "extraction", variables }))]).items.filter(
    ({ kind }) => kind === "choice",
  );
  assert.deepEqual(
    choices.map(({ name, calls }) => [name, calls]),
    [
      ['__proto__: __proto__ = "constructor"', 1],
      ['__proto__: __proto__ = "b"', 0],
    ],
  );
});

test("coverage() of records without ways says what follows from them, and no more", () => {
  const first = move("ask", "__proto__", 'n > 5 and vip exists (n = "7", vip = "yes")');
  assert.deepEqual(covered([call(first)]), [FIRST, clause("n > 5", true), clause("vip exists", true)]);
  const second = move("ask", "__proto__", 'n > 5 (n = "7")');
  assert.deepEqual(covered([call(second)]), [SECOND, clause("n > 5", true)]);
  const otherwise = move("ask", "bye", "no other condition is met");
  assert.deepEqual(covered([call(otherwise)]), ["ask -> bye: else", clause("n > 5", false)]);
  const unknown = move("ask", "__proto__", "[redacted]");
  assert.deepEqual(covered([call(unknown)]), []);
});

test("coverage() counts all conditions on offer that lead to the node that the model picks", () => {
  const picked = move("ask", "__proto__", "Caller wants help", { decision: { objectives_complete: true } });
  const { items } = coverage(graph, [call(picked)]);
  const transitions = items.filter(({ kind, calls }) => kind === "transition" && calls > 0);
  assert.deepEqual(
    transitions.map((item) => "index" in item && item.index),
    [2, 3],
  );
});

test("coverage() counts judged and imported calls, each result once, and names what it leaves out", () => {
  const visited = (status: string, id?: string) => ({ nodesVisited: ["ask"], status, ...(id ? { id } : {}) });
  const results = [
    ...[visited("pass", "1"), visited("pass", "1"), visited("fail", "2"), visited("imported")],
    ...[visited("error"), visited("cancelled"), visited("invalid"), visited("error")],
  ];
  const { calls, leftOut, items } = coverage(graph, results);
  assert.deepEqual([calls, leftOut, items[0]?.calls], [3, { error: 2, cancelled: 1, invalid: 1 }, 3]);
  assert.equal(coverage(graph, results, { statuses: ["error"] }).calls, 2);
});

test("coverage() refuses results of another version of the graph, or matches them by id", () => {
  const other = parseGraph({ entry_node_id: "ask", nodes: { ask: { ...ask, transitions: [] } } });
  const taken = call(
    move("ask", "bye", "no other condition is met", {
      ways: [{ transition: 0 }],
      equations: [{ transition: 0, clauses: [true] }],
    }),
  );
  assert.throws(() => coverage(graph, [taken], { graphFingerprint: fingerprint(other) }), { code: "different-graph" });
  const options = { graphFingerprint: fingerprint(other), byId: true };
  assert.deepEqual(covered([{ ...taken, nodesVisited: ["ask", "gone"] }], options), ["ask", "ask -> bye: else"]);
});

test("mergeCoverage() adds up calls of one graph, and refuses those of another", () => {
  const one = coverage(graph, [{ nodesVisited: ["ask"] }, { nodesVisited: ["ask"], status: "error" }]);
  const two = coverage(graph, [{ nodesVisited: ["ask", "bye"] }]);
  const both = coverage(graph, [
    { nodesVisited: ["ask"] },
    { nodesVisited: ["ask", "bye"] },
    { nodesVisited: ["ask"], status: "error" },
  ]);
  assert.deepEqual(mergeCoverage([one, two]), both);
  const other = coverage(parseGraph({ entry_node_id: "ask", nodes: { ask: { state_prompt: "Ask." } } }), []);
  assert.throws(() => mergeCoverage([one, other]), { code: "different-graph" });
  assert.throws(() => mergeCoverage([]), { code: "invalid-option" });
});
