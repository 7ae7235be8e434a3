import assert from "node:assert/strict";
import { test } from "node:test";
import { emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import {
  always,
  at,
  equal,
  graphOf,
  handoffTo,
  json,
  memberOf,
  nameOf,
  promptOf,
  records,
  told,
  toolsOf,
} from "./graphs.ts";
import { isVetoed } from "./liquid.ts";

const squadOf = (...parts: Parameters<typeof graphOf>) => json(emitSquad(graphOf(...parts)).config);
const namesOf = (squad: unknown) => records(squad, "members").map((member) => at(member, "assistant").name);

test("emitSquad() makes the entry node the first member", () => {
  const squad = squadOf({ a: {}, b: { transitions: [told("a", "again")] } }, { entry_node_id: "b" });
  assert.deepEqual(namesOf(squad), ["b", "a"]);
});

test("emitSquad() emits each LLM transition as a silent handoff with the condition as its description", () => {
  const squad = squadOf({ a: { transitions: [told("b", "Caller wants to book")] }, b: {} });
  const member = memberOf(squad, "a");
  assert.deepEqual(records(member, "assistantOverrides", "tools:append"), [
    {
      type: "handoff",
      function: { name: "to_b", description: "Caller wants to book", parameters: { type: "object", properties: {} } },
      destinations: [
        {
          type: "assistant",
          assistantName: "b",
          description: "Caller wants to book",
          contextEngineeringPlan: { type: "all" },
        },
      ],
      messages: [],
    },
  ]);
  assert.match(promptOf(member), /# How to go on\n- Caller wants to book: call to_b\.$/);
});

test("emitSquad() writes the general prompt before each prompt, and expands snippets", () => {
  const squad = squadOf(
    { a: { state_prompt: "Greet {{name}}. {%bye%} {%lost%}" } },
    { source_metadata: { general_prompt: "Be kind." }, snippets: { bye: "Say bye." } },
  );
  const [before, after] = ["Be kind.\n\nGreet {{name}}. Say bye. {{ ", " }}"];
  assert.equal(promptOf(memberOf(squad, "a")), `${before}"\\u007b\\u0025lost\\u0025\\u007d"${after}`);
});

test("emitSquad() opens the call as the graph does, and other members as their nodes do", () => {
  const opening = (rest: object, id = "a") => {
    const nodes = {
      a: { transitions: [told("b", "x")] },
      b: { instruction_type: "static_text", state_prompt: "Hold on." },
    };
    const { firstMessage, firstMessageMode } = at(memberOf(squadOf(nodes, { source_metadata: rest }), id), "assistant");
    return [firstMessage, firstMessageMode];
  };
  const generated = "assistant-speaks-first-with-model-generated-message";
  assert.deepEqual(opening({ begin_message: "Hello." }), ["Hello.", "assistant-speaks-first"]);
  assert.deepEqual(opening({ begin_message: "" }), [undefined, "assistant-waits-for-user"]);
  assert.deepEqual(opening({ start_speaker: "user", begin_message: "Hi" }), [undefined, "assistant-waits-for-user"]);
  assert.deepEqual(opening({}), ["", generated]);
  assert.deepEqual(opening({}, "b"), ["Hold on.", "assistant-speaks-first"]);
});

test("emitSquad() does not repeat the begin message when the first member is entered again", () => {
  const nodes = { a: { transitions: [told("b", "x")] }, b: { transitions: [told("a", "back")] } };
  const squad = squadOf(nodes, { source_metadata: { begin_message: "Hello." } });
  const [destination] = records(handoffTo(memberOf(squad, "b"), "a"), "destinations");
  assert.deepEqual(at(destination, "assistantOverrides"), {
    firstMessage: "",
    firstMessageMode: "assistant-speaks-first-with-model-generated-message",
  });
});

test("emitSquad() lets a target wait for the caller after an always transition, unless it skips the response", () => {
  for (const [timing, mode] of [
    ["after_speech", "assistant-waits-for-user"],
    ["skip_response", undefined],
  ] as const) {
    const member = memberOf(squadOf({ a: { transitions: [always("b", timing)] }, b: {} }), "a");
    const [destination] = records(handoffTo(member, "b"), "destinations");
    assert.equal(at(destination, "assistantOverrides").firstMessageMode, mode);
  }
});

test("emitSquad() emits an extract node as a code tool; guards read its aliases", () => {
  const squad = squadOf({
    ask: { transitions: [told("read", "Caller names a plan")] },
    read: {
      node_type: "extract",
      variables_to_extract: [
        { name: "plan", description: "Plan", type: "enum", choices: ["gold", "free"] },
        { name: "seats", description: "", type: "number" },
      ],
      transitions: [equal("gold", "plan", "gold"), always("other")],
    },
    gold: {},
    other: {},
  });
  assert.deepEqual(namesOf(squad), ["ask", "gold", "other"]);
  const ask = memberOf(squad, "ask");
  const [code] = records(ask, "assistant", "model", "tools");
  assert.deepEqual(at(code, "function", "parameters"), {
    type: "object",
    properties: { plan: { type: "string", description: "Plan", enum: ["gold", "free"] }, seats: { type: "number" } },
    required: [],
  });
  assert.equal(code?.type, "code");
  assert.deepEqual(records(code, "variableExtractionPlan", "aliases"), [
    { key: "plan", value: "{{ $.plan | default: plan, allow_false: true }}" },
    { key: "seats", value: "{{ $.seats | default: seats, allow_false: true }}" },
    { key: "did_read", value: "true" },
  ]);
  const open = (variables: object) => ["gold", "other"].filter((id) => !isVetoed(handoffTo(ask, id), { ...variables }));
  assert.deepEqual(open({ plan: "gold" }), [], "nothing is open before the variables have been taken down");
  assert.deepEqual(open({ plan: "gold", did_read: "true" }), ["gold"]);
  assert.deepEqual(open({ plan: "free", did_read: "true" }), ["other"]);
});

test("emitSquad() folds consecutive logic nodes into the guards of their sources", () => {
  const squad = squadOf({
    a: { transitions: [told("first", "done")] },
    first: { node_type: "logic", transitions: [equal("b", "x", "1"), always("second")] },
    second: { node_type: "logic", transitions: [equal("c", "y", "1"), always("b")] },
    b: {},
    c: {},
  });
  const a = memberOf(squad, "a");
  const open = (variables: object) =>
    toolsOf(a)
      .filter((tool) => !isVetoed(tool, { ...variables }))
      .map(nameOf);
  assert.deepEqual(namesOf(squad), ["a", "b", "c"]);
  assert.deepEqual(open({ x: "1", y: "1" }), ["to_b"]);
  assert.deepEqual(open({ y: "1" }), ["to_c"]);
  assert.deepEqual(open({}), ["to_b_2"]);
});

test("emitSquad() emits silent nodes in a cycle as members", () => {
  const squad = squadOf({
    a: { transitions: [told("one", "x")] },
    one: { node_type: "logic", transitions: [equal("two", "x", "1"), equal("a", "x", "2")] },
    two: { node_type: "logic", transitions: [always("one")] },
  });
  assert.equal(records(squad, "members").length, 2);
});

test("emitSquad() emits ends and transfers as tools of the members that lead there", () => {
  const squad = squadOf({
    a: { transitions: [told("bye", "Caller is done"), told("desk", "Caller wants a person")] },
    bye: { node_type: "end", instruction_type: "static_text", state_prompt: "Goodbye." },
    desk: { node_type: "transfer", metadata: { retell: { transfer_destination: { number: "+14155550100" } } } },
  });
  const [end, transfer] = records(memberOf(squad, "a"), "assistantOverrides", "tools:append");
  assert.deepEqual(end, {
    type: "endCall",
    messages: [{ type: "request-start", content: "Goodbye.", blocking: true }],
  });
  assert.deepEqual(transfer, {
    type: "transferCall",
    destinations: [{ type: "number", number: "+14155550100", message: "", description: "Caller wants a person" }],
    messages: [],
  });
  assert.match(promptOf(memberOf(squad, "a")), /- Caller is done: call endCall\./);
});

test("emitSquad() emits ends as members if their guards differ", () => {
  const squad = squadOf({
    a: { transitions: [equal("won", "x", "1"), equal("lost", "x", "2")] },
    won: { node_type: "end", instruction_type: "static_text", state_prompt: "You won." },
    lost: { node_type: "end", instruction_type: "static_text", state_prompt: "You lost." },
  });
  assert.deepEqual(namesOf(squad), ["a", "won", "lost"]);
  assert.equal(at(memberOf(squad, "won"), "assistant").firstMessage, "You won.");
  assert.deepEqual(toolsOf(memberOf(squad, "won")), [{ type: "endCall", messages: [] }]);
});

test("emitSquad() adds a function node's tool to the members that lead to it, and guards by its outcome", () => {
  const parameters = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };
  const squad = squadOf({
    a: { transitions: [told("look", "Caller names an order")] },
    look: {
      node_type: "function",
      tools: [
        {
          name: "look_up",
          description: "Finds it",
          url: "https://example.com/a",
          parameters,
          response_variables: { s: "$.s" },
        },
      ],
      transitions: [
        { target_node_id: "found", condition: { type: "tool_call", value: "look_up", outcome: "succeeded" } },
        { target_node_id: "gone", condition: { type: "tool_call", value: "look_up", outcome: "failed" } },
      ],
    },
    found: {},
    gone: {},
  });
  const a = memberOf(squad, "a");
  const [tool] = records(a, "assistant", "model", "tools");
  assert.deepEqual(
    [
      tool?.type,
      at(tool, "function"),
      records(tool, "environmentVariables"),
      records(tool, "variableExtractionPlan", "aliases"),
    ],
    [
      "code",
      { name: "look_up", description: "Finds it", parameters },
      [{ name: "URL", value: "https://example.com/a" }],
      [
        { key: "s", value: "{{ $.result.s | default: s, allow_false: true }}" },
        { key: "did_look", value: "{{$.outcome}}" },
      ],
    ],
  );
  const open = (variables: object) => ["found", "gone"].filter((id) => !isVetoed(handoffTo(a, id), { ...variables }));
  assert.deepEqual(open({ did_look: "succeeded" }), ["found"]);
  assert.deepEqual(open({ did_look: "failed" }), ["gone"]);
  assert.deepEqual(open({}), [], "neither way is open before the tool was called");
  assert.match(String(at(handoffTo(a, "found"), "function").description), /Caller names an order.*look_up succeeded/);
  assert.match(String(at(handoffTo(a, "gone"), "function").description), /Caller names an order.*look_up failed/);
});

test("emitSquad() writes the defaults of variables to the overrides of all members", () => {
  const squad = squadOf({ a: {} }, { source_metadata: { default_dynamic_variables: { shop: "Lumen", open: true } } });
  assert.deepEqual(at(squad, "membersOverrides"), { variableValues: { shop: "Lumen", open: true } });
});

test("emitSquad() merges an author's settings for Vapi into members and squad", () => {
  const squad = squadOf(
    { a: { metadata: { vapi: { voice: { provider: "vapi", voiceId: "Elliot" }, model: { temperature: 0.2 } } } } },
    { default_model: "anthropic/claude-sonnet-4-5", source_metadata: { vapi: { name: "shop" } } },
  );
  const { voice, model } = at(memberOf(squad, "a"), "assistant");
  assert.equal(squad.name, "shop");
  assert.deepEqual(voice, { provider: "vapi", voiceId: "Elliot" });
  assert.deepEqual(
    [at({ model }, "model").provider, at({ model }, "model").model, at({ model }, "model").temperature],
    ["anthropic", "claude-sonnet-4-5", 0.2],
  );
});

test("emitSquad() treats ids such as __proto__ as ordinary ids", () => {
  const graph = graphOf(JSON.parse('{"constructor":{},"toString":{}}'), { entry_node_id: "constructor" });
  const nodes = JSON.parse(
    '{"__proto__":{"id":"__proto__","transitions":[{"target_node_id":"constructor","condition":{"type":"llm_prompt","value":"x"}}]}}',
  );
  const { config } = emitSquad({ ...graph, nodes: { ...graph.nodes, ...graphOf({ ...graph.nodes, ...nodes }).nodes } });
  assert.deepEqual(namesOf(json(config)), ["constructor", "toString", "__proto__"]);
});
