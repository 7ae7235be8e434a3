/** Model calls go to the provider without the AI SDK's `generateText`, and ask for the same as with it. */
import assert from "node:assert/strict";
import { channel } from "node:diagnostics_channel";
import process from "node:process";
import { test } from "node:test";
import type { LanguageModelV3CallOptions, SharedV3Warning } from "@ai-sdk/provider";
import type { LanguageModelMiddleware } from "ai";
import { conversation, type TurnMode } from "../../../src/call/engine/mod.ts";
import { generated } from "../../../src/call/models/embedded.ts";
import {
  type CallOptions,
  callForReply,
  createRecordings,
  type Model,
  type Recording,
  type RecordingStore,
  scripted,
} from "../../../src/call/models/mod.ts";
import { embeddedModel } from "../../../src/call/models/model.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { type ChatAnswer, type ChatRequest, fitting } from "../../chat_server.ts";
import { WITHOUT_PAUSES } from "../../test_clock.ts";
import { bothWays, CALLS, THROUGH_SDK } from "./_both_ways.ts";

const REFUSED = [[], ["json_schema"], ["json_schema", "json_object"], ["json_schema", "json_object", "tool"]] as const;

/** How a request asks for its answer. */
function formOf({ response_format: format, tools }: ChatRequest): string {
  if (tools) return "tool";
  return format?.type ?? "text";
}

const isRefused = (request: ChatRequest, refused: readonly string[]) => refused.includes(formOf(request));
const refusal: ChatAnswer = { status: 400, body: JSON.stringify({ error: { message: "response_format: no schema" } }) };

for (const [name, call] of Object.entries(CALLS)) {
  for (const refused of REFUSED) {
    test(`"${name}" sends the requests of generateText to a server that refuses [${refused.join(", ")}]`, async () => {
      const answer = (request: ChatRequest, index: number): ChatAnswer => {
        if (isRefused(request, refused)) return refusal;
        if (index % 2 === 1) return { say: '{"other":"words' }; // some answers cannot be used
        return request.tools ? { call: { name: "answer", arguments: {} } } : fitting(request);
      };
      const [own, sdk] = await bothWays(answer, (model, way) => call(model, { ...way, timers: WITHOUT_PAUSES }));
      assert.deepEqual(own, sdk);
      assert.ok((own?.requests.length ?? 0) > refused.length);
      assert.equal(formOf(own?.requests[0] ?? assert.fail()), "json_schema");
    });
  }
}

const wants = (target: string) => ({
  target_node_id: target,
  condition: { type: "llm_prompt", value: `Caller wants ${target}` },
});
const graph = parseGraph({
  entry_node_id: "a",
  source_metadata: { general_prompt: "Be kind." },
  nodes: {
    a: {
      state_prompt: "You help {{name}}.",
      transitions: [wants("find"), wants("done")],
      tools: [
        { name: "7", description: "", parameters: { properties: { size: { type: "number" } }, required: ["size"] } },
        { name: "look up ü", description: "Looks up an order" },
      ],
    },
    find: {
      node_type: "extract",
      variables_to_extract: [{ name: "order", description: "Its number", type: "text" }],
      transitions: [{ target_node_id: "a", condition: { type: "always" } }],
    },
    done: { node_type: "end", state_prompt: "Say goodbye." },
  },
});

/** Calls a tool, answers, extracts, answers and ends. */
function answerOf(request: ChatRequest): ChatAnswer {
  const said = JSON.stringify(request.messages);
  const called = request.messages.some(({ role }) => role === "tool");
  if (request.tools && said.includes("my order") && !called && !said.includes("find it"))
    return { call: { name: request.tools.at(-1)?.function.name ?? "", arguments: { id: "ü 1" } } };
  const target = said.includes("done, bye") ? "done" : said.includes("find it") ? "find" : "none";
  return fitting(request, { objectives_complete: true, transition_to: target, reply: "All right.", order: "17" });
}

for (const turn of ["split", "speculative", "fused"] satisfies readonly TurnMode[]) {
  for (const stream of [false, true]) {
    test(`a ${turn} call ${stream ? "streams" : "has"} the requests and replies of generateText`, async () => {
      const [own, sdk] = await bothWays(answerOf, async (agent, way) => {
        const tokens: string[] = [];
        const call = conversation(graph, {
          models: { agent },
          turn,
          variables: { name: "Ann" },
          tools: { "look up ü": ({ id }) => ({ found: id }), "7": () => "seven" },
          requests: { ...way, stream },
          clock: { now: () => new Date(0) },
          ...(stream ? { listeners: { onToken: ({ text }) => void tokens.push(text) } } : {}),
        });
        await call.open();
        for (const line of ["Where is my order?", "find it", "done, bye"]) await call.hear(line);
        const usage = call.usage.map(({ modelMs: _ms, ...counted }) => JSON.stringify(counted)).sort();
        const spoken = call.transcript.map(({ role, node_id, content }) => `${role} ${node_id} ${content}`);
        return { spoken, usage, tokens, end: call.endReason };
      });
      const bodies = (requests: readonly ChatRequest[] = []) => requests.map((each) => JSON.stringify(each)).sort();
      assert.deepEqual(bodies(own?.requests), bodies(sdk?.requests));
      assert.deepEqual(own?.outcome, sdk?.outcome);
      const asked = bodies(own?.requests).join("\n");
      for (const part of ['"role":"tool"', '"tool_calls"', '"order"', '"stream":true'].slice(0, stream ? 4 : 3))
        assert.ok(asked.includes(part), part);
    });
  }
}

const failures: { readonly [name: string]: ChatAnswer } = {
  "a rejected key": { status: 401, body: JSON.stringify({ error: { message: "Incorrect API key" } }) },
  "a rate limit": { status: 429, headers: { "retry-after": "1" } },
  "an unknown model": { status: 404, body: JSON.stringify({ error: { message: "model_not_found" } }) },
  "a server error": { status: 500, body: "<html>Bad gateway</html>" },
  "a broken connection": "cut",
  "a cut reply": { say: "Well, I", finish: "length" },
  "no reply": { say: "" },
};
const reply = { instructions: "", messages: [{ role: "user" as const, content: "Hi" }], input: {}, tools: [] };

for (const [name, answer] of Object.entries(failures)) {
  test(`${name} ends a call as with generateText`, async () => {
    const [own, sdk] = await bothWays(
      () => answer,
      async (model, way) => {
        const usage: string[] = [];
        const retries: string[] = [];
        const outcome = await callForReply(model, reply, {
          ...way,
          timers: WITHOUT_PAUSES,
          onRetry: ({ reason }) => void retries.push(reason),
          onUsage: ({ modelMs: _ms, ...counted }) => void usage.push(JSON.stringify(counted)),
        }).catch(({ code, message, hint }) => ({ code, message, hint }));
        return { outcome, usage, retries };
      },
    );
    assert.deepEqual(own, sdk);
  });
}

test("middleware gets the parameters that generateText gives it, and its options reach the provider", async () => {
  const seen: unknown[] = [];
  const around: LanguageModelMiddleware = {
    specificationVersion: "v3",
    overrideModelId: () => "other",
    transformParams: async ({ params }) => ({
      ...params,
      maxOutputTokens: 9,
      headers: { ...params.headers, "x-a": "1" },
    }),
    wrapGenerate: async ({ doGenerate, params, model }) => {
      const { prompt, tools, toolChoice, responseFormat, providerOptions, maxOutputTokens } = params;
      // version 7 of the AI SDK also gives a choice where there are no tools
      const parts = {
        prompt,
        tools,
        toolChoice: tools && toolChoice,
        responseFormat,
        providerOptions,
        maxOutputTokens,
      };
      seen.push(JSON.parse(JSON.stringify({ ...parts, model: model.modelId, signal: params.abortSignal === signal })));
      return await doGenerate();
    },
  };
  const { signal } = new AbortController();
  const tools = [{ name: "look up", description: "Looks up", parameters: {} }];
  const [own, sdk] = await bothWays(
    (request) => fitting(request),
    async (model, way) => {
      const options = { ...way, signal, around: () => [around], within: [around] };
      await callForReply(model, { ...reply, input: { user_message: "Hi" }, tools }, options);
      return await CALLS.audit(model, { ...options, retry: { retries: 0 } }).catch(() => "unusable");
    },
  );
  assert.deepEqual(own, sdk);
  assert.equal(own?.requests.length, 2);
  assert.equal(seen.length, 8);
  assert.deepEqual(seen.slice(0, 4), seen.slice(4));
  assert.match(JSON.stringify(seen[0]), /"callweave":\{"signature":"respond","input":\{"user_message":"Hi"\}\}/);
});

test("a call through generateText is replayed by one without, from its recordings", async () => {
  const kept = new Map<string, Recording>();
  const store: RecordingStore = {
    find: async (key) => kept.get(key),
    add: async (recording) => void kept.set(recording.key, recording),
    like: async () => [],
    flush: async () => {},
  };
  const asked = { ...reply, tools: [{ name: "t", description: "", parameters: {} }] };
  const call = { name: "t", arguments: { a: 1 } };
  const replies = async (mode: "record" | "replay", model: Model, way: Pick<CallOptions, "telemetry">) => {
    const options = { ...way, around: createRecordings(store, mode).around("agent", 1) };
    return [await callForReply(model, asked, options), await callForReply(model, asked, options)];
  };
  const model = scripted({ respond: ["Hello", { text: "So", toolCalls: [call] }] });
  const recorded = await replies("record", model, { telemetry: THROUGH_SDK });
  assert.deepEqual(recorded, [
    { text: "Hello", toolCalls: [] },
    { text: "So", toolCalls: [{ id: "call_1", ...call }] },
  ]);
  assert.deepEqual(await replies("replay", scripted({}), {}), recorded);
});

/** A model that answers with tool calls, and records how it was asked. */
function toolModel(inputs: readonly string[], warnings: SharedV3Warning[] = []) {
  const agents: (string | undefined)[] = [];
  const content = inputs.map((input) => ({ type: "tool-call" as const, toolCallId: "1", toolName: "t", input }));
  const model = embeddedModel("tools", async ({ headers }) => {
    agents.push(headers?.["user-agent"]);
    return { ...generated(""), content, warnings };
  });
  return { model, agents };
}

test("tool calls with one id keep their own arguments, which may be empty or have any key", async () => {
  const { model } = toolModel(["", ' {"a":1} ', '{"__proto__":{"b":2}}']);
  const { toolCalls } = await callForReply(model, reply);
  assert.deepEqual(
    toolCalls.map(({ id, name, arguments: given }) => [id, name, JSON.stringify(given)]),
    [
      ["1", "t", "{}"],
      ["1", "t", '{"a":1}'],
      ["1", "t", '{"__proto__":{"b":2}}'],
    ],
  );
});

test("calls go through generateText while something listens to the AI SDK's spans, and only then", async () => {
  const { model, agents } = toolModel(["{}"]);
  const isThroughSdk = async (options: CallOptions = {}) => {
    await callForReply(model, reply, options);
    return /^ai\/\d/.test(agents.at(-1) ?? "");
  };
  assert.equal(await isThroughSdk(), false);
  assert.equal(await isThroughSdk({ telemetry: THROUGH_SDK }), true);
  globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = [{}];
  try {
    assert.equal(await isThroughSdk(), true);
  } finally {
    globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = undefined;
  }
  const spans = channel("tracing:ai:telemetry:start");
  const listen = () => {};
  spans.subscribe(listen);
  assert.equal(await isThroughSdk(), true);
  spans.unsubscribe(listen);
  assert.equal(await isThroughSdk(), false);
});

const WARNINGS: SharedV3Warning[] = [
  { type: "unsupported", feature: "seed", details: "not here" },
  { type: "other", message: "old model" },
];

test("a provider's warnings reach the application's AI_SDK_LOG_WARNINGS as from generateText", async () => {
  const { model } = toolModel(["{}"], WARNINGS);
  const logged: unknown[] = [];
  globalThis.AI_SDK_LOG_WARNINGS = (given) => void logged.push(given);
  try {
    for (const way of [{}, { telemetry: THROUGH_SDK }]) await callForReply(model, reply, way);
  } finally {
    globalThis.AI_SDK_LOG_WARNINGS = undefined;
  }
  const one = { warnings: WARNINGS, provider: "callweave", model: "tools" };
  assert.deepEqual(logged, [one, one]);
});

test("a provider's warnings are printed as generateText prints them, unless AI_SDK_LOG_WARNINGS is false", async () => {
  const { model } = toolModel(["{}"], WARNINGS);
  let printed: string[] = [];
  const print = (words: unknown) => void printed.push(String(words));
  const [{ warn, info }, { emitWarning }] = [console, process];
  Object.assign(console, { warn: print, info: () => {} });
  process.emitWarning = (words: string | Error) => print(words);
  const printedBy = async (way: CallOptions) => {
    printed = [];
    await callForReply(model, reply, way);
    return printed.filter((line) => !line.includes("AI_SDK_LOG_WARNINGS")); // said once in a process
  };
  try {
    const own = await printedBy({});
    assert.equal(own.length, 2);
    assert.match(own.join(), /callweave \/ tools.*"seed".*not here.*old model/s);
    assert.deepEqual(own, await printedBy({ telemetry: THROUGH_SDK }));
    globalThis.AI_SDK_LOG_WARNINGS = false;
    assert.deepEqual(await printedBy({}), []);
  } finally {
    globalThis.AI_SDK_LOG_WARNINGS = undefined;
    Object.assign(console, { warn, info });
    process.emitWarning = emitWarning;
  }
});

test("middleware of a class has all of its methods called", async () => {
  class Doubling {
    readonly specificationVersion = "v3";
    async transformParams({ params }: { readonly params: LanguageModelV3CallOptions }) {
      return { ...params, maxOutputTokens: 2 };
    }
    async wrapGenerate({ params }: { readonly params: LanguageModelV3CallOptions }) {
      return generated(`at most ${params.maxOutputTokens}`);
    }
  }
  const { text } = await callForReply(toolModel([]).model, reply, { within: [new Doubling()] });
  assert.equal(text, "at most 2");
});
