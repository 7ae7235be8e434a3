import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { LanguageModelMiddleware } from "ai";
import { type AgentGraph, parseGraph } from "../../src/graph/mod.ts";
import { type CassetteMode, createCassette, fileCassette, offline } from "../../src/models/mod.ts";
import { type RunReport, run } from "../../src/runner/mod.ts";
import { to } from "../engine/calls.ts";

const NODES = 12;
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

type Hold = (graph: AgentGraph, mode: CassetteMode) => Promise<RunReport>;

async function withFile(use: (hold: Hold, path: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), "callweave-"));
  const path = join(folder, "calls.json");
  try {
    await use((edited, mode) => {
      const recordings = createCassette(fileCassette(path), mode);
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

test("run() replays what was recorded, with the same results and without a call", () =>
  withFile(async (hold) => {
    const recorded = await hold(graph, "record");
    const replayed = await hold(graph, "replay");
    assert.ok(recorded.passed && recorded.usage.calls > 0);
    assert.equal(replayed.usage.calls, 0);
    const spoken = ({ results }: RunReport) =>
      results.map(({ transcript }) => transcript.map(({ content }) => content));
    assert.deepEqual(spoken(replayed), spoken(recorded));
  }));

test("run() makes calls after an edit only for scenarios that visit what was edited", () =>
  withFile(async (hold) => {
    await hold(graph, "record");
    const again = await hold(edit("topic5", { state_prompt: "Talk about topic5, kindly." }), "auto");
    assert.deepEqual(callsBy(again), ["topic5"]);
    assert.deepEqual(callsBy(await hold(edit("topic5", { state_prompt: "Talk about topic5, kindly." }), "auto")), []);
  }));

test("run() never replays an answer that an edit could have changed", () =>
  withFile(async (hold) => {
    await hold(graph, "record");
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
      const replayed = await hold(edited, "auto");
      const words = ({ results }: RunReport) =>
        results.map(({ scenario, transcript }) => [scenario, transcript.map(({ content }) => content)]);
      assert.deepEqual(words(replayed), words(fresh), JSON.stringify(change));
    }
  }));

test("run() counts what models cost by role", async () => {
  const { models } = { models: { agent: offline() } };
  const report = await run(graph, scenarios, {
    models,
    store: false,
    limits: { concurrency: 1 },
    metrics: ["Is kind"],
  });
  const { by_role: byRole, ...total } = report.usage;
  assert.equal(byRole?.judge.calls, scenarios.length);
  assert.equal((byRole?.agent.calls ?? 0) + (byRole?.judge.calls ?? 0), total.calls);
  assert.equal(total.cost_usd, 0);
});

test("run() knows recordings by the settings that are put around calls", () =>
  withFile(async (_hold, path) => {
    const hold = async (mode: CassetteMode, temperature?: number) => {
      const settings: LanguageModelMiddleware = {
        specificationVersion: "v4",
        transformParams: async ({ params }) => ({ ...params, ...(temperature === undefined ? {} : { temperature }) }),
      };
      return await run(graph, scenarios.slice(0, 1), {
        models: { agent: offline() },
        store: false,
        calls: { around: () => [settings] },
        recordings: createCassette(fileCassette(path), mode),
      });
    };
    const recorded = await hold("record", 0.5);
    assert.equal((await hold("auto", 0.5)).usage.calls, 0);
    assert.equal((await hold("auto", 0.7)).usage.calls, recorded.usage.calls);
    assert.match((await hold("replay", 0.9)).results[0]?.error_message ?? "", /\[temperature\]/);
  }));
