import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { LanguageModelMiddleware } from "ai";
import { conversation } from "../../../src/call/engine/mod.ts";
import {
  createRecordings,
  fileRecordings,
  offline,
  type RecordingMode,
  scripted,
} from "../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import { type RunReport, run } from "../../../src/run/runner/mod.ts";
import { openRecordings } from "../../../src/run/store/mod.ts";
import { formatReport } from "../../../src/surface/reporters/mod.ts";
import { to } from "../../call/engine/calls.ts";

const NODES = 6;
const ids = Array.from({ length: NODES }, (_, index) => `topic${index}`);
const graph = parseGraph({
  entry_node_id: "start",
  nodes: {
    start: { state_prompt: "Ask for the topic.", transitions: ids.map((id) => to(id, `Caller wants ${id}`)) },
    ...Object.fromEntries(
      ids.map((id) => [id, { state_prompt: `Talk about ${id}.`, transitions: [to("start", "Back")] }]),
    ),
  },
});
const scenarios = ids.map((id) => ({ name: id, says: [`${id} please`, "tell me more"], visits: [id] }));

type RunCall = (graph: AgentGraph, mode: RecordingMode) => Promise<RunReport>;

async function withFile(use: (runCall: RunCall, path: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), "callweave-"));
  const path = join(folder, "calls.json");
  try {
    await use((edited, mode) => {
      const recordings = createRecordings(fileRecordings(path), mode);
      return run(edited, scenarios, { models: { agent: offline() }, store: false, recordings });
    }, path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const edit = (id: string, change: object): AgentGraph => {
  const node = graph.nodes[id];
  assert.ok(node);
  return { ...graph, nodes: { ...graph.nodes, [id]: { ...node, ...change } } };
};
const callsBy = (report: RunReport) =>
  report.results.filter(({ usage }) => usage.calls > 0).map(({ scenario }) => scenario);

test("run() replays recordings with the same results and no requests", () =>
  withFile(async (runCall) => {
    const recorded = await runCall(graph, "record");
    const replayed = await runCall(graph, "replay");
    assert.ok(recorded.passed && recorded.usage.calls > 0);
    assert.equal(replayed.usage.calls, 0);
    const spoken = ({ results }: RunReport) =>
      results.map(({ transcript }) => transcript.map(({ content }) => content));
    assert.deepEqual(spoken(replayed), spoken(recorded));
  }));

test("run() requests new answers only for scenarios that visit an edited node", () =>
  withFile(async (runCall) => {
    await runCall(graph, "record");
    const again = await runCall(edit("topic5", { state_prompt: "Talk about topic5, kindly." }), "auto");
    assert.deepEqual(callsBy(again), ["topic5"]);
    assert.deepEqual(
      callsBy(await runCall(edit("topic5", { state_prompt: "Talk about topic5, kindly." }), "auto")),
      [],
    );
  }));

test("run() never replays an answer that an edit may have changed", () =>
  withFile(async (runCall) => {
    await runCall(graph, "record");
    for (const change of [
      { state_prompt: "Something else." },
      { instruction_type: "static_text" },
      { transitions: [] },
      { tools: [{ name: "look", description: "" }] },
      { variables_to_extract: [{ name: "x", description: "", type: "string" }] },
      { global_node_setting: { condition: "Caller asks for topic3", go_back_conditions: [] } },
    ]) {
      const edited = edit("topic3", change);
      const fresh = await run(edited, scenarios, { models: { agent: offline() }, store: false });
      const replayed = await runCall(edited, "auto");
      const words = ({ results }: RunReport) =>
        results.map(({ scenario, transcript }) => [scenario, transcript.map(({ content }) => content)]);
      assert.deepEqual(words(replayed), words(fresh), JSON.stringify(change));
    }
  }));

test("run() counts the cost of models by role", async () => {
  const { models } = { models: { agent: offline() } };
  const report = await run(graph, scenarios, {
    models,
    store: false,
    requests: { maxParallel: 1 },
    judging: { metrics: ["Is kind"] },
  });
  const { byRole, ...total } = report.usage;
  assert.equal(byRole?.judge.calls, scenarios.length);
  assert.equal((byRole?.agent.calls ?? 0) + (byRole?.judge.calls ?? 0), total.calls);
  assert.equal(total.costUsd, 0);
});

test("run() identifies recordings by the settings of middleware", () =>
  withFile(async (_runCall, path) => {
    const runCall = async (mode: RecordingMode, temperature?: number) => {
      const settings: LanguageModelMiddleware = {
        specificationVersion: "v3",
        transformParams: async ({ params }) => ({ ...params, ...(temperature === undefined ? {} : { temperature }) }),
      };
      return await run(graph, scenarios.slice(0, 1), {
        models: { agent: offline() },
        store: false,
        requests: { around: () => [settings] },
        recordings: createRecordings(fileRecordings(path), mode),
      });
    };
    const recorded = await runCall("record", 0.5);
    assert.equal((await runCall("auto", 0.5)).usage.calls, 0);
    assert.equal((await runCall("auto", 0.7)).usage.calls, recorded.usage.calls);
    assert.match((await runCall("replay", 0.9)).results[0]?.errorMessage ?? "", /\[temperature\]/);
  }));

const spoken = ({ results }: RunReport) => results.map(({ transcript }) => transcript.map(({ content }) => content));
const talk = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "It is {{current_time}}. Talk." } } });
const four = ["one", "two", "three", "four"].map((name) => ({ name, says: [`I am ${name}`], visits: ["a"] }));
/** A model that never words anything twice the same way. */
const inventive = () => scripted({ respond: Array.from({ length: 40 }, () => `Words ${Math.random()}`) });

test("run() replays scenarios with equal openings, each with its own recorded replies", () =>
  withFile(async (_runCall, path) => {
    const recordingsOf = (mode: RecordingMode) => createRecordings(fileRecordings(path), mode);
    const runCall = async (mode: RecordingMode, model = inventive()) =>
      await run(talk, four, { models: { agent: model }, store: false, recordings: recordingsOf(mode) });
    const recorded = await runCall("auto");
    assert.equal(JSON.parse(await readFile(path, "utf8")).recordings.length, recorded.usage.calls);
    for (const mode of ["auto", "replay"] as const) {
      const model = scripted({ respond: [] });
      assert.deepEqual(spoken(await runCall(mode, model)), spoken(recorded));
      assert.equal(model.calls.length, 0);
    }
  }));

const monday = new Date("2026-03-02T17:00:00Z");
const tuesday = new Date("2026-03-03T17:00:00Z");

for (const kind of ["file", "database"] as const)
  test(`run() replays a ${kind} of recordings with the recorded time`, () =>
    withFile(async (_runCall, path) => {
      await using database = kind === "database" ? await openRecordings(`${path}.db`) : undefined;
      const runCall = async (mode: RecordingMode, day?: Date) => {
        const recordings = createRecordings(database ?? fileRecordings(path), mode);
        const agent = inventive();
        const options = {
          models: { agent },
          store: false,
          recordings,
          ...(day ? { clock: { now: () => day } } : {}),
        } as const;
        return { agent, report: await run(talk, four.slice(0, 2), options) };
      };
      const { report: recorded } = await runCall("record", monday);
      for (const [mode, day] of [
        ["replay", undefined],
        ["replay", tuesday],
        ["auto", tuesday],
      ] as const) {
        const { agent, report } = await runCall(mode, day);
        assert.equal(agent.calls.length, 0);
        assert.deepEqual(spoken(report), spoken(recorded));
        const [first] = report.results[0]?.transcript ?? [];
        assert.match(first?.timestamp ?? "", /^2026-03-02T17:0/);
      }
      const { agent } = await runCall("record", tuesday);
      assert.match(String(agent.calls[0]?.input.state_instructions), /Tuesday, March 3, 2026/);
      assert.equal((await runCall("replay")).agent.calls.length, 0);
    }));

test("run() replays a file of version 1, which had no scenarios", () =>
  withFile(async (_runCall, path) => {
    const plain = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "Talk." } } });
    const recorder = createRecordings(fileRecordings(path), "record");
    const requests = { around: recorder.around("agent", 1) };
    const call = conversation(plain, { models: { agent: inventive() }, requests });
    await call.open();
    await call.hear("I am one");
    await recorder.flush();
    const { clocks: _, ...document } = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ ...document, version: 1 }));
    const recordings = createRecordings(fileRecordings(path), "replay");
    const report = await run(plain, four.slice(0, 1), {
      models: { agent: scripted({ respond: [] }) },
      store: false,
      recordings,
    });
    assert.deepEqual(spoken(report), [call.transcript.map(({ content }) => content)]);
  }));

test("run() checks before the first call that recordings can be read and written", () =>
  withFile(async (_runCall, path) => {
    await writeFile(path, "no recordings");
    for (const [file, mode, code] of [
      [path, "replay", "recording-unreadable"],
      [path, "auto", "recording-unreadable"],
      [path, "record", "recording-unreadable"],
      ["/proc/callweave/calls.json", "record", "recording-unwritable"],
      ["/proc/callweave/calls.json", "auto", "recording-unwritable"],
    ] as const) {
      const agent = inventive();
      const recordings = createRecordings(fileRecordings(file), mode);
      await assert.rejects(run(talk, four, { models: { agent }, store: false, recordings }), { code });
      assert.equal(agent.calls.length, 0);
    }
    assert.equal(await readFile(path, "utf8"), "no recordings");
  }));

test("run() returns its report even if recordings cannot be written at the end", async () => {
  for (const failing of ["add", "flush"]) {
    const fail = async () => {
      throw new Error("the disk is full");
    };
    const store = { find: async () => undefined, add: async () => {}, like: async () => [], flush: async () => {} };
    const recordings = createRecordings({ ...store, [failing]: fail }, "record");
    const report = await run(talk, four, { models: { agent: inventive() }, store: false, recordings });
    assert.equal(report.counts.pass, 4);
    assert.match(report.recordingsError ?? "", /the disk is full/);
    assert.match(formatReport(report), /Recordings are missing: /);
  }
});
