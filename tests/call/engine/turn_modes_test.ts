import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type Conversation, conversation, type TurnMode } from "../../../src/call/engine/mod.ts";
import { type ScriptedQueues, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import { callOn, pick, to } from "./calls.ts";

const VECTORS = new URL("../../../../shared/conformance/conversations.json", import.meta.url);

const seen = (call: Conversation) => ({
  visited: call.nodesVisited,
  spokenAt: call.transcript.filter(({ role }) => role === "assistant").map(({ node_id }) => node_id),
  ended: call.endReason,
  originators: call.originators,
  variables: call.variables,
});

interface Vector {
  readonly name: string;
  readonly graph: unknown;
  readonly variables: Record<string, unknown>;
  readonly mocks?: readonly ToolMock[];
  readonly caller: readonly string[];
  readonly model: ScriptedQueues & { readonly transition?: readonly object[] };
}

async function runCall(c: Vector, turn: TurnMode): Promise<ReturnType<typeof seen>> {
  const { model, graph, variables, mocks = [], caller } = c;
  const decisions = [...(model.transition ?? [])];
  const next = (more: object) => () => ({ ...decisions.shift(), ...more });
  const agent = scripted({
    ...model,
    transition: decisions.map(() => next({})),
    fused: decisions.map(() => next({ reply: "…" })),
  });
  const call = conversation(parseGraph(graph), { models: { agent }, variables, mocks, turn });
  await call.open();
  for (const line of caller) if (!call.ended) await call.hear(line);
  return seen(call);
}

test("all turn modes match the conformance data", async (t) => {
  if (!existsSync(VECTORS)) return t.skip("../shared/conformance is not here");
  for (const c of JSON.parse(readFileSync(VECTORS, "utf8")).cases) {
    const split = await runCall(c, "split");
    assert.deepEqual(await runCall(c, "speculative"), split, c.name);
    assert.deepEqual(await runCall(c, "fused"), split, c.name);
  }
});

const nodes = {
  a: { state_prompt: "A", transitions: [to("b", "Caller wants b"), to("t", "Caller wants tools")] },
  b: { state_prompt: "B" },
  t: { state_prompt: "T", tools: [{ name: "lookup", description: "", parameters: {} }] },
};
const stay = { objectives_complete: true, transition_to: "none" };

test("speculative: the reply is requested during the decision, with the same request", async () => {
  const queues = { transition: [stay, pick("b")], respond: ["Hello", "Still here", "never heard", "At b"] };
  const { call, model } = callOn(nodes, queues, { turn: "speculative" });
  const { call: split, model: splitModel } = callOn(nodes, { ...queues, respond: ["Hello", "Still here", "At b"] });
  for (const one of [call, split]) {
    await one.open();
    await one.hear("hm");
    await one.hear("b please");
  }
  const texts = (one: Conversation) => one.transcript.map(({ role, content, node_id }) => [role, content, node_id]);
  assert.deepEqual(texts(call), texts(split));
  const asked = model.calls.filter(({ signature }) => signature === "respond");
  const wanted = splitModel.calls.filter(({ signature }) => signature === "respond");
  assert.deepEqual(asked[1], wanted[1]);
});

test("speculative: a discarded reply is recorded under its own node", async () => {
  const asked: string[] = [];
  const around = ({ signature, slice }: { signature: string; slice: string }) => {
    asked.push(`${signature} ${JSON.parse(slice).id}`);
    return [];
  };
  const { call } = callOn(nodes, { transition: [pick("b")] }, { turn: "speculative", requests: { around } });
  await call.open();
  await call.hear("b please");
  assert.deepEqual(asked.toSorted(), ["respond a", "respond a", "respond b", "transition a"]);
});

test("speculative: tools of a discarded reply are not called", async () => {
  const withTool = { ...nodes, a: { ...nodes.a, tools: [{ name: "charge", description: "", parameters: {} }] } };
  let charged = 0;
  const respond = ["Hello", { toolCalls: [{ name: "charge", arguments: {} }] }, "At b"];
  const tools = { charge: () => ++charged };
  const { call } = callOn(withTool, { transition: [pick("b")], respond }, { turn: "speculative", tools });
  await call.open();
  await call.hear("b please");
  assert.equal(charged, 0);
  assert.equal(call.transcript.at(-1)?.content, "At b");
});

test("speculative, fused: a reply is not used after another node was visited in between", async () => {
  const round = {
    a: {
      state_prompt: "City: {{city}}",
      transitions: [to("x", "Caller names a city"), to("x", undefined, { timing: "else" })],
    },
    x: {
      node_type: "extract",
      variables_to_extract: [{ name: "city", description: "", type: "string" }],
      transitions: [to("a")],
    },
  };
  const written = ({ state_instructions: prompt }: Record<string, unknown>) => prompt;
  const decisions = [pick("x"), stay];
  const queues = {
    transition: decisions,
    fused: decisions.map((decision) => ({ ...(decision as object), reply: "City: none yet" })),
    extract: [{ city: "Rome" }, { city: "Paris" }],
    respond: Array.from({ length: 5 }, () => written),
  };
  for (const turn of ["split", "speculative", "fused"] as const) {
    const { call } = callOn(round, queues, { turn });
    await call.open();
    const heard = [await call.hear("Rome"), await call.hear("no, Paris")];
    assert.deepEqual(
      heard.map(({ spoken }) => spoken),
      [["City: Rome"], ["City: Paris"]],
      turn,
    );
  }
});

test("fused: one call decides and replies for the next node", async () => {
  const onlyTalk = { a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] }, b: nodes.b };
  const { call, model } = callOn(
    onlyTalk,
    { fused: [{ ...(pick("b") as object), reply: "This is b" }] },
    { turn: "fused" },
  );
  await call.open();
  const turn = await call.hear("b");
  assert.deepEqual(turn.spoken, ["This is b"]);
  assert.equal(turn.nodeId, "b");
  assert.deepEqual(
    model.calls.map(({ signature }) => signature),
    ["respond", "fused"],
  );
});

test("fused: falls back to split when a candidate has tools", async () => {
  const { call, model } = callOn(nodes, { transition: [pick("b")] }, { turn: "fused" });
  await call.open();
  await call.hear("b");
  assert.deepEqual(
    model.calls.map(({ signature }) => signature),
    ["respond", "transition", "respond"],
  );
});

test("fused: unmet objectives keep the node and use the reply for it", async () => {
  const onlyTalk = { a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] }, b: nodes.b };
  const fused = [{ objectives_complete: false, transition_to: "b", reply: "Your name first, please" }];
  const { call } = callOn(onlyTalk, { fused }, { turn: "fused" });
  await call.open();
  const turn = await call.hear("b");
  assert.deepEqual([turn.nodeId, turn.spoken], ["a", ["Your name first, please"]]);
});

test("one script of decisions and replies works in every turn mode", async () => {
  const onlyTalk = { a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] }, b: nodes.b };
  for (const turn of ["split", "speculative", "fused"] as const) {
    const queues = { transition: [stay, pick("b")], ...(turn === "speculative" ? {} : { respond: ["1", "2", "3"] }) };
    const { call } = callOn(onlyTalk, queues, { turn });
    await call.open();
    await call.hear("hm");
    const { nodeId, spoken } = await call.hear("b please");
    assert.deepEqual([nodeId, spoken], ["b", [turn === "speculative" ? "…" : "3"]], turn);
  }
  const { call } = callOn(onlyTalk, { transition: [new Error("boom")] }, { turn: "fused" });
  await call.open();
  await assert.rejects(call.hear("hm"), /boom/);
});
