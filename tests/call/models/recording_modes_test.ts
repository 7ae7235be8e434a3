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

const GRAPH = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "Talk." } } });
const NOW = new Date("2026-03-02T12:00:00Z");
const CALL = { scenario: "orders", trial: 1 };

/** A store in memory, with the names of the methods that were called. */
function memory() {
  const all: Recording[] = [];
  const clocks = new Map<string, string>();
  const called: string[] = [];
  const store: RecordingStore = {
    find: async (key) => {
      called.push("find");
      return all.find((recording) => recording.key === key);
    },
    add: async (recording) => {
      called.push("add");
      all.push(recording);
    },
    like: async () => [],
    flush: async () => {},
    prepare: async (mode) => void called.push(`prepare ${mode}`),
    findClock: async ({ scenario }) => clocks.get(scenario),
    addClock: async ({ scenario }, startedAt) => {
      called.push("addClock");
      clocks.set(scenario, startedAt);
    },
  };
  return { store, all, clocks, called };
}

/** The opening of a call in a scenario. */
async function opening(store: RecordingStore, mode: RecordingMode, answers: readonly string[], scenario?: string) {
  const recordings = createRecordings(store, mode);
  const around = recordings.around("agent", 1, scenario === undefined ? {} : { scenario });
  const call = conversation(GRAPH, { models: { agent: scripted({ respond: [...answers] }) }, requests: { around } });
  await call.open();
  await recordings.flush();
  return call.transcript.map(({ content }) => content);
}

test("mode off neither reads nor writes recordings", async () => {
  const { store, called } = memory();
  assert.deepEqual(await opening(store, "off", ["Hello"], "orders"), ["Hello"]);
  const recordings = createRecordings(store, "off");
  await recordings.prepare();
  assert.equal(await recordings.startOf(CALL, NOW), NOW);
  assert.deepEqual(called, []);
});

test("prepare() tells the store how it will be used", async () => {
  const { store, called } = memory();
  await createRecordings(store, "replay").prepare();
  assert.deepEqual(called, ["prepare replay"]);
});

test("startOf() records the start of a call, and returns it when the call is replayed", async () => {
  const { store, clocks } = memory();
  assert.equal(await createRecordings(store, "record").startOf(CALL, NOW), NOW);
  assert.deepEqual([...clocks], [["orders", NOW.toISOString()]]);
  for (const mode of ["replay", "auto"] as const)
    assert.deepEqual(await createRecordings(store, mode).startOf(CALL, new Date(0)), NOW);
});

test("startOf() replaces the recorded start when the call is recorded again", async () => {
  const { store, clocks } = memory();
  const later = new Date("2026-03-03T12:00:00Z");
  await createRecordings(store, "record").startOf(CALL, NOW);
  await createRecordings(store, "record").startOf(CALL, later);
  assert.equal(clocks.get("orders"), later.toISOString());
});

test("startOf() of a replay without a recorded start is the run's clock, and records nothing", async () => {
  const { store, called } = memory();
  assert.equal(await createRecordings(store, "replay").startOf(CALL, NOW), NOW);
  assert.deepEqual(called, []);
});

test("flush() throws the error of a start that could not be recorded", async () => {
  const addClock = async () => {
    throw new Error("the disk is full");
  };
  const recordings = createRecordings({ ...memory().store, addClock }, "record");
  assert.equal(await recordings.startOf(CALL, NOW), NOW);
  await assert.rejects(recordings.flush(), /the disk is full/);
});

test("a recording without a scenario is replayed in every scenario", async () => {
  const { store } = memory();
  await opening(store, "record", ["Hello"]);
  assert.deepEqual(await opening(store, "replay", [], "orders"), ["Hello"]);
});

test("a recording of one scenario is not replayed in another", async () => {
  const { store } = memory();
  await opening(store, "record", ["Hello"], "orders");
  await assert.rejects(opening(store, "replay", [], "repairs"), { code: "recording-missing" });
});

test("equal requests of a call are numbered from 0", async () => {
  const { store, all } = memory();
  const around = createRecordings(store, "record").around("agent", 1);
  for (const answer of ["Hello", "Good day", "Hi"])
    await conversation(GRAPH, {
      models: { agent: scripted({ respond: [answer] }) },
      requests: { around },
    }).open();
  assert.deepEqual(
    all.map(({ occurrence }) => occurrence),
    [0, 1, 2],
  );
});

for (const [recorded, unified] of [
  ["interrupted", "other"],
  ["length", "length"],
] as const)
  test(`a recorded answer that ended as "${recorded}" is replayed as "${unified}", without usage`, async () => {
    const find = async () => ({ content: [{ type: "text", text: "Hello" }], finish_reason: recorded });
    const recordings = createRecordings(Object.assign(memory().store, { find }), "replay");
    const [middleware] = recordings.around("agent", 1)({ signature: "respond", slice: "" });
    const refuse = async () => assert.fail("a request was made");
    const model = scripted({});
    const answer = await middleware?.wrapGenerate?.({
      doGenerate: refuse,
      doStream: refuse,
      params: { prompt: [] },
      model,
    });
    assert.deepEqual(answer?.finishReason, { unified, raw: undefined });
    assert.deepEqual([answer?.usage.inputTokens.total, answer?.usage.outputTokens.total], [0, 0]);
  });
