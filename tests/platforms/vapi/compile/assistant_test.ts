import assert from "node:assert/strict";
import { test } from "node:test";
import { emitAssistant, recogniseAssistant } from "../../../../platforms/vapi/compile/mod.ts";
import { always, at, equal, graphOf, json, nameOf, records, told } from "./graphs.ts";
import { isVetoed } from "./liquid.ts";

test("emitAssistant() emits a graph of one node without a loss", () => {
  const graph = graphOf(
    { desk: { state_prompt: "Answer questions about {{shop}}.", tools: [{ name: "find", description: "Finds" }] } },
    { default_model: "openai/gpt-4.1", source_metadata: { begin_message: "Hello.", general_prompt: "Be kind." } },
  );
  const { config, losses } = emitAssistant(graph);
  const { metadata: _hint, ...assistant } = json(config);
  assert.deepEqual(losses, []);
  assert.deepEqual(assistant, {
    name: "desk",
    firstMessage: "Hello.",
    firstMessageMode: "assistant-speaks-first",
    model: {
      provider: "openai",
      model: "gpt-4.1",
      messages: [{ role: "system", content: "Be kind.\n\nAnswer questions about {{shop}}." }],
      tools: [
        {
          type: "function",
          function: { name: "find", description: "Finds", parameters: { type: "object", properties: {} } },
        },
      ],
    },
  });
});

test("emitAssistant() keeps the author's settings of the whole agent, and an import finds them again", () => {
  const vapi = {
    server: { url: "https://acme.test/hook", timeoutSeconds: 20 },
    backgroundSound: "off",
    membersOverrides: { endCallMessage: "Goodbye." },
  };
  const graph = graphOf({ desk: { state_prompt: "Answer." } }, { source_metadata: { vapi } });
  const { config, losses } = emitAssistant(graph);
  assert.deepEqual(losses, []);
  assert.deepEqual([config.server, config.backgroundSound, config.endCallMessage], [vapi.server, "off", "Goodbye."]);
  assert.deepEqual(recogniseAssistant(json(config)).graph?.source_metadata.vapi, vapi);
});

test("emitAssistant() reports the author's settings that only squads have", () => {
  const overrides = { variableValues: { shop: "Lamp" }, "tools:append": [{ type: "endCall" }] };
  const vapi = { members: [], membersOverrides: overrides };
  const { losses } = emitAssistant(graphOf({ desk: { state_prompt: "Answer." } }, { source_metadata: { vapi } }));
  assert.deepEqual(
    losses.map(({ code, kind, path }) => [code, kind, path.slice(2).join(" › ")]),
    ["members", "membersOverrides › variableValues", "membersOverrides › tools:append"].map((path) => [
      "setting-dropped",
      "dropped",
      path,
    ]),
  );
});

test("emitAssistant() writes defaults into placeholders, because assistants cannot store them", () => {
  const source_metadata = { default_dynamic_variables: { shop: 'The "Lamp"' } };
  const { config } = emitAssistant(graphOf({ a: { state_prompt: "Answer for {{ shop }}." } }, { source_metadata }));
  const [message] = records(json(config), "model", "messages");
  assert.equal(message?.content, 'Answer for {{ shop | default: "The \\u0022Lamp\\u0022" }}.');
});

const GRAPH = graphOf({
  ask: { state_prompt: "Ask for the plan.", transitions: [equal("gold", "plan", "gold"), always("other", "else")] },
  gold: { state_prompt: "Thank them.", transitions: [told("bye", "Caller is done")] },
  other: { state_prompt: "Offer gold.", transitions: [told("ask", "Caller changes their mind")] },
  help: {
    global_node_setting: {
      condition: "Caller asks for help",
      go_back_conditions: [{ condition: { type: "llm_prompt", value: "ok" } }],
    },
  },
  bye: { node_type: "end", state_prompt: "Say goodbye." },
});

test("emitAssistant() emits nodes as steps, and its tools move the call only along the graph", () => {
  const assistant = json(emitAssistant(GRAPH).config);
  const tools = records(assistant, "model", "tools");
  const open = (variables: object) => tools.filter((tool) => !isVetoed(tool, { ...variables })).map(nameOf);
  assert.deepEqual(
    open({ plan: "gold" }),
    ["to_gold_from_ask"],
    "the call starts at the entry, an equation comes first",
  );
  assert.deepEqual(open({ plan: "free" }), ["to_other_from_ask", "to_help_from_ask"]);
  assert.deepEqual(open({ step: "gold" }), ["to_help_from_gold", "endCall"]);
  assert.deepEqual(open({ step: "help", from_help: "other" }), ["to_other_from_help"]);
  const aliases = tools.map((tool) => records(tool, "variableExtractionPlan", "aliases").map(({ key }) => key));
  assert.deepEqual(aliases[1], ["step"]);
  assert.deepEqual(aliases[2], ["step", "from_help"]);
  const [message] = records(assistant, "model", "messages");
  assert.match(
    String(message?.content),
    /## gold\nThank them\.\n- Caller is done: first do this: Say goodbye\.\n {2}Then call endCall\./,
  );
});

test("emitAssistant() reports that the prompt emulates the steps", () => {
  const codes = emitAssistant(GRAPH).losses.map(({ code }) => code);
  assert.ok(codes.includes("steps-in-prompt"));
  assert.equal(at(json(emitAssistant(GRAPH).config), "model").provider, "openai");
});
