import assert from "node:assert/strict";
import { test } from "node:test";
import type { TurnMode } from "../../../src/call/engine/mod.ts";
import { createRecordings, type Recording, type RecordingStore } from "../../../src/call/models/mod.ts";
import { callOn, pick, to } from "./calls.ts";

const nodes = {
  a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] },
  b: { state_prompt: "B", transitions: [to("a", "Caller wants a")] },
};
const stay = { objectives_complete: true, transition_to: "none" };

/** Tokens with a line for each message between them, as whoever shows a call sees them. */
function heard(onLine: (line: string) => void = () => {}): { readonly lines: string[]; readonly listeners: object } {
  const lines: string[] = [];
  return {
    lines,
    listeners: {
      onToken: ({ text }: { readonly text: string }) => {
        lines.push(`token ${text}`);
        onLine(`token ${text}`);
      },
      onMessage: ({ message: { role, content } }: { message: { role: string; content: string } }) => {
        if (role !== "tool") lines.push(`${role} ${content}`);
      },
    },
  };
}

async function runCall(turn: TurnMode, decisions: readonly object[], respond: readonly string[], texts: string[] = []) {
  const { lines, listeners } = heard();
  const fused = decisions.map((decision, index) => ({ ...decision, reply: texts[index] ?? "" }));
  const { call } = callOn(nodes, { transition: decisions, fused, respond }, { turn, listeners });
  await call.open();
  await call.hear("hm");
  await call.hear("b please");
  return lines;
}

const expected = [
  "token Hello",
  "assistant Hello",
  "user hm",
  "token Still here",
  "assistant Still here",
  "user b please",
  "token At b",
  "assistant At b",
];

test("onToken streams exactly what the caller hears, in every turn mode", async () => {
  const decisions = [stay, pick("b") as object];
  assert.deepEqual(await runCall("split", decisions, ["Hello", "Still here", "At b"]), expected);
  // the third reply was for a node that the call then left
  assert.deepEqual(await runCall("speculative", decisions, ["Hello", "Still here", "thrown away", "At b"]), expected);
  assert.deepEqual(await runCall("fused", decisions, ["Hello"], ["Still here", "At b"]), expected);
});

test("onToken does not stream a fused reply for a silent node", async () => {
  const { lines, listeners } = heard();
  const silent = {
    a: { state_prompt: "A", transitions: [to("f", "Caller wants f")] },
    f: { node_type: "logic", transitions: [to("b")] },
    b: { state_prompt: "B" },
  };
  const queues = { fused: [{ ...(pick("f") as object), reply: "for nobody" }], respond: ["Hello", "At b"] };
  const { call } = callOn(silent, queues, { turn: "fused", listeners });
  await call.open();
  await call.hear("f please");
  assert.deepEqual(
    lines.filter((line) => line.startsWith("token")),
    ["token Hello", "token At b"],
  );
});

test("onToken streams a replayed reply in one piece, without text next to tool calls", async () => {
  const kept = new Map<string, Recording>();
  const store: RecordingStore = {
    find: async (key) => kept.get(key),
    add: async (recording) => void kept.set(recording.key, recording),
    like: async () => [...kept.values()],
    flush: async () => {},
  };
  const withTool = { a: { state_prompt: "A", tools: [{ name: "look", description: "", parameters: {} }] } };
  const respond = [{ text: "One moment", toolCalls: [{ name: "look", arguments: {} }] }, "It is there"];
  const once = async (mode: "record" | "replay") => {
    const { lines, listeners } = heard();
    const around = createRecordings(store, mode).around("agent", 1);
    const queues = mode === "record" ? { respond } : {};
    const { call } = callOn(withTool, queues, {
      requests: { around },
      tools: { look: () => "there" },
      listeners,
    });
    await call.open();
    return lines;
  };
  assert.deepEqual((await once("record")).at(-1), "assistant It is there");
  assert.deepEqual(await once("replay"), ["system One moment", "token It is there", "assistant It is there"]);
});

test("onToken streams a speculative reply once it is known to be used", async () => {
  let hear = () => {};
  const isHeard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const { lines, listeners } = heard((line) => line === "token Still " && hear());
  const { call, model } = callOn(nodes, { transition: [stay] }, { turn: "speculative", listeners });
  const { doStream } = model;
  let first = true;
  let goOn = () => {};
  const told = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  model.doStream = async (options) => {
    const { stream } = await doStream(options);
    if (first) {
      first = false;
      return { stream };
    }
    // one word before the decision, one after it was told
    const parts = new ReadableStream({
      async start(controller) {
        for await (const part of stream) {
          if (part.type !== "text-delta") controller.enqueue(part);
          else {
            controller.enqueue({ ...part, delta: "Still " });
            await told;
            controller.enqueue({ ...part, delta: "here" });
          }
        }
        controller.close();
      },
    });
    return { stream: parts };
  };
  await call.open();
  const turn = call.hear("hm");
  await isHeard;
  assert.equal(lines.includes("token here"), false);
  goOn();
  assert.deepEqual((await turn).spoken, ["Still here"]);
  assert.deepEqual(lines.slice(-2), ["token here", "assistant Still here"]);
});
