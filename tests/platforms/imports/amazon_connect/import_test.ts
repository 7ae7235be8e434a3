import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent, parseGraph } from "../../../../mod.ts";
import { convert } from "../../../../src/agent/convert/mod.ts";
import * as fc from "../../../fast_check.ts";
import { lostParts, type Parts } from "../_law.ts";
import { CLINIC } from "./_flow.ts";

const OWNER = "amazon-connect";
const { graph, format, findings } = importAgent(JSON.stringify(CLINIC));

test("importAgent() detects a flow of Connect, and takes its name and its first block", () => {
  assert.equal(format, OWNER);
  assert.equal(graph.entry_node_id, "log");
  assert.deepEqual(graph.source_metadata, { name: "Clinic" });
  assert.equal(graph.nodes.welcome?.state_prompt, "Welcome to the clinic.");
});

test("a flow is read from the answer of describe-contact-flow, with its path there", () => {
  const answer = { ContactFlow: { Name: "Front desk", Content: JSON.stringify(CLINIC) } };
  const described = importAgent(JSON.stringify(answer));
  assert.deepEqual([described.format, described.graph.source_metadata.name], [OWNER, "Front desk"]);
  assert.deepEqual(described.graph.nodes, graph.nodes);
  assert.deepEqual(
    described.findings.map(({ path }) => path),
    findings.map(({ path }) => ["ContactFlow", "Content", ...path]),
  );
  const deep = { ContactFlow: { Content: `{"StartAction":"a","Actions":[${"[".repeat(900)}${"]".repeat(900)}]}` } };
  assert.throws(() => importAgent(deep), { code: "unknown-format" });
});

test("a menu asks, and its keys become equations; silence is a condition in words", () => {
  const { menu, "menu answer": answer } = graph.nodes;
  assert.deepEqual(
    menu?.transitions.map(({ target_node_id: to, condition, timing }) => [to, condition.type, timing]),
    [
      ["menu", "llm_prompt", undefined],
      ["menu answer", "llm_prompt", undefined],
      ["menu answer", "always", "else"],
    ],
  );
  assert.deepEqual(
    answer?.transitions.map(({ target_node_id: to, condition }) => [to, condition.equations]),
    [
      ["lookup", [{ left: "pressed_keys", operator: "==", right: "1" }]],
      ["doctor", [{ left: "pressed_keys", operator: "==", right: "2" }]],
      ["menu", undefined],
    ],
  );
});

test("a Lambda function is a tool that sends attributes, and fills what the flow reads of it", () => {
  const [tool] = graph.nodes.lookup?.tools ?? [];
  assert.equal(tool?.name, "find_patient");
  assert.deepEqual(tool?.response_variables, { External_name: "$.name", External_visits: "$.visits" });
  assert.match(JSON.stringify(tool?.parameters), /\{\{CustomerEndpoint_Address\}\}/);
  assert.deepEqual(
    graph.nodes.lookup?.transitions.map(({ target_node_id: to, condition }) => [to, condition.outcome]),
    [
      ["remember", "succeeded"],
      ["doctor", "failed"],
    ],
  );
});

test("attributes are set by a model, and references to them are variables", () => {
  assert.deepEqual(
    graph.nodes.remember?.variables_to_extract.map(({ name, choices }) => [name, choices]),
    [
      ["patient", undefined],
      ["channel", ["phone"]],
    ],
  );
  assert.equal(graph.nodes.hello?.state_prompt, "Hello {{patient}}.");
});

test("a comparison becomes equations, and words where there is no equation", () => {
  assert.deepEqual(
    graph.nodes.known?.transitions.map(({ target_node_id: to, condition }) => [
      to,
      condition.equations ?? condition.value,
    ]),
    [
      ["doctor", [{ left: "External_visits", operator: ">", right: "3" }]],
      ["bye", '{{External_visits}} text starts with "none"'],
      ["hello", ""],
    ],
  );
});

test("what was not read is named by its path", () => {
  const named = findings.map(({ code, path }) => `${code} ${path.join(".")}`);
  for (const each of [
    "markup Actions.1.Parameters.SSML",
    "unread-branch Actions.1.Transitions.Errors.0",
    "unread-branch Actions.2.Transitions.NextAction",
    "condition-in-words Actions.5.Transitions.Conditions.1",
    "tool-without-url Actions.3",
    "after-transfer Actions.7.Transitions.NextAction",
  ])
    assert.ok(named.includes(each), each);
  assert.ok(!named.some((each) => each.startsWith("unknown-node")));
});

test("wrong parts are named and not fatal, and the flow is converted to a platform", () => {
  const found = importAgent({ StartAction: "x", Actions: [3, { Identifier: "a", Type: "New" }, { Identifier: "a" }] });
  assert.deepEqual(Object.keys(found.graph.nodes), ["a", "a-2", "end of the flow"]);
  assert.deepEqual(
    found.findings.map(({ code }) => code),
    ["unread-part", "unknown-node", "unknown-node", "duplicate-node", "unknown-entry"],
  );
  for (const to of ["retell", "vapi-squad"] as const) assert.ok(convert(graph, { to }).text.includes("clinic"));
  assert.throws(() => emit(graph, OWNER), { code: "format-not-emitted" });
});

const NAMES = ["a", "b", "__proto__", "constructor", "end of the flow", "a answer", "c d"];
const TYPES = [
  ...["MessageParticipant", "GetParticipantInput", "ConnectParticipantWithLexBot", "Compare", "InvokeLambdaFunction"],
  ...["UpdateContactAttributes", "UpdateFlowAttributes", "TransferParticipantToThirdParty", "TransferContactToQueue"],
  ...["DisconnectParticipant", "CheckHoursOfOperation", "Loop", "UpdateContactTargetQueue", "New", "toString", ""],
];
const ERRORS = ["NoMatchingError", "NoMatchingCondition", "InputTimeLimitExceeded", "CallFailed", "Other"];
const PARAMETERS = [
  "Text",
  "SSML",
  "PromptId",
  "ComparisonValue",
  "LambdaFunctionARN",
  "ThirdPartyPhoneNumber",
  "QueueId",
];
const target = fc.constantFrom(...NAMES, "gone");

const block = fc.record({
  id: fc.constantFrom(...NAMES),
  type: fc.constantFrom(...TYPES),
  keys: fc.uniqueArray(fc.constantFrom(...PARAMETERS), { maxLength: 4 }),
  isReference: fc.boolean(),
  attributes: fc.integer({ min: 0, max: 2 }),
  next: fc.option(target, { nil: undefined }),
  errors: fc.array(fc.record({ NextAction: target, ErrorType: fc.constantFrom(...ERRORS) }), { maxLength: 3 }),
  conditions: fc.array(
    fc.record({ to: target, operator: fc.constantFrom("Equals", "NumberLessThan", "TextStartsWith", "New") }),
    { maxLength: 3 },
  ),
});

/** A flow whose texts are all different, and its parts. */
const flows = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => {
  const actions = blocks.map(({ id, type, keys, isReference, attributes, next, errors, conditions }, index) => {
    const list = Array.from({ length: attributes }, (_, at) => [`k${at}`, `T${index}-${at}-V`]);
    const given = keys.map((key) => [
      key,
      key === "ComparisonValue" && isReference ? "$.Attributes.x" : `T${index}-${key}`,
    ]);
    const fields = { Attributes: Object.fromEntries(list), LambdaInvocationAttributes: Object.fromEntries(list) };
    return {
      Identifier: id,
      Type: type,
      Parameters: { ...Object.fromEntries(given), ...fields },
      Transitions: {
        ...(next === undefined ? {} : { NextAction: next }),
        Errors: errors,
        Conditions: conditions.map(({ to, operator }, at) => ({
          NextAction: to,
          Condition: { Operator: operator, Operands: [`T${index}-${at}-O`] },
        })),
      },
    };
  });
  const ids = new Set(actions.map(({ Identifier: id }) => id));
  const isFirst = (id: string, index: number) => actions.findIndex((each) => each.Identifier === id) === index;
  const parts: Parts = {
    nodes: actions.map(({ Identifier: id }, index) => ({ id, path: ["Actions", index] })),
    texts: actions.flatMap(({ Parameters, Transitions }, index) => [
      ...Object.entries<unknown>(Parameters).flatMap(([key, value]) => {
        const path = ["Actions", index, "Parameters", key];
        const texts: readonly unknown[] = typeof value === "string" ? [value] : Object.values(value ?? {});
        return texts.map((text) => ({ text: String(text).replace("$.Attributes.", ""), path }));
      }),
      ...Transitions.Conditions.map(({ Condition }, at) => ({
        text: Condition.Operands[0] ?? "",
        path: ["Actions", index, "Transitions", "Conditions", at],
      })),
    ]),
    ways: actions.flatMap(({ Identifier: from, Transitions: { NextAction: next, Errors, Conditions } }, index) => {
      if (!isFirst(from, index)) return [];
      const path = ["Actions", index, "Transitions"];
      const way = (to: string, ...at: readonly (string | number)[]) => ({
        from,
        to: ids.has(to) ? to : "",
        path: [...path, ...at],
      });
      return [
        ...(next === undefined ? [] : [way(next, "NextAction")]),
        ...Errors.map((each, at) => way(each.NextAction, "Errors", at)),
        ...Conditions.map((each, at) => way(each.NextAction, "Conditions", at)),
      ];
    }),
  };
  return { document: { Version: "2019-10-30", StartAction: actions[0]?.Identifier ?? "", Actions: actions }, parts };
});

test("every block, text and branch of a random flow is in the graph, or named in a finding", () => {
  fc.assert(
    fc.property(flows, ({ document, parts }) => {
      const imported = importAgent(JSON.stringify(document));
      assert.deepEqual(lostParts(parts, imported, OWNER), []);
      assert.deepEqual(parseGraph(JSON.parse(JSON.stringify(imported.graph))), imported.graph);
    }),
    { numRuns: 500 },
  );
});
