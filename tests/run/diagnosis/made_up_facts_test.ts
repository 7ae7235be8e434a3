import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import type { CheckResult, Message } from "../../../src/document/transcript/mod.ts";
import { failureFacts } from "../../../src/run/diagnosis/facts.ts";
import type { FailedResult } from "../../../src/run/diagnosis/types.ts";

const to = (target: string, value: string) => ({
  target_node_id: target,
  condition: value === "" ? { type: "always" } : { type: "llm_prompt", value },
});

/** From the start to a form, a tool and an end; one global node, and one node that nothing leads to. */
const desk = parseGraph({
  entry_node_id: "start",
  nodes: {
    start: {
      state_prompt: "Greet.",
      transitions: [to("form", "Caller orders"), to("owner_only", "Caller is the owner")],
    },
    form: {
      node_type: "extract",
      variables_to_extract: [{ name: "size", description: "Size", type: "string" }],
      transitions: [to("pay", "")],
    },
    pay: {
      node_type: "function",
      tools: [{ name: "charge", description: "Charges" }],
      transitions: [to("talk", "")],
    },
    talk: { state_prompt: "Say more.", transitions: [to("bye", "Caller is done"), to("person", "Caller is cross")] },
    owner_only: { state_prompt: "Hello, owner.", transitions: [to("bye", "Owner is done")] },
    help: {
      state_prompt: "Help.",
      global_node_setting: { condition: "Caller needs help", go_back_conditions: [] },
    },
    alone: { state_prompt: "Nobody comes here." },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
    person: { node_type: "transfer", transfer_destination: { type: "predefined", number: "+12025550123" } },
  },
});

function line(role: Message["role"], content: string, node: string, metadata: Message["metadata"] = {}): Message {
  return { role, content, node_id: node, timestamp: "2026-01-01T00:00:00.000Z", metadata };
}

/** A failed call from the start to the talk, as far as a test does not say something else. */
function failed(parts: Partial<FailedResult>): FailedResult {
  return {
    scenario: "orders",
    status: "fail",
    transcript: [
      line("assistant", "Hello, I’m the desk.", "start"),
      line("user", "I want to order.", "start"),
      line("assistant", "You are rude!", "talk"),
    ],
    checks: [],
    verdicts: [],
    nodesVisited: ["start", "form", "pay", "talk"],
    toolsCalled: [],
    variables: {},
    endReason: "caller_ended",
    errorMessage: null,
    ...parts,
  };
}

const check = (kind: CheckResult["kind"], expected: string, reason = "it is so"): CheckResult => ({
  kind,
  expected,
  reason,
  passed: false,
});

const NONE = { node: "", transition: -1, target: "", name: "" };

/** The facts of one failed check, without the fields that are empty. */
function factsOf(failing: CheckResult, parts: Partial<FailedResult> = {}) {
  return failureFacts(desk, failed({ ...parts, checks: [failing] })).map((fact) =>
    Object.fromEntries(
      Object.entries(fact).filter(([key, value]) => value !== Object.entries(NONE).find(([name]) => name === key)?.[1]),
    ),
  );
}

const CASES: readonly (readonly [name: string, facts: readonly object[], expected: readonly object[]])[] = [
  [
    "a node that a call left the way to, by the last visit that was closest",
    factsOf(check("visits", "talk -> bye"), {
      nodesVisited: ["start", "form", "pay", "talk", "help", "talk", "person"],
    }),
    [
      {
        kind: "path_left",
        fact: 'The call was expected to reach "bye". It left the way at "talk": it went to "person" instead of taking transition 0 to "bye" ("Caller is done").',
        node: "talk",
        transition: 0,
        target: "bye",
      },
    ],
  ],
  [
    "a node that is only reached from where the call began",
    factsOf(check("visits", "owner_only"), { nodesVisited: ["start"] }),
    [
      {
        kind: "path_left",
        fact: 'The call was expected to reach "owner_only". It left the way at "start": it stayed instead of taking transition 1 to "owner_only" ("Caller is the owner").',
        node: "start",
        transition: 1,
        target: "owner_only",
      },
    ],
  ],
  [
    "a node that the call was at, but not after the one before it",
    factsOf(check("visits", "pay -> start")),
    [
      {
        kind: "no_way",
        fact: 'The call was expected to reach "start". No way leads there from any node that it visited; it was last at "talk".',
        node: "talk",
        target: "start",
      },
    ],
  ],
  [
    "a global node, which every conversation may enter",
    factsOf(check("visits", "help")),
    [
      {
        kind: "path_left",
        fact: 'The call was expected to reach "help". It left the way at "talk": it stayed instead of taking the global node "help".',
        node: "talk",
        target: "help",
      },
    ],
  ],
  [
    "a call that visited nothing",
    factsOf(check("visits", "form", "visited no node"), { nodesVisited: [], transcript: [] }),
    [{ kind: "check", fact: "Expected to visit form: visited no node" }],
  ],
  [
    "a node to avoid, and the transition to it",
    factsOf(check("avoids", "pay")),
    [
      {
        kind: "wrong_node",
        fact: 'The call must not visit "pay", and went there from "form" by transition 0 to "pay" (always).',
        node: "form",
        transition: 0,
        target: "pay",
      },
    ],
  ],
  [
    "the transition that the call has on record comes before the first one that leads there",
    factsOf(check("avoids", "form"), {
      transcript: [line("system", "", "start", { kind: "transition", to: "form", ways: [{ transition: 1 }] })],
    }),
    [
      {
        kind: "wrong_node",
        fact: 'The call must not visit "form", and went there from "start" by transition 1 to "owner_only" ("Caller is the owner").',
        node: "start",
        transition: 1,
        target: "form",
      },
    ],
  ],
  [
    "a global node to avoid, to which no transition leads",
    factsOf(check("avoids", "help"), { nodesVisited: ["start", "help"] }),
    [
      {
        kind: "wrong_node",
        fact: 'The call must not visit "help", and went there from "start".',
        node: "start",
        target: "help",
      },
    ],
  ],
  [
    "a node to avoid at which the call starts",
    factsOf(check("avoids", "start")),
    [{ kind: "wrong_node", fact: 'The call must not visit "start", where it starts.', node: "start" }],
  ],
  [
    "an end that was not reached",
    factsOf(check("ends", "agent_ended", "the call ended with caller_ended")),
    [
      {
        kind: "path_left",
        fact: 'The call was expected to end with agent_ended, and the call ended with caller_ended. At "talk" it did not take transition 0 to "bye" ("Caller is done").',
        node: "talk",
        transition: 0,
        target: "bye",
      },
    ],
  ],
  [
    "a transfer that was not made",
    factsOf(check("ends", "agent_transferred", "the call ended with caller_ended")),
    [
      {
        kind: "path_left",
        fact: 'The call was expected to end with agent_transferred, and the call ended with caller_ended. At "talk" it did not take transition 1 to "person" ("Caller is cross").',
        node: "talk",
        transition: 1,
        target: "person",
      },
    ],
  ],
  [
    "an end that no transition leads to, and one that must not be",
    [
      ...factsOf(check("ends", "agent_ended", "no"), { nodesVisited: ["start"] }),
      ...factsOf(check("ends", "not dead_air", "no")),
    ],
    [
      { kind: "ended", fact: "The call ended in an unexpected way: no.", node: "start" },
      { kind: "ended", fact: "The call ended in an unexpected way: no.", node: "talk" },
    ],
  ],
  [
    "a variable that a visited node did not fill, and one with another value",
    [
      ...factsOf(check("extracts", "size == large == huge", "size was never set")),
      ...factsOf(check("extracts", "size not set", 'size is "S"'), { variables: { size: "S" } }),
    ],
    [
      {
        kind: "missing_variable",
        fact: "Expected size == large == huge, but size was never set.",
        node: "form",
        name: "size",
      },
      { kind: "wrong_variable", fact: 'Expected size not set, but size is "S".', node: "form", name: "size" },
    ],
  ],
  [
    "a variable whose node was not reached, or that no node fills",
    [
      ...factsOf(check("extracts", "size == S", "no"), { nodesVisited: ["start"] }),
      ...factsOf(check("extracts", "size == S", "no"), { nodesVisited: ["bye"] }),
      ...factsOf(check("extracts", "colour == red", "no")),
      ...factsOf(check("extracts", "size == S", "no"), { nodesVisited: [], transcript: [] }),
    ],
    [
      {
        kind: "path_left",
        fact: 'Expected size == S, but no. The call was expected to reach "form". It left the way at "start": it stayed instead of taking transition 0 to "form" ("Caller orders").',
        node: "start",
        transition: 0,
        target: "form",
      },
      {
        kind: "no_way",
        fact: 'Expected size == S, but no. The call was expected to reach "form". No way leads there from any node that it visited; it was last at "bye".',
        node: "bye",
        target: "form",
      },
      { kind: "missing_variable", fact: "Expected colour == red, but no.", name: "colour" },
      { kind: "missing_variable", fact: "Expected size == S, but no.", node: "form", name: "size" },
    ],
  ],
  [
    "a tool that its node did not call, one whose node was not reached, and one that no node has",
    [
      ...factsOf(check("calls", 'charge({"sum":5}), 2 times', "called only 1 of 2 times")),
      ...factsOf(check("calls", "charge", "no"), { nodesVisited: ["start", "form"] }),
      ...factsOf(check("calls", "refund", "no")),
      ...factsOf(check("calls", "pay", "no")),
      ...factsOf(check("calls", "charge", "no"), { nodesVisited: [], transcript: [] }),
    ],
    [
      {
        kind: "tool_not_called",
        fact: 'Expected the tool call charge({"sum":5}), 2 times, but called only 1 of 2 times.',
        node: "pay",
        name: "charge",
      },
      {
        kind: "path_left",
        fact: 'Expected the tool call charge, but no. The call was expected to reach "pay". It left the way at "form": it stayed instead of taking transition 0 to "pay" (always).',
        node: "form",
        transition: 0,
        target: "pay",
      },
      { kind: "tool_not_called", fact: "Expected the tool call refund, but no.", name: "refund" },
      { kind: "tool_not_called", fact: "Expected the tool call pay, but no.", node: "pay", name: "pay" },
      { kind: "tool_not_called", fact: "Expected the tool call charge, but no.", name: "charge" },
    ],
  ],
  [
    "words that are missing, at the node that spoke last, or that the call was in last",
    [
      ...factsOf(check("includes", "five euros", "never said")),
      ...factsOf(check("patterns", "*euros*", "nothing"), { transcript: [] }),
    ],
    [
      {
        kind: "not_said",
        fact: 'The agent should have said "five euros": never said.',
        node: "talk",
        name: "five euros",
      },
      { kind: "not_said", fact: 'The agent should have said "*euros*": nothing.', node: "talk", name: "*euros*" },
    ],
  ],
  [
    "words that must not be said, where the agent said them, however quotes are written",
    [
      ...factsOf(check("excludes", "i'm the DESK", "said")),
      ...factsOf(check("excludes", "I want to order", "said across lines")),
    ],
    [
      { kind: "said", fact: 'The agent must not say "i\'m the DESK": said.', node: "start", name: "i'm the DESK" },
      {
        kind: "said",
        fact: 'The agent must not say "I want to order": said across lines.',
        node: "talk",
        name: "I want to order",
      },
    ],
  ],
  [
    "a check of another kind",
    factsOf(check("latency", "within 800 ms", "turn 1 after 900 ms")),
    [
      {
        kind: "check",
        fact: 'latency "within 800 ms" failed: turn 1 after 900 ms',
        node: "talk",
        name: "within 800 ms",
      },
    ],
  ],
];

for (const [name, facts, expected] of CASES) test(`facts: ${name}`, () => assert.deepEqual(facts, expected));

test("visits are those of the scenario, where a check says more in words", () => {
  const scenario = { visits: ["talk", "bye"] };
  const result = failed({ checks: [check("visits", "nothing that is a node")] });
  const source = JSON.parse(JSON.stringify({ name: "orders", ...scenario }));
  assert.deepEqual(
    failureFacts(desk, result, source).map(({ target }) => target),
    ["bye"],
  );
});

test("a verdict is at the node whose words are its evidence, else at the one that spoke last", () => {
  const verdict = (evidence: string, passed = false) => ({
    criterion: "is kind",
    requirement: "kind words",
    passed,
    score: 0.2,
    threshold: 0.7,
    reasoning: "It was not.",
    evidence,
  });
  const nodes = (evidence: string) =>
    failureFacts(desk, failed({ verdicts: [verdict(evidence), verdict(evidence, true)] })).map(
      ({ kind, node, name, fact }) => [kind, node, name, fact],
    );
  const fact = 'Judged as not met, with a score of 0.2: "is kind". It was not.';
  for (const [evidence, node] of [
    ["agent: Hello, I'm the desk", "start"],
    ["You are rude!\ncaller: what?", "talk"],
    ["caller: I want to order.", "talk"],
    ["", "talk"],
  ] as const)
    assert.deepEqual(nodes(evidence), [["verdict", node, "is kind", fact]], evidence);
});

test("facts come in the order of how much they tell, each once, and what passed or was mocked is none", () => {
  const tool = (parts: object) => ({
    name: "charge",
    nodeId: "pay",
    arguments: {},
    result: "declined",
    outcome: "failed" as const,
    mocked: false,
    durationMs: 1,
    ...parts,
  });
  const result = failed({
    audit: { findings: [{ kind: "ended-early", quote: "Bye", reason: "it hung up early" }] },
    errorMessage: "the model is gone",
    toolsCalled: [
      tool({}),
      tool({ result: 'Cannot call "charge": it has no mock, no function and no allowed URL' }),
      tool({ mocked: true, result: "planned" }),
      tool({ outcome: "succeeded", result: "ok" }),
    ],
    checks: [
      check("ends", "not dead_air", "no"),
      check("includes", "x", "no"),
      check("includes", "x", "no"),
      { ...check("includes", "passed", "yes"), passed: true },
    ],
  });
  assert.deepEqual(
    failureFacts(desk, result).map(({ kind, node, name, fact }) => [kind, node, name, fact]),
    [
      ["caller", "", "", "The caller broke its rules: it hung up early"],
      ["error", "", "", "The call ended in an error: the model is gone"],
      [
        "unmocked_tool",
        "pay",
        "charge",
        'Nothing answered the tool "charge": it has no mock, no function and no allowed URL.',
      ],
      ["tool_failed", "pay", "charge", 'The tool "charge" failed: declined'],
      ["not_said", "talk", "x", 'The agent should have said "x": no.'],
      ["ended", "talk", "", "The call ended in an unexpected way: no."],
    ],
  );
});
