import assert from "node:assert/strict";
import { test } from "node:test";
import { conversation } from "../../../src/call/engine/mod.ts";
import {
  createRecordings,
  type Recording,
  type RecordingMode,
  type RecordingStore,
  scripted,
} from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { pick, to } from "./calls.ts";

const graph = parseGraph({
  entry_node_id: "a",
  source_metadata: { begin_message: "Hello" },
  nodes: { a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] }, b: { state_prompt: "B" } },
});

function inMemory(): RecordingStore {
  const kept = new Map<string, Recording>();
  return {
    find: async (key) => kept.get(key),
    add: async (recording) => void kept.set(recording.key, recording),
    like: async () => [...kept.values()],
    flush: async () => {},
  };
}

/** A call whose reply from the first node is never written: it is aborted when the call moves on. */
async function runCall(store: RecordingStore, mode: RecordingMode) {
  const model = scripted({ transition: [pick("b")], respond: ["At b"] });
  const asked: string[] = [];
  let begin = () => {};
  const isBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const agent = {
    ...model,
    doGenerate: async (options: Parameters<typeof model.doGenerate>[0]) => {
      const system = JSON.stringify(options.prompt[0]);
      const what = system.includes("\\nA") ? "a" : system.includes("\\nB") ? "b" : "decision";
      asked.push(what);
      if (what === "decision") await isBegun; // until the reply is under way
      if (what === "a") {
        begin();
        await new Promise(() => {});
      }
      return await model.doGenerate(options);
    },
  };
  const around = createRecordings(store, mode).around("agent", 1);
  const call = conversation(graph, { models: { agent }, turn: "speculative", requests: { around } });
  await call.open();
  const { spoken } = await call.hear("b please");
  return { spoken, asked: asked.toSorted() };
}

test("speculative: a replay does not request discarded replies", async () => {
  const store = inMemory();
  assert.deepEqual(await runCall(store, "record"), { spoken: ["At b"], asked: ["a", "b", "decision"] });
  for (const mode of ["auto", "replay"] as const) {
    assert.deepEqual(await runCall(store, mode), { spoken: ["At b"], asked: [] });
  }
});

test("speculative: a reply missing in the recordings is requested after the decision", async () => {
  const store = inMemory();
  await runCall(store, "record");
  const decided: RecordingStore = {
    ...store,
    find: async (key) => {
      const found = await store.find(key);
      return found?.signature === "transition" ? found : undefined;
    },
  };
  assert.deepEqual(await runCall(decided, "auto"), { spoken: ["At b"], asked: ["b"] });
});

for (const finished of [true, false])
  test(`speculative: a discarded reply that is ${finished ? "finished" : "half-written"} is not recorded`, async () => {
    // the call comes back to the node that it left, so that the very same request is made twice
    const round = parseGraph({
      entry_node_id: "a",
      source_metadata: { begin_message: "Hello" },
      nodes: {
        a: { node_type: "conversation", state_prompt: "A", transitions: [to("l", "Caller wants l")] },
        l: { node_type: "logic", transitions: [to("a")] },
      },
    });
    const store = inMemory();
    const once = async (mode: RecordingMode) => {
      const model = scripted({ transition: [pick("l")], respond: ["first", "second"] });
      let writing = () => {};
      const isWriting = new Promise<void>((resolve) => {
        writing = resolve;
      });
      const agent = {
        ...model,
        doGenerate: async (options: Parameters<typeof model.doGenerate>[0]) => {
          const isReply = options.providerOptions?.callweave?.signature === "respond";
          if (!isReply) await isWriting;
          const answer = await model.doGenerate(options);
          if (isReply && model.calls.length === 1) {
            writing();
            if (!finished) await new Promise(() => {});
          }
          return answer;
        },
      };
      const around = createRecordings(store, mode).around("agent", 1);
      const call = conversation(round, { models: { agent }, turn: "speculative", requests: { around } });
      await call.open();
      return (await call.hear("l please")).spoken;
    };
    assert.deepEqual(await once("record"), ["second"]);
    assert.deepEqual(await once("replay"), ["second"]);
  });
