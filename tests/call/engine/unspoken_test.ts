import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { conversation } from "../../../src/call/engine/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { createSpokenFilter, spokenText } from "../../../src/call/models/text/answer.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { type ChatAnswer, type ChatRequest, startChatServer } from "../../chat_server.ts";
import { fc } from "../../properties.ts";

const QUICK = { requests: { retry: { minDelayMs: 0 } } } as const;
const graph = parseGraph({
  nodes: { a: { state_prompt: "Help.", tools: [{ name: "check", description: "" }] } },
  entry_node_id: "a",
  source_metadata: {},
});

/** What a caller hears of a model that answers by this function, and what it streams. */
async function heard(answer: (request: ChatRequest, index: number) => ChatAnswer, lines: readonly string[]) {
  await using server = await startChatServer(answer);
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const told: string[] = [];
  const tools = { check: () => "unpaid" };
  const call = conversation(graph, {
    models: { agent },
    tools,
    listeners: { onToken: ({ text }) => told.push(text) },
    ...QUICK,
  });
  await call.open();
  for (const line of lines) if (!call.ended) await call.hear(line);
  const spoken = call.transcript.filter(({ role }) => role === "assistant").map(({ content }) => content);
  return { spoken, told: told.join(""), call, requests: server.requests };
}

test("notes that the model repeats are not spoken", async () => {
  const echo = ({ messages }: ChatRequest): ChatAnswer => ({ say: messages.at(-1)?.content ?? "" });
  const { spoken, told, call } = await heard(echo, ["Hello?"]);
  assert.deepEqual([spoken, told, call.endReason], [[], "", "failed"]);
});

test("a reply that quotes notes is spoken without them", async () => {
  const answers: ChatAnswer[] = [{ say: "Hello." }, { call: { name: "check", arguments: {} } }, { say: "One moment." }];
  const reader = ({ messages }: ChatRequest, index: number): ChatAnswer => {
    const notes = (messages[0]?.content ?? "").split("\n").filter((line) => line.startsWith(" {"));
    return answers[index] ?? { say: `${notes.join("").trim()} It is unpaid.` };
  };
  const { spoken, told, requests } = await heard(reader, ["Is it paid?", "Well?"]);
  assert.deepEqual(spoken, ["Hello.", "One moment.", "It is unpaid."]);
  assert.equal(told, "Hello.One moment. It is unpaid.");
  const sent = JSON.stringify(requests.at(-1)?.messages.slice(1));
  assert.doesNotMatch(sent, /succeeded|unpaid/);
});

test("thoughts are neither spoken nor streamed, anywhere in a reply", async () => {
  const answers = [
    "<think>They call. {x}</think>\n\nHello.",
    "Yes.<THINKING>Is it?</THINKING> It is.",
    "Is it?</think>It is.",
    "No.<think>Never ends",
  ];
  const { spoken, told } = await heard((_, index) => ({ say: answers[index] ?? "Bye." }), ["a", "b", "c"]);
  assert.deepEqual(spoken, ["Hello.", "Yes. It is.", "It is.", "No."]);
  assert.doesNotMatch(told, /They call|Never ends|<think/i);
  const agent = scripted({
    fused: [{ objectives_complete: true, transition_to: "none", reply: "<think>Hm.</think>Well." }],
  });
  const nodes = {
    a: {
      state_prompt: "Help.",
      transitions: [{ target_node_id: "b", condition: { type: "llm_prompt", value: "They are done" } }],
    },
    b: { state_prompt: "Bye." },
  };
  const fused = parseGraph({ nodes, entry_node_id: "a", source_metadata: { begin_message: "Hi." } });
  const call = conversation(fused, { models: { agent }, turn: "fused" });
  await call.open();
  assert.deepEqual((await call.hear("Hello")).spoken, ["Well."]);
});

test("a reply with only thoughts counts as empty and is requested again", async () => {
  const { spoken } = await heard((_, index) => ({ say: index === 0 ? "<think>Hm.</think>" : "Hello." }), []);
  assert.deepEqual(spoken, ["Hello."]);
});

test("streamed and spoken text are equal, however a reply is split", () => {
  const notes = ['{"event":"x"}', '{"event":"y"}'];
  const part = fc.constantFrom(
    "a",
    " ",
    "<",
    "{",
    '{"event":',
    '"x"}',
    '{"event":"y"}',
    "<think>",
    "</think",
    ">",
    "<b>",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(8), { maxLength: 30 }), (parts, cuts) => {
      // without a thought that only its end makes one: that was streamed already
      const text = parts.join("").replaceAll("</think>", "");
      const filter = createSpokenFilter(notes);
      let streamed = "";
      let at = 0;
      for (const cut of cuts) {
        streamed += filter.push(text.slice(at, at + cut));
        at += cut;
      }
      streamed += filter.push(text.slice(at)) + filter.end();
      assert.equal(streamed, spokenText(text, notes));
      assert.equal(filter.spoken(), streamed);
    }),
  );
});
