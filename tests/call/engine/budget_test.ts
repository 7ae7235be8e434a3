import assert from "node:assert/strict";
import { test } from "node:test";
import type { TurnMode } from "../../../src/call/engine/mod.ts";
import { callOn, to } from "./calls.ts";

const MODES = ["split", "speculative", "fused"] as const satisfies readonly TurnMode[];
const stay = { objectives_complete: true, transition_to: "none" };
const many = <Item>(item: Item): Item[] => Array.from({ length: 30 }, () => item);
const talk = { a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] }, b: { state_prompt: "B" } };
const tool = { name: "lookup", description: "", parameters: {} };

for (const turn of MODES) {
  test(`a limit of model calls allows exactly that many, with ${turn} turns`, async () => {
    for (let limit = 1; limit <= 7; limit++) {
      const queues = { transition: many(stay), fused: many({ ...stay, reply: "Still here" }) };
      const { call } = callOn(talk, queues, { turn, limits: { budget: { call: { modelCalls: limit } } } });
      await call.open();
      while (!call.ended) await call.hear("hm");
      assert.equal(call.usage.length, limit);
      assert.deepEqual(
        [call.endReason, call.endDetail],
        ["budget_exceeded", `call budget modelCalls: ${limit} of ${limit}`],
      );
    }
  });
}

test("a speculative reply counts towards its turn like any other", async () => {
  const nodes = { a: { ...talk.a, tools: [tool] }, b: talk.b };
  for (const turn of ["split", "speculative"] as const) {
    const respond = ["Hello", { toolCalls: [{ name: "lookup", arguments: {} }] }, "Found it"];
    const options = { turn, tools: { lookup: () => "found" }, limits: { budget: { turn: { modelCalls: 1 } } } };
    const { call } = callOn(nodes, { transition: [stay], respond }, options);
    await call.open();
    await call.hear("hm");
    assert.deepEqual([call.endReason, call.endDetail], ["budget_exceeded", "turn budget modelCalls: 1 of 1"], turn);
  }
});

test("silent nodes obey the budget of the call", async () => {
  const nodes = {
    a: { state_prompt: "A", transitions: [to("x", { type: "always" }, { timing: "else" })] },
    x: {
      node_type: "extract",
      variables_to_extract: [{ name: "city", description: "", type: "string" }],
      transitions: [to("y", "It is near")],
    },
    y: { state_prompt: "Y" },
  };
  const queues = { extract: many({ city: "Ulm" }), transition: many(stay) };
  const { call, model } = callOn(nodes, queues, { limits: { budget: { call: { modelCalls: 4 } } } });
  await call.open();
  while (!call.ended) await call.hear("hm");
  assert.equal(call.endReason, "budget_exceeded");
  assert.deepEqual(
    model.calls.map(({ signature }) => signature),
    ["respond", "extract", "transition", "extract"],
  );
});

test("other limits keep the default limit of model calls per turn", async () => {
  const respond = () => ({ toolCalls: [{ name: "lookup", arguments: {} }] });
  for (const turn of [{ tokens: 1_000_000 }, { modelCalls: undefined }] as { readonly tokens?: number }[]) {
    const options = { tools: { lookup: () => "found" }, limits: { budget: { turn } } };
    const { call } = callOn({ a: { state_prompt: "A", tools: [tool] } }, { respond: many(respond) }, options);
    await call.open();
    assert.equal(call.endDetail, "turn budget modelCalls: 20 of 20");
  }
});

test("an agent that hung up by a tool need not say anything more", async () => {
  const hangUp = { name: "hang_up", description: "", parameters: {}, type: "end_call" };
  const respond = [{ toolCalls: [{ name: "hang_up", arguments: {} }] }, "", "", "", ""];
  const { call } = callOn({ a: { state_prompt: "A", tools: [hangUp] } }, { respond });
  const turn = await call.open();
  assert.deepEqual([turn.endReason, turn.spoken], ["agent_ended", []]);
});

test("an abort keeps the results of finished tool calls", async () => {
  const controller = new AbortController();
  let charge = (): void => {};
  const isCharged = new Promise<void>((resolve) => {
    charge = resolve;
  });
  const tools = {
    charge: () => {
      setImmediate(charge); // once the answer is there
      return "charged";
    },
    lookup: async () => {
      await isCharged;
      controller.abort();
      return await new Promise(() => {});
    },
  };
  const respond = [{ toolCalls: ["charge", "lookup"].map((name) => ({ name, arguments: {} })) }];
  const nodes = { a: { state_prompt: "A", tools: [tool, { ...tool, name: "charge" }] } };
  const { call } = callOn(nodes, { respond }, { tools, signal: controller.signal });
  const turn = await call.open();
  assert.equal(turn.endReason, "aborted");
  assert.deepEqual(
    call.toolsCalled.map(({ name, outcome }) => [name, outcome]),
    [["charge", "succeeded"]],
  );
});
