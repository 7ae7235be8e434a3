import assert from "node:assert/strict";
import { test } from "node:test";
import { type ConversationOptions, conversation } from "../../../src/call/engine/mod.ts";
import { type ScriptedQueues, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { pick, to } from "./calls.ts";

const CONNECTED = '{"event":"The call is connected. You speak first."}';
const SILENCE = '{"event":"The caller says nothing."}';
const GO_ON = '{"event":"It is still your turn. Go on."}';

/** A call whose model keeps its requests: each with its roles and texts, and its tools. */
function watched(
  nodes: { readonly [id: string]: object },
  queues: ScriptedQueues,
  { metadata = {}, ...options }: Omit<ConversationOptions, "models"> & { readonly metadata?: object } = {},
) {
  const model = scripted(queues);
  const requests: { readonly messages: readonly string[]; readonly tools: unknown }[] = [];
  const agent: typeof model = {
    ...model,
    doGenerate: (request) => {
      const messages = request.prompt.map(({ role, content }) => {
        const text = typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : ""));
        return `${role}: ${[text].flat().join("|")}`;
      });
      requests.push({ messages, tools: request.tools });
      return model.doGenerate(request);
    },
  };
  const graph = parseGraph({ nodes, entry_node_id: Object.keys(nodes)[0], source_metadata: metadata });
  return { model, requests, call: conversation(graph, { models: { agent }, ...options }) };
}

/** The chat messages of the last request, without the instructions. */
const said = (requests: ReturnType<typeof watched>["requests"]) => requests.at(-1)?.messages.slice(1);

test("the opening request has one caller message, the event that the call is connected", async () => {
  const { call, requests } = watched({ ask: { state_prompt: "Ask." } }, { respond: ["Hi."] });
  await call.open();
  assert.deepEqual(said(requests), [`user: ${CONNECTED}`]);
});

test("a reply request has what was said, in order, and a silent caller as an event", async () => {
  const { call, requests } = watched({ ask: { state_prompt: "Ask." } }, { respond: ["Hi.", "Hello?", "Good."] });
  await call.open();
  await call.hear("  ");
  assert.deepEqual(said(requests), [`user: ${CONNECTED}`, "assistant: Hi.", `user: ${SILENCE}`]);
  await call.hear("I am here.");
  assert.deepEqual(said(requests), [
    `user: ${CONNECTED}`,
    "assistant: Hi.",
    `user: ${SILENCE}`,
    "assistant: Hello?",
    "user: I am here.",
  ]);
});

test("a reply request has no event before a caller who spoke first", async () => {
  const { call, requests } = watched(
    { ask: { state_prompt: "Ask." } },
    { respond: ["Hi."] },
    { metadata: { start_speaker: "user" } },
  );
  await call.open();
  await call.hear("Anybody there?");
  assert.deepEqual(said(requests), ["user: Anybody there?"]);
});

test("a node that speaks right after another one is asked to go on", async () => {
  const nodes = {
    greet: { state_prompt: "Greet.", transitions: [to("ask", undefined, { timing: "skip_response" })] },
    ask: { state_prompt: "Ask." },
  };
  const { call, requests } = watched(nodes, { respond: ["Welcome.", "What can I do?"] });
  await call.open();
  assert.deepEqual(said(requests), [`user: ${CONNECTED}`, "assistant: Welcome.", `user: ${GO_ON}`]);
});

test("the instructions are the general prompt and the node's prompt, with nothing in place of a missing one", async () => {
  const nodes = { ask: { state_prompt: "Ask {{who}}.", transitions: [to("next", "Caller answers")] }, next: {} };
  const both = watched(
    nodes,
    { respond: ["Hi."] },
    { metadata: { general_prompt: "Be kind." }, variables: { who: "Eva" } },
  );
  await both.call.open();
  assert.match(both.requests[0]?.messages[0] ?? "", /instructions\.\n\nBe kind\.\n\nAsk Eva\.$/);
  assert.deepEqual(both.model.calls[0]?.input, {
    general_instructions: "Be kind.",
    state_instructions: "Ask Eva.",
    conversation_history: [],
    user_message: "",
  });
  const neither = watched(nodes, { transition: [pick("next")], respond: ["Hi.", "Go."] });
  await neither.call.open();
  await neither.call.hear("Yes.");
  assert.match(neither.requests.at(-1)?.messages[0] ?? "", /follow instructions\.$/);
});

test("the input of a reply has the caller's last message apart from the history", async () => {
  const { call, model } = watched({ ask: { state_prompt: "Ask." } }, { respond: ["Hi.", "Good.", "Fine."] });
  await call.open();
  await call.hear("One.");
  await call.hear("Two.");
  const input = model.calls.at(-1)?.input;
  assert.deepEqual(input, {
    general_instructions: "",
    state_instructions: "Ask.",
    conversation_history: [
      { role: "assistant", content: "Hi." },
      { role: "user", content: "One." },
      { role: "assistant", content: "Good." },
    ],
    user_message: "Two.",
  });
});

test("the result of a tool is a note after the caller's message that led to it", async () => {
  const nodes = {
    ask: { state_prompt: "Ask.", transitions: [to("look", "Caller gives the number")] },
    look: {
      node_type: "function",
      tools: [{ name: "look", description: "Looks up the order" }],
      transitions: [to("tell")],
    },
    tell: { state_prompt: "Tell." },
  };
  const { call, requests } = watched(
    nodes,
    { transition: [pick("none"), pick("look")], respond: ["Hi.", "Which number?", "It is on its way.", "Bye."] },
    { tools: { look: () => ({ state: "sent" }) } },
  );
  await call.open();
  await call.hear("Where is my order?");
  await call.hear("Number 7.");
  await call.hear("Thanks.");
  const instructions = requests.at(-1)?.messages[0] ?? "";
  assert.deepEqual(JSON.parse(instructions.slice(instructions.indexOf("\n[\n"))), [
    { after_caller_line: 2, tool: 'look({}) succeeded: {"state":"sent"}' },
  ]);
});

for (const turn of ["split", "speculative"] as const)
  test(`a ${turn} turn sends a node's tools, with an empty object as the parameters of one without any`, async () => {
    const seats = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
    const nodes = {
      ask: {
        state_prompt: "Ask.",
        tools: [
          { name: "look", description: "Looks" },
          { name: "book", description: "Books", parameters: seats },
        ],
        transitions: [to("bye", "Caller is done")],
      },
      bye: { node_type: "end", state_prompt: "Bye." },
    };
    const { call, requests } = watched(nodes, { transition: [pick("none")], respond: ["Hi.", "Yes."] }, { turn });
    await call.open();
    await call.hear("Hello.");
    const sent = requests.filter(({ tools }) => tools !== undefined).at(-1)?.tools;
    assert.deepEqual(JSON.parse(JSON.stringify(sent)), [
      { type: "function", name: "look", description: "Looks", inputSchema: { type: "object", properties: {} } },
      { type: "function", name: "book", description: "Books", inputSchema: seats },
    ]);
  });

test("a fused call whose reply is blank leaves the reply to a request of its own", async () => {
  const nodes = {
    ask: { state_prompt: "Ask.", transitions: [to("more", "Caller wants more")] },
    more: { state_prompt: "Tell more." },
  };
  const { call, model } = watched(
    nodes,
    {
      fused: [{ objectives_complete: true, transition_to: "more", reply: " " }],
      respond: ["Hi.", "There is more."],
    },
    { turn: "fused" },
  );
  await call.open();
  const turn = await call.hear("More, please.");
  assert.deepEqual(
    model.calls.map(({ signature }) => signature),
    ["respond", "fused", "respond"],
  );
  assert.equal(turn.messages.at(-1)?.content, "There is more.");
});
