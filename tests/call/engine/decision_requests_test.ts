import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelMiddleware } from "ai";
import { isRecord } from "../../../src/base/values/mod.ts";
import { generated } from "../../../src/call/models/embedded.ts";
import { callOn, pick, to } from "./calls.ts";

const stay = { objectives_complete: true, transition_to: "none" };
const fused = (decision: unknown, reply: string) => ({ ...(decision as object), reply });

const talk = {
  a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] },
  b: { state_prompt: "B", transitions: [to("a", "Caller wants a")] },
};

const linesOf = (history: unknown) =>
  Array.isArray(history) ? history.map((message: unknown) => (isRecord(message) ? message.content : undefined)) : [];

for (const turn of ["split", "speculative", "fused"] as const)
  test(`${turn}: a decision reads the call since its node was entered, and nothing before`, async () => {
    const queues = {
      ...(turn === "fused"
        ? { fused: [fused(pick("b"), "At b"), fused(stay, "Still b")] }
        : { transition: [pick("b"), stay] }),
      respond: ({ state_instructions: prompt }: Record<string, unknown>) => `Reply of ${prompt}`,
    };
    const { call, model } = callOn(talk, { ...queues, respond: Array(5).fill(queues.respond) }, { turn });
    await call.open();
    await call.hear("first line");
    await call.hear("second line");
    const signature = turn === "fused" ? "fused" : "transition";
    const [, decision] = model.calls.filter((one) => one.signature === signature);
    assert.ok(decision);
    const lines = linesOf(decision.input[turn === "fused" ? "state_history" : "conversation_history"]);
    assert.ok(lines.includes("second line"), lines.join());
    assert.ok(!lines.includes("first line"), lines.join());
    if (turn !== "fused") return;
    const whole = linesOf(decision.input.conversation_history);
    assert.ok(whole.includes("first line") && whole.includes("second line"), whole.join());
  });

test("speculative: no reply is requested for a node that says its text word for word, until it has said it", async () => {
  const nodes = { a: { ...talk.a, instruction_type: "static_text" }, b: talk.b };
  const { call, model } = callOn(
    nodes,
    { transition: [stay, stay] },
    { turn: "speculative", metadata: { start_speaker: "user" } },
  );
  const signatures = () => model.calls.map(({ signature }) => signature).toSorted();
  await call.open();
  await call.hear("hm");
  assert.deepEqual(signatures(), ["transition"]);
  assert.equal(call.transcript.at(-1)?.content, "A");
  await call.hear("hm");
  assert.deepEqual(signatures(), ["respond", "transition", "transition"]);
});

test("speculative: a decision that is replayed requests no reply of the node that it leaves", async () => {
  const answer: LanguageModelMiddleware = {
    specificationVersion: "v3",
    wrapGenerate: async () => generated(JSON.stringify(pick("b"))),
  };
  const asked: string[] = [];
  const around = ({ signature, slice }: { readonly signature: string; readonly slice: string }) => {
    asked.push(`${signature} ${JSON.parse(slice).id}`);
    return signature === "transition" ? [answer] : [];
  };
  const { call } = callOn(talk, {}, { turn: "speculative", requests: { around } });
  await call.open();
  await call.hear("b please");
  assert.equal(call.nodesVisited.at(-1), "b");
  assert.deepEqual(asked, ["respond a", "transition a", "respond b"]);
});

test("fused: each target is offered with its prompt, silent ones without", async () => {
  const targets = ["talk", "end", "extract", "function"];
  const nodes = {
    a: { state_prompt: "A", transitions: targets.map((target) => to(target, `Caller wants ${target}`)) },
    talk: { state_prompt: "Talk to {{name}}" },
    end: { node_type: "end", state_prompt: "End" },
    extract: { node_type: "extract", state_prompt: "Extract", transitions: [to("talk")] },
    function: { node_type: "function", state_prompt: "Function", transitions: [to("talk")] },
  };
  const { call, model } = callOn(nodes, { fused: [fused(stay, "Hm")] }, { turn: "fused", variables: { name: "Anna" } });
  await call.open();
  await call.hear("hm");
  const offers = model.calls.at(-1)?.input.available_transitions;
  assert.ok(Array.isArray(offers));
  assert.deepEqual(
    offers.map(({ target, instructions }: Record<string, unknown>) => [target, instructions]),
    [
      ["talk", "Talk to Anna"],
      ["end", "End"],
      ["extract", ""],
      ["function", ""],
    ],
  );
});

test("fused: a reply that was written for a silent node is not spoken", async () => {
  const nodes = {
    a: { state_prompt: "A", transitions: [to("x", "Caller gives a name")] },
    x: { node_type: "logic", transitions: [to("b")] },
    b: { state_prompt: "B" },
  };
  const queues = { fused: [fused(pick("x"), "written for x")], respond: ["Hello", "At b"] };
  const { call } = callOn(nodes, queues, { turn: "fused" });
  await call.open();
  const { spoken } = await call.hear("Anna");
  assert.deepEqual(spoken, ["At b"]);
});
