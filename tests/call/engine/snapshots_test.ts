import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { EngineError } from "../../../src/base/errors.ts";
import { canonicalJson } from "../../../src/base/values/mod.ts";
import {
  type Conversation,
  type ConversationSnapshot,
  conversation,
  type TurnMode,
} from "../../../src/call/engine/mod.ts";
import { type ScriptedQueues, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";
import { callOn, pick, to } from "./calls.ts";
import { type RandomCall, randomCall } from "./random_calls.ts";
import { ReferenceCall } from "./reference.ts";

const SEEDS = Array.from({ length: fc.sampled(80) }, (_, index) => index + 1);
const REPLIES = 200;
const NOW = () => new Date("2026-03-01T09:00:00Z");

/** A snapshot as a file would keep it. */
const saved = (call: Conversation): ConversationSnapshot => JSON.parse(JSON.stringify(call.snapshot()));

/** The answers that the model gives in this call, in order. */
function answersOf({ document, variables, mocks, lines, oracle }: RandomCall) {
  const answers = { transition: [] as object[], extract: [] as object[], arguments: [] as object[] };
  const kept = <Answer extends object>(list: object[], answer: Answer): Answer => {
    list.push(answer);
    return answer;
  };
  const call = new ReferenceCall(parseGraph(document), variables, mocks, {
    transition: (targets) => kept(answers.transition, oracle.transition(targets)),
    extract: (wanted) => kept(answers.extract, oracle.extract(wanted)),
    arguments: (tool) => kept(answers.arguments, oracle.arguments(tool)),
  });
  call.open();
  for (const _ of lines) if (!call.ended) call.hear();
  return answers;
}

function agentFor(answers: ReturnType<typeof answersOf>) {
  const decisions = [...answers.transition];
  const reply = (input: object) => createHash("sha256").update(JSON.stringify(input)).digest("hex");
  return scripted({
    ...answers,
    transition: decisions.map(() => () => decisions.shift()),
    fused: decisions.map(() => () => ({ ...decisions.shift(), reply: "Well." })),
    respond: Array.from({ length: REPLIES }, () => reply),
  });
}

/** Runs a call; `resumed` says before which turns a new call goes on from a snapshot. */
async function runCall(random: RandomCall, answers: ReturnType<typeof answersOf>, turn: TurnMode, resumed: boolean) {
  const { document, variables, mocks, lines } = random;
  const graph = parseGraph(document);
  const agent = agentFor(answers);
  const options = { models: { agent }, variables, mocks, turn, clock: { now: NOW } };
  let call = conversation(graph, options);
  const renew = () => {
    if (resumed) call = conversation(graph, { ...options, from: saved(call) });
  };
  renew();
  await call.open();
  for (const line of lines) {
    renew();
    if (!call.ended) await call.hear(line);
  }
  renew();
  return { ...timeless(call.snapshot()), asked: agent.calls };
}

/** Without measured times. */
function timeless({ elapsedMs: _, usage, toolsCalled, transcript, latency = [], ...rest }: ConversationSnapshot) {
  return {
    ...rest,
    latency: latency.map(({ turn, nodeId }) => ({ turn, nodeId })),
    usage: usage.map(({ modelMs: _, ...each }) => each),
    toolsCalled: toolsCalled.map(({ durationMs: _, ...each }) => each),
    transcript: transcript.map(({ metadata: { duration_ms: _, ...metadata }, ...each }) => ({ ...each, metadata })),
  };
}

for (const turn of ["split", "speculative", "fused"] as const)
  test(`a call that goes on from a snapshot before every turn is the same call, with ${turn} turns`, async () => {
    for (const seed of SEEDS) {
      const random = randomCall(seed);
      const answers = answersOf(random);
      const whole = await runCall(random, answers, turn, false);
      const parts = await runCall(random, answers, turn, true);
      assert.equal(canonicalJson(parts), canonicalJson(whole), `seed ${seed}`);
    }
  });

test("a snapshot keeps uses of mocks, waiting steering messages and what was spent", async () => {
  const look = { name: "look", description: "", parameters: {} };
  const nodes = { a: { state_prompt: "A", tools: [look] } };
  const queues: ScriptedQueues = {
    respond: [
      { toolCalls: [{ name: "look", arguments: {} }] },
      "One.",
      { toolCalls: [{ name: "look", arguments: {} }] },
      "Two.",
    ],
  };
  const answer = { tool_name: "look", input_match_rule: { type: "any" }, output: '{"n":1}', result: true } as const;
  const mocks = [
    { ...answer, times: 1 },
    { ...answer, output: '{"n":2}' },
  ];
  const { call, model } = callOn(nodes, queues, { mocks, metadata: { begin_message: "Hello." } });
  await call.open();
  await call.hear("First");
  call.steer("Be brief.");
  const from = saved(call);
  const graph = parseGraph({ nodes, entry_node_id: "a", source_metadata: { begin_message: "Hello." } });
  const budget = { call: { modelCalls: 4 } };
  const next = conversation(graph, { models: { agent: model }, mocks, limits: { budget }, from });
  await next.hear("Second");
  assert.deepEqual(
    next.toolsCalled.map(({ result }) => result),
    [{ n: 1 }, { n: 2 }],
  );
  assert.deepEqual(
    next.transcript.filter(({ role }) => role === "system").map(({ content }) => content),
    ["Be brief."],
  );
  assert.equal(next.usage.length, 4);
  await next.hear("Third");
  assert.equal(next.endReason, "budget_exceeded");
  assert.equal(call.ended, false, "the first call stays as it was");
  assert.deepEqual(timeless(saved(call)), timeless(from));
});

test("a call can go on at another node, with other variables, and after its end", async () => {
  const nodes = {
    a: { state_prompt: "A", transitions: [to("bye", "Done")] },
    b: { state_prompt: "B {{name}}" },
    bye: { node_type: "end" },
  };
  const { call, model } = callOn(nodes, { transition: [pick("bye")] });
  await call.open();
  const before = saved(call);
  await call.hear("Done");
  const graph = parseGraph({ nodes, entry_node_id: "a", source_metadata: {} });
  const options = { models: { agent: model } };
  const ended = conversation(graph, { ...options, from: saved(call) });
  assert.equal(ended.endReason, "agent_ended");
  await assert.rejects(ended.hear("Hello?"), { code: "call-ended" });
  const moved = { ...before, nodeId: "b", variables: { name: "Ana" }, enteredAt: before.transcript.length };
  const next = conversation(graph, { ...options, variables: { name: "Bo" }, from: moved });
  const { nodeId } = await next.hear("Hello?");
  assert.equal(nodeId, "b");
  assert.equal(model.calls.at(-1)?.input.state_instructions, "B Ana");
});

test("a snapshot of another graph, of a missing node, or of something else is refused", async () => {
  const { call, model } = callOn({ a: { state_prompt: "A" } });
  await call.open();
  const from = saved(call);
  const other = parseGraph({ nodes: { desk: { state_prompt: "Desk" } }, entry_node_id: "desk" });
  const options = { models: { agent: model } };
  const { fingerprint: _, ...anyGraph } = from;
  const refused: readonly [unknown, string, string][] = [
    [from, "snapshot-mismatch", "fingerprint"],
    [anyGraph, "snapshot-mismatch", "nodeId"],
    [{ ...anyGraph, nodeId: "desk", originators: ["desk", "gone"] }, "snapshot-mismatch", "originators"],
    [{ ...anyGraph, nodeId: "desk", enteredAt: 99 }, "not-a-snapshot", "enteredAt"],
    [{ ...from, transcript: [{ role: "caller" }] }, "not-a-snapshot", "transcript"],
    [{ ...from, variables: { n: 5 } }, "not-a-snapshot", "variables"],
    ["snapshot.json", "not-a-snapshot", "from"],
    [null, "not-a-snapshot", "from"],
  ];
  for (const [value, code, place] of refused)
    assert.throws(
      () => Reflect.apply(conversation, undefined, [other, { ...options, from: value }]),
      (error) => error instanceof EngineError && error.code === code && error.path.includes(place),
      `${code} at ${place}`,
    );
  conversation(other, { ...options, from: { ...anyGraph, nodeId: "desk" } });
});

test("no snapshot is taken during a turn", async () => {
  const taken: unknown[] = [];
  const graph = parseGraph({ nodes: { a: { state_prompt: "A" } }, entry_node_id: "a" });
  const call = conversation(graph, {
    models: { agent: scripted({ respond: ["Hello."] }) },
    listeners: { onMessage: () => taken.push(call.snapshot()) },
  });
  await assert.rejects(call.open(), { code: "callback-failed" });
  assert.deepEqual(taken, []);
});
