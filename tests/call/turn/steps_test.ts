import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallUsage, resolveModel } from "../../../src/call/models/mod.ts";
import {
  answerToolCall,
  count,
  exceededLimit,
  Mocks,
  type ReplyAhead,
  runTurn,
  startSpending,
  valueAtJsonPath,
} from "../../../src/call/turn/mod.ts";
import { endingOf } from "../../../src/document/graph/mod.ts";
import { turnOf } from "./turns.ts";

const call = (name: string, text = "") => ({ text, toolCalls: [{ name, arguments: {} }] });
const usage = (inputTokens: number, outputTokens: number, costUsd?: number): CallUsage => ({
  signature: "respond",
  model: "scripted",
  modelMs: 1,
  inputTokens,
  outputTokens,
  costUsd,
});

/** A speculative reply, and what happened to it. */
function ahead(text: string) {
  const done: string[] = [];
  const reply: ReplyAhead = {
    reply: Promise.resolve({ text, toolCalls: [] }),
    spent: { modelCalls: 1, tokens: 20, costUsd: 0.5, wallMs: () => 0 },
    release: () => void done.push("told"),
    discard: () => void done.push("discarded"),
  };
  return { reply, done };
}

test("a budget counts calls, tokens of both kinds, costs and time", () => {
  let now = 500;
  const spent = startSpending(() => now);
  count(spent, usage(3, 4, 0.25));
  count(spent, usage(10, 1));
  now = 730;
  assert.deepEqual([spent.modelCalls, spent.tokens, spent.costUsd, spent.wallMs()], [2, 18, 0.25, 230]);
  assert.equal(exceededLimit("turn", { modelCalls: 3, tokens: 19, costUsd: 0.3, wallMs: 231 }, spent), undefined);
  assert.deepEqual(exceededLimit("call", { tokens: 18 }, spent), {
    scope: "call",
    budget: "tokens",
    limit: 18,
    value: 18,
  });
  assert.equal(exceededLimit("call", { wallMs: 230 }, spent)?.budget, "wallMs");
  assert.equal(exceededLimit("call", undefined, spent), undefined);
});

test("a budget's time goes on from an earlier call, and is the machine's without another clock", () => {
  let now = 500;
  const spent = startSpending(() => now, 70);
  now = 530;
  assert.equal(spent.wallMs(), 100);
  assert.ok(Number.isFinite(startSpending().wallMs()));
});

test("a speculative reply is streamed and used, and its cost belongs to the turn", async () => {
  const { reply, done } = ahead("Hello.");
  const { model, state } = await turnOf(["never"], { replyAhead: reply });
  assert.deepEqual(await runTurn(state), { kind: "answered", text: "Hello." });
  assert.deepEqual(done, ["told"]);
  assert.equal(model.calls.length, 0);
  assert.equal(state.replyAhead, undefined);
  const { modelCalls, tokens, costUsd } = state.spentInTurn;
  assert.deepEqual([modelCalls, tokens, costUsd], [1, 20, 0.5]);
});

test("a speculative reply does not count towards the budget check that decides its use", async () => {
  const spent = () => ({ modelCalls: 1, tokens: 20, costUsd: 0.5, wallMs: () => 0 });
  for (const limits of [{ modelCalls: 1 }, { tokens: 1 }, { costUsd: 0.1 }]) {
    const { reply } = ahead("Hello.");
    const { state } = await turnOf([], { replyAhead: reply, spentInCall: spent(), budget: { call: limits } });
    assert.equal((await runTurn(state)).kind, "answered");
  }
  const { reply, done } = ahead("Hello.");
  const more = { ...spent(), modelCalls: 2 };
  const { state } = await turnOf([], { replyAhead: reply, spentInCall: more, budget: { call: { modelCalls: 1 } } });
  assert.equal((await runTurn(state)).kind, "aborted");
  assert.deepEqual(done, ["discarded"]);
});

test("steering discards a reply written before the message", async () => {
  const { reply, done } = ahead("Old.");
  const { model, state } = await turnOf(["New."], { replyAhead: reply, notes: [{ direction: "first" }] });
  state.steering.push("second");
  assert.deepEqual(await runTurn(state), { kind: "answered", text: "New." });
  assert.deepEqual(done, ["discarded"]);
  assert.deepEqual(state.notes, [{ direction: "first" }, { direction: "second" }]);
  assert.equal(model.calls.length, 1);
});

test("the model sees its text next to tool calls, the calls and their results, including failures", async () => {
  const implementations = {
    find: () => ({ open: true }),
    fail: () => Promise.reject(new Error("down")),
    long: () => "x".repeat(8_001),
    full: () => "x".repeat(8_000),
  };
  const tools = ["find", "fail", "long", "full"].map((name) => ({ name, description: "" }));
  const answer = { text: " One moment. ", toolCalls: tools.map(({ name }) => ({ name, arguments: { of: name } })) };
  const { state, told } = await turnOf([answer, "Done."], {
    tools,
    sources: { mocks: new Mocks([]), implementations },
  });
  await runTurn(state);
  assert.equal(told[0], "unspoken  One moment. ");
  const [, asked, answered] = state.messages;
  assert.ok(asked?.role === "assistant" && typeof asked.content !== "string");
  assert.deepEqual(
    asked.content.map((part) => (part.type === "tool-call" ? [part.toolName, part.input] : part)),
    [{ type: "text", text: " One moment. " }, ...tools.map(({ name }) => [name, { of: name }])],
  );
  assert.ok(answered?.role === "tool");
  assert.deepEqual(
    answered.content.map((part) => part.type === "tool-result" && part.output),
    [
      { type: "text", value: '{"open":true}' },
      { type: "error-text", value: "down" },
      { type: "text", value: `${"x".repeat(8_000)} … (8001 characters)` },
      { type: "text", value: "x".repeat(8_000) },
    ],
  );
});

test("blank text next to tool calls is neither kept nor reported", async () => {
  const sources = { mocks: new Mocks([]), implementations: { find: () => 1 } };
  const { state, told } = await turnOf([call("find", " \n"), "Done."], { sources });
  await runTurn(state);
  assert.deepEqual(told, ["find succeeded"]);
  const [, asked] = state.messages;
  assert.ok(asked?.role === "assistant" && typeof asked.content !== "string");
  assert.deepEqual(
    asked.content.map(({ type }) => type),
    ["tool-call"],
  );
});

test("an answer that was cut off at the model's limit is marked", async () => {
  const { reply } = ahead("I would");
  const { state } = await turnOf([], {
    replyAhead: { ...reply, reply: Promise.resolve({ text: "I would", isCut: true, toolCalls: [] }) },
  });
  assert.deepEqual(await runTurn(state), { kind: "answered", text: "I would", isCut: true });
});

test("a finished turn clears its reply and calls", async () => {
  const sources = { mocks: new Mocks([]), implementations: { find: () => 1 } };
  const { state } = await turnOf([call("find"), "Done."], { sources });
  await runTurn(state);
  assert.deepEqual([state.reply, state.executed], [{ text: "", toolCalls: [] }, []]);
});

test("a failed turn says how often the model was silent, an aborted one why", async () => {
  const { state } = await turnOf(["", "", "", ""]);
  assert.deepEqual(await runTurn(state), { kind: "failed", reason: "the model said nothing 4 times" });
  const { state: before } = await turnOf(["never"], { call: { signal: AbortSignal.abort() } });
  const aborted = { kind: "aborted", endReason: "aborted", reason: "the call was aborted" };
  assert.deepEqual(await runTurn(before), aborted);
});

test("endingOf() returns how a tool ends the call, and such a tool needs no implementation", async () => {
  const type = (type?: string) => ({ name: "t", ...(type === undefined ? {} : { type }) });
  assert.equal(endingOf(type("end_call")), "agent_ended");
  assert.equal(endingOf(type("transfer_call")), "agent_transferred");
  assert.equal(endingOf(type("custom")), undefined);
  assert.equal(endingOf(type()), undefined);
  const none = { mocks: new Mocks([]), implementations: {} };
  assert.deepEqual(await answerToolCall(type("end_call"), {}, none), {
    outcome: "succeeded",
    result: "done",
    mocked: false,
  });
  const own = { mocks: new Mocks([]), implementations: { t: () => "bye" } };
  assert.equal((await answerToolCall(type("end_call"), {}, own)).result, "bye");
  assert.equal((await answerToolCall(type("custom"), {}, none)).outcome, "failed");
});

test("wrong arguments are reported one by one, with their paths", async () => {
  const ask = async (parameters: object, args: object) => {
    const tool = { name: "find", parameters: { ...parameters } };
    const sources = { mocks: new Mocks([]), implementations: { find: () => "found" } };
    return (await answerToolCall(tool, { ...args }, sources)).result;
  };
  const text = { type: "string" };
  const nested = { properties: { who: { properties: { name: text, age: text } } }, required: ["id"] };
  assert.equal(
    await ask(nested, { who: { name: 1, age: 2 } }),
    "Cannot call tool \"find\": arguments must have required property 'id'; who.name must be string; " +
      "who.age must be string (Call it again with arguments that match its schema)",
  );
  assert.equal(await ask({ type: "array" }, {}), "found"); // the type alone restricts nothing
  assert.equal(await ask({ $schema: "https://example.org/unknown" }, {}), "found");
  assert.equal(await ask({ properties: { id: { type: "string", format: "unknown" } }, odd: 1 }, { id: "x" }), "found");
});

test("a mock answers only calls of its tool that contain the expected arguments", async () => {
  const rule = (args: Record<string, unknown>) => ({ type: "partial_match" as const, args });
  const ask = async (wanted: Record<string, unknown>, args: Record<string, unknown>, name = "find") => {
    const mock = { tool_name: "find", input_match_rule: rule(wanted), output: "mocked", result: true };
    const sources = { mocks: new Mocks([mock]), implementations: { find: () => "called", other: () => "called" } };
    return await answerToolCall({ name }, { ...args }, sources);
  };
  assert.deepEqual(await ask({}, {}, "other"), { outcome: "succeeded", result: "called", mocked: false });
  assert.equal((await ask({ who: { a: 1, b: 2 } }, { who: { a: 1, b: 3 } })).result, "called");
  assert.equal((await ask({ who: { a: 1, b: 2 } }, { who: { a: 1, b: 2, c: 3 } })).result, "mocked");
  assert.equal((await ask({ toString: "x" }, {})).result, "called");
  assert.equal((await ask({ note: "undefined" }, {})).result, "called"); // a missing argument is not a text
  assert.equal((await ask({ list: [1, 2] }, { list: "1,2" })).result, "called");
  assert.equal((await ask({ list: [1, 2] }, { list: [1, 2] })).result, "mocked");
});

test("mocks count their answers, from those of an earlier call on", () => {
  const mock = { tool_name: "find", input_match_rule: { type: "any" as const }, output: "", result: true };
  const mocks = new Mocks(
    [
      { ...mock, output: "once", times: 1 },
      { ...mock, output: "always", times: null },
    ],
    [1],
  );
  assert.equal(mocks.take("find", {})?.output, "always");
  assert.equal(mocks.take("other", {}), undefined);
  assert.deepEqual(mocks.answered, [1, 1]);
});

test("valueAt() removes $ only at the start of a path", () => {
  assert.equal(valueAtJsonPath({ a$: { b: 1 }, $x: 2 }, "a$.b"), 1);
  assert.equal(valueAtJsonPath({ a: [{ b: 1 }] }, "$['a'][0].b"), 1);
});

test("the model's request has the instructions, notes, messages and tools, and its answer is counted", async () => {
  const counted: CallUsage[] = [];
  const onUsage = (one: CallUsage) => void counted.push(one);
  const input = {
    general_instructions: "Be kind.",
    state_instructions: "Ask.",
    conversation_history: [],
    user_message: "hi",
  };
  const size = { properties: { size: { type: "number" } } };
  const tools = [
    { name: "measure", description: "Measures", type: "custom", parameters: size },
    { name: "stop", description: "Stops", type: "custom" },
  ];
  const { model, state } = await turnOf(["Hello"], {
    instructions: "You are Jo.",
    notes: [{ direction: "Be brief." }],
    input,
    tools,
    call: { onUsage },
  });
  const asked: Parameters<typeof model.doGenerate>[0][] = [];
  const doGenerate: typeof model.doGenerate = (options) => {
    asked.push(options);
    return model.doGenerate(options);
  };
  const watched = { ...state, model: await resolveModel({ ...model, doGenerate }) };
  assert.deepEqual(await runTurn(watched), { kind: "answered", text: "Hello" });
  const [request] = asked;
  const [system, ...rest] = request?.prompt ?? [];
  assert.match(String(system?.content), /^You are Jo\.\n\n[\s\S]*\n \{"direction":"Be brief\."\}\n\]$/);
  assert.deepEqual(rest, [{ role: "user", content: [{ type: "text", text: "hi" }] }]);
  assert.deepEqual(
    request?.tools?.map((one) => one.type === "function" && [one.name, one.description, one.inputSchema.properties]),
    [
      ["measure", "Measures", { size: { type: "number" } }],
      ["stop", "Stops", {}],
    ],
  );
  assert.deepEqual(model.calls[0]?.input, input);
  assert.deepEqual([watched.spentInTurn.modelCalls, counted.length, counted[0]?.signature], [1, 1, "respond"]);
});
