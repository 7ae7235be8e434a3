import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@libsql/client";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { conversation } from "../../../src/call/engine/mod.ts";
import { createRecordings, type RecordingMode, type ScriptedQueues, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { openRecordings, openStore } from "../../../src/run/store/mod.ts";
import { pick, to } from "../../call/engine/calls.ts";
import { inFolder, newRun, runScript } from "./_fixtures.ts";
import { recording } from "./_recordings.ts";
import { NO_SQLD, startSqld } from "./sqld_server.ts";

const SLOW = { timeout: 120_000 };
const graph = parseGraph({
  entry_node_id: "a",
  nodes: { a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] }, b: { state_prompt: "B" } },
});
const QUEUES = { transition: [pick("b")], respond: ["Hello", "This is b"] };

async function runCall(url: string, mode: RecordingMode, queues: ScriptedQueues) {
  await using recordings = await openRecordings(url);
  const model = scripted(queues);
  const used = createRecordings(recordings, mode);
  const call = conversation(graph, { models: { agent: model }, requests: { around: used.around("agent", 1) } });
  await call.open();
  await call.hear("b please");
  await used.flush();
  return { spoken: call.transcript.filter(({ role }) => role === "assistant").map(({ content }) => content), model };
}

test("openRecordings() returns recordings unchanged", () =>
  inFolder(async (folder) => {
    const path = join(folder, "calls.db");
    const kept = recording();
    await using writer = await openRecordings(path);
    await writer.add(kept);
    await using reader = await openRecordings(path);
    assert.deepEqual(await reader.find(kept.key), kept);
    assert.equal(await reader.find("none"), undefined);
    assert.deepEqual(await reader.like("agent", "respond"), [kept]);
    assert.deepEqual(await reader.like("caller", "respond"), []);
  }));

test("recording a call again replaces its answer", () =>
  inFolder(async (folder) => {
    await using recordings = await openRecordings(join(folder, "calls.db"));
    await recordings.add(recording());
    const later = recording({ content: [{ type: "text", text: "Good day" }] });
    await recordings.add(later);
    assert.deepEqual(await recordings.like("agent", "respond"), [later]);
  }));

test("a call recorded in a database is replayed without a model", () =>
  inFolder(async (folder) => {
    const path = join(folder, "calls.db");
    const recorded = await runCall(path, "record", QUEUES);
    const replayed = await runCall(path, "replay", { respond: [] });
    assert.deepEqual(replayed.spoken, recorded.spoken);
    assert.equal(replayed.model.calls.length, 0);
  }));

test("recordings share a database with results", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    await using store = await openStore(path);
    const { id } = await store.startRun(newRun());
    await using recordings = await openRecordings(path);
    await recordings.add(recording());
    await using again = await openStore(path);
    assert.equal((await again.findRun(id)).id, id);
  }));

test("the database file contains no keys of the environment", () =>
  inFolder(async (folder) => {
    process.env.CANARY_TOKEN = "canary-database-77fe";
    try {
      const path = join(folder, "calls.db");
      const recordings = await openRecordings(path);
      const text = "It is canary-database-77fe";
      await recordings.add(recording({ request: [text], content: [{ type: "text", text }] }));
      assert.deepEqual((await recordings.find(recording().key))?.request, ["It is [CANARY_TOKEN]"]);
      await recordings.close();
      assert.equal((await readFile(path)).includes("canary-database-77fe"), false);
    } finally {
      delete process.env.CANARY_TOKEN;
    }
  }));

test("a row in another format is a typed error that names it", () =>
  inFolder(async (folder) => {
    const path = join(folder, "calls.db");
    await using recordings = await openRecordings(path);
    const other = createClient({ url: `file:${path}` });
    await other.execute("INSERT INTO callweave_recordings VALUES ('k', 'agent', 'respond', '{\"calls\":[]}')");
    other.close();
    for (const read of [recordings.find("k"), recordings.like("agent", "respond")])
      await assert.rejects(read, (error) => {
        assert.ok(isCallweaveError(error));
        assert.equal(error.code, "recording-unreadable");
        assert.match(error.message, /"k"/);
        return true;
      });
  }));

test("a database that cannot be opened is a typed error", () =>
  inFolder(async (folder) => {
    await assert.rejects(openRecordings(join(folder, "\0")), { code: "store-unavailable" });
    await assert.rejects(openRecordings("gopher://x"), { code: "store-unavailable" });
  }));

test("processes that record to a new file concurrently lose nothing", SLOW, () =>
  inFolder(async (folder) => {
    const path = join(folder, "shared", "calls.db");
    const starts = ["1000", "1000", "1020"];
    await Promise.all(starts.map((from) => runScript("_recording_writer.ts", [path, from, "40"])));
    await using recordings = await openRecordings(path);
    const keys = (await recordings.like("agent", "respond")).map(({ key }) => key);
    assert.deepEqual(
      keys,
      Array.from({ length: 60 }, (_, index) => String(1000 + index)),
    );
  }),
);

test("several machines can share recordings on a server", { ...SLOW, skip: NO_SQLD ?? false }, async () => {
  const server = await startSqld();
  try {
    const recorded = await runCall(server.url, "record", QUEUES);
    const replayed = await runCall(server.url.replace("http:", "ws:"), "replay", { respond: [] });
    assert.deepEqual(replayed.spoken, recorded.spoken);
    await Promise.all(["0", "20"].map((from) => runScript("_recording_writer.ts", [server.url, from, "40"])));
    await using recordings = await openRecordings(server.url);
    const large = "long ".repeat(60_000);
    for (let index = 0; index < 50; index++)
      await recordings.add(recording({ key: `large${index}`, signature: "extract", request: [large] }));
    assert.equal((await recordings.like("agent", "extract")).length, 50);
    assert.equal((await recordings.like("agent", "respond")).length, 60 + 2);
  } finally {
    await server.stop();
  }
});
