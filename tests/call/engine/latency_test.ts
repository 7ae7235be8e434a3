import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { type AgentGraph, conversation, parseGraph, scripted } from "../../../mod.ts";
import type { ConversationOptions } from "../../../src/call/engine/mod.ts";
import { createCallClock } from "../../../src/call/models/mod.ts";
import { TestClock } from "../../test_clock.ts";

const NONE = { transition: 0, extraction: 0, tools: 0, reply: 0 };
const tool = { name: "look_up", description: "", parameters: {} };
const GRAPH = parseGraph({
  entry_node_id: "ask",
  source_metadata: { begin_message: "Hello!" },
  nodes: {
    ask: { state_prompt: "Ask.", transitions: [{ target_node_id: "name", condition: llm("Caller gives a name") }] },
    name: {
      node_type: "extract",
      variables_to_extract: [{ name: "caller", description: "", type: "string" }],
      transitions: [{ target_node_id: "find", condition: { type: "always", value: "" } }],
    },
    find: {
      node_type: "function",
      tools: [tool],
      transitions: [{ target_node_id: "tell", condition: { type: "always", value: "" } }],
    },
    tell: { state_prompt: "Tell.", tools: [{ ...tool, name: "more" }] },
  },
});

function llm(value: string) {
  return { type: "llm_prompt", value } as const;
}

const GO = { objectives_complete: true, transition_to: "name" };
const STAY = { objectives_complete: false, transition_to: "none" };

/** A call whose models and tools take the given time. */
function timedCall(
  answers: (after: <Value>(ms: number, value: Value) => () => Value) => Parameters<typeof scripted>[0],
  options: Partial<ConversationOptions> = {},
  graph: AgentGraph = GRAPH,
) {
  const time = new TestClock();
  const after = <Value>(ms: number, value: Value) => {
    return () => {
      time.advance(ms);
      return value;
    };
  };
  const call = conversation(graph, {
    models: { agent: scripted(answers(after)) },
    clock: { startCall: () => createCallClock(time) },
    tools: { look_up: after(2_000, "found"), more: after(700, "more") },
    ...options,
  });
  return { call, time };
}

test("latency says what a turn waited for: transition, extraction, tools and reply", async () => {
  const { call } = timedCall((after) => ({
    transition: [after(400, GO)],
    extract: [after(300, { caller: "Ann" })],
    respond: [after(100, { toolCalls: [{ name: "more", arguments: {} }] }), after(900, "Here you are.")],
  }));
  await call.open();
  await call.hear("I am Ann");
  assert.deepEqual(call.latency, [
    { turn: 0, nodeId: "ask", firstWordMs: 0, parts: NONE },
    {
      turn: 1,
      nodeId: "tell",
      firstWordMs: 4_400,
      parts: { transition: 400, extraction: 300, tools: 2_700, reply: 1_000 },
    },
  ]);
});

test("latency ends at the first token of a reply that is streamed, and of its text beside no tool call", async () => {
  const words: string[] = [];
  const { call } = timedCall(
    (after) => ({
      transition: [after(50, STAY)],
      respond: [
        after(100, { text: "One moment.", toolCalls: [{ name: "more", arguments: {} }] }),
        after(200, "Here you are."),
      ],
    }),
    { listeners: { onToken: ({ text }) => words.push(text) } },
    { ...GRAPH, entry_node_id: "tell", source_metadata: {} },
  );
  await call.open();
  assert.deepEqual(words, ["One moment.", "Here you are."]);
  const parts = { ...NONE, tools: 700, reply: 300 };
  assert.deepEqual(call.latency, [{ turn: 0, nodeId: "tell", firstWordMs: 1_000, parts }]);
});

/** A model whose replies stream a token, and end later. */
function streamingModel(time: TestClock) {
  const model = scripted({ transition: [STAY, STAY] });
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const finishReason = { unified: "stop" as const, raw: "stop" };
  return {
    ...model,
    doStream: async () => {
      const parts: readonly (() => LanguageModelV3StreamPart)[] = [
        () => ({ type: "stream-start", warnings: [] }),
        () => {
          time.advance(150);
          return { type: "text-delta", id: "1", delta: "Hello" };
        },
        () => {
          time.advance(850);
          return { type: "text-delta", id: "1", delta: " there" };
        },
        () => ({ type: "finish", finishReason, usage }),
      ];
      const left = parts.values();
      const pull = (controller: ReadableStreamDefaultController<LanguageModelV3StreamPart>) => {
        const { value } = left.next();
        if (value) controller.enqueue(value());
        else controller.close();
      };
      return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }) }; // a part is made when it is read
    },
  };
}

test("requests.stream measures the first token without a listener", async () => {
  const time = new TestClock();
  const graph = { ...GRAPH, entry_node_id: "tell", source_metadata: {} };
  const call = conversation(graph, {
    models: { agent: streamingModel(time) },
    clock: { startCall: () => createCallClock(time) },
    requests: { stream: true },
  });
  await call.open();
  assert.equal(call.transcript[0]?.content, "Hello there");
  assert.deepEqual(call.latency, [{ turn: 0, nodeId: "tell", firstWordMs: 150, parts: { ...NONE, reply: 150 } }]);
});

test("latency of a fused turn counts its one request as the reply, and as the transition if its reply is not used", async () => {
  const used = timedCall((after) => ({ fused: [after(600, { ...STAY, reply: "Who is it?" })] }), { turn: "fused" });
  await used.call.open();
  await used.call.hear("Hm");
  assert.deepEqual(used.call.latency[1]?.parts, { ...NONE, reply: 600 });
  const moved = timedCall(
    (after) => ({
      fused: [after(600, { ...GO, reply: "Thank you." })],
      extract: [after(300, { caller: "Ann" })],
      respond: [after(900, "Here you are.")],
    }),
    { turn: "fused" },
  );
  await moved.call.open();
  await moved.call.hear("I am Ann");
  const parts = { transition: 600, extraction: 300, tools: 2_000, reply: 900 };
  assert.deepEqual(moved.call.latency[1], { turn: 1, nodeId: "tell", firstWordMs: 3_800, parts });
});

test("latency of a speculative turn counts the reply only for the time that the decision did not cover", async () => {
  const time = new TestClock();
  let sendReply = () => {};
  const replied = new Promise<void>((resolve) => {
    sendReply = resolve;
  });
  const model = scripted({ transition: [STAY], respond: ["Who is it?"] });
  const call = conversation(GRAPH, {
    models: {
      agent: {
        ...model,
        doGenerate: async (options: LanguageModelV3CallOptions) => {
          const isDecision = options.providerOptions?.callweave?.signature === "transition";
          const answer = await model.doGenerate(options);
          if (isDecision) {
            time.advance(400);
            setImmediate(() => {
              time.advance(250);
              sendReply();
            });
          } else await replied;
          return answer;
        },
      },
    },
    turn: "speculative",
    clock: { startCall: () => createCallClock(time) },
  });
  await call.open();
  await call.hear("Hm");
  const { transition = 0, reply = 0 } = call.latency[1]?.parts ?? {};
  assert.deepEqual([call.latency[1]?.firstWordMs, transition + reply], [650, 650]);
  assert.ok(transition >= 400, "the decision took 400 ms");
});

test("latency has no first word for a turn that was ended while the caller waited, and leaves aborted turns out", async () => {
  const hung = timedCall((after) => ({ transition: [after(10, STAY)], respond: [() => new Promise(() => {})] }), {
    listeners: { onMessage: ({ message: { role } }) => role === "tool" && hung.call.end("turn_timeout") },
  });
  await hung.call.open();
  await hung.call.hear("Hm");
  assert.deepEqual(hung.call.latency.slice(1), [{ turn: 1, nodeId: "ask", firstWordMs: null }]);
  const controller = new AbortController();
  const aborted = timedCall(() => ({ transition: [() => controller.abort()] }), { signal: controller.signal });
  await aborted.call.open();
  await aborted.call.hear("Hm");
  assert.equal(aborted.call.endReason, "aborted");
  assert.deepEqual(aborted.call.latency.length, 1);
});

test("latency has no opening in which the agent waits for the caller", async () => {
  const { call } = timedCall(() => ({}), {}, { ...GRAPH, source_metadata: { start_speaker: "user" } });
  await call.open();
  assert.deepEqual(call.latency, []);
});
