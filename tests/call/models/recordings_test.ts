import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { conversation } from "../../../src/call/engine/mod.ts";
import {
  createRecordings,
  fileRecordings,
  type RecordingMode,
  type ScriptedQueues,
  scripted,
} from "../../../src/call/models/mod.ts";
import { requestLines } from "../../../src/call/models/recordings/recording.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { pick, to } from "../engine/calls.ts";

const nodes = {
  a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] },
  b: { state_prompt: "B", transitions: [to("a", "Caller wants a")] },
};
const queues = { transition: [pick("b")], respond: ["Hello", "This is b"] };

async function inFolder(use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-"));
  try {
    await use(join(folder, "calls.json"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runCall(file: string, mode: RecordingMode, answers: ScriptedQueues, changed: object = {}, trial = 1) {
  const model = scripted(answers);
  const graph = parseGraph({ nodes: { ...nodes, ...changed }, entry_node_id: "a" });
  const recordings = createRecordings(fileRecordings(file), mode);
  const call = conversation(graph, {
    models: { agent: model },
    requests: { around: recordings.around("agent", trial) },
  });
  try {
    await call.open();
    await call.hear("b please");
  } finally {
    await recordings.flush();
  }
  return { spoken: call.transcript.filter(({ role }) => role === "assistant").map(({ content }) => content), model };
}

test("recorded calls are replayed without a request", () =>
  inFolder(async (file) => {
    const recorded = await runCall(file, "record", queues);
    const replayed = await runCall(file, "replay", { respond: [] });
    assert.deepEqual(replayed.spoken, recorded.spoken);
    assert.equal(replayed.model.calls.length, 0);
  }));

test("mode auto makes only the missing calls", () =>
  inFolder(async (file) => {
    await runCall(file, "record", queues);
    const edited = { b: { ...nodes.b, state_prompt: "B, but politely" } };
    const again = await runCall(file, "auto", { respond: ["Kindly, b"] }, edited);
    assert.deepEqual(
      again.model.calls.map(({ signature }) => signature),
      ["respond"],
    );
    assert.deepEqual(again.spoken, ["Hello", "Kindly, b"]);
  }));

test("an edit that does not show in the request still invalidates its recording", () =>
  inFolder(async (file) => {
    await runCall(file, "record", queues);
    const equation = { type: "equation", equations: [{ left: "x", operator: "exists" }] };
    const edited = { a: { ...nodes.a, transitions: [...nodes.a.transitions, to("b", equation)] } };
    const again = await runCall(file, "auto", queues, edited);
    assert.deepEqual(
      again.model.calls.map(({ signature }) => signature),
      ["respond", "transition"],
    );
  }));

test("an edit that cannot influence a call keeps its recording", () =>
  inFolder(async (file) => {
    await runCall(file, "record", queues);
    const moved = { a: { ...nodes.a, metadata: { retell: { display_position: { x: 7, y: 9 } } } } };
    assert.equal((await runCall(file, "replay", {}, moved)).model.calls.length, 0);
  }));

test("a missing recording is an error with the nearest one and the difference", () =>
  inFolder(async (file) => {
    await runCall(file, "record", queues);
    const edited = { a: { ...nodes.a, state_prompt: "A, but politely" } };
    await assert.rejects(runCall(file, "replay", {}, edited), (error: unknown) => {
      assert.ok(error instanceof Error && "code" in error && "hint" in error);
      assert.equal(error.code, "recording-missing");
      assert.match(String(error.hint), /has in line \d+ "A" instead of "A, but politely"/);
      return true;
    });
    await assert.rejects(runCall(file, "replay", {}, {}, 2), { hint: /is of trial 1 instead of 2/ });
  }));

test("two equal requests in a call are two recordings", () =>
  inFolder(async (file) => {
    const silent = { a: { node_type: "extract", variables_to_extract: [{ name: "x" }] } };
    const call = async (mode: RecordingMode, extract: unknown[]) => {
      const graph = parseGraph({ nodes: silent, entry_node_id: "a" });
      const recordings = createRecordings(fileRecordings(file), mode);
      const around = recordings.around("agent", 1);
      const values: unknown[] = [];
      for (let i = 0; i < 2; i++) {
        const one = conversation(graph, {
          models: { agent: scripted({ extract: extract.slice(i, i + 1) }) },
          requests: { around },
        });
        await one.open();
        values.push(one.variables.x);
      }
      await recordings.flush();
      return values;
    };
    assert.deepEqual(await call("record", [{ x: "1" }, { x: "2" }]), ["1", "2"]);
    assert.deepEqual(await call("replay", []), ["1", "2"]);
  }));

test("added options identify a request, but their values are not recorded", () => {
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
  const own = { callweave: { signature: "respond" }, openai: { strictJsonSchema: false } };
  const plain = requestLines({ prompt, providerOptions: own, toolChoice: { type: "auto" } });
  assert.deepEqual(plain, ["[user]", "Hi"]);
  assert.deepEqual(requestLines({ prompt }), plain);
  const added = [
    { providerOptions: { ...own, openai: { ...own.openai, reasoningEffort: "low" } } },
    { providerOptions: { ...own, openai: { ...own.openai, reasoningEffort: "high" } } },
    { providerOptions: { ...own, gateway: { byok: { apiKey: "sk-canary" } } } },
    { providerOptions: own, toolChoice: { type: "none" as const } },
  ].map((more) => requestLines({ prompt, ...more }).join("\n"));
  assert.equal(new Set([plain.join("\n"), ...added]).size, 5);
  assert.doesNotMatch(added.join("\n"), /canary/);
});

test("the recordings file is sorted, has the request line by line, and contains no key", () =>
  inFolder(async (file) => {
    process.env.CANARY_TOKEN = "canary-recordings-91ac";
    try {
      await runCall(file, "record", { ...queues, respond: ["The token is canary-recordings-91ac", "b"] });
      const text = await readFile(file, "utf8");
      assert.doesNotMatch(text, /canary-recordings/);
      const { recordings } = JSON.parse(text);
      const order = recordings.map((one: { signature: string; key: string }) => `${one.signature} ${one.key}`);
      assert.deepEqual(order, order.toSorted());
      assert.ok(recordings.some(({ request }: { request: string[] }) => request.includes("A")));
    } finally {
      delete process.env.CANARY_TOKEN;
    }
  }));

test("a file in another format is a typed error and stays as it is", () =>
  inFolder(async (file) => {
    await writeFile(file, '{"calls":[]}');
    await assert.rejects(runCall(file, "auto", queues), { code: "recording-unreadable" });
    assert.equal(await readFile(file, "utf8"), '{"calls":[]}');
  }));
