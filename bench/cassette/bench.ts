import {
  createRecordings,
  offline,
  type Recording,
  type RecordingStore,
  type Recordings,
} from "../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";
import { type RunReport, run } from "../../src/run/runner/mod.ts";
import { type Figure, sized } from "../figure.ts";

const TOPICS = sized(29, 4);

const to = (target: string) => ({
  target_node_id: target,
  condition: { type: "llm_prompt", value: `Caller wants ${target}` },
});
const ids = Array.from({ length: TOPICS }, (_, index) => `topic${index}`);
const graph = parseGraph({
  entry_node_id: "start",
  nodes: {
    start: { state_prompt: "Ask for the topic.", transitions: ids.map(to) },
    ...Object.fromEntries(ids.map((id) => [id, { state_prompt: `Talk about ${id}.`, transitions: [to("start")] }])),
  },
});
const scenarios = ids.map((id) => ({ name: id, says: [`${id} please`, "tell me more", "and more"], visits: [id] }));

function inMemory(): RecordingStore {
  const recordings = new Map<string, Recording>();
  return {
    find: async (key) => recordings.get(key),
    add: async (recording) => void recordings.set(recording.key, recording),
    like: async () => [...recordings.values()],
    flush: async () => {},
  };
}

async function runAll(agent: AgentGraph, recordings?: Recordings): Promise<RunReport> {
  const models = { agent: offline() };
  return await run(agent, scenarios, { models, store: false, ...(recordings ? { recordings } : {}) });
}

const words = ({ results }: RunReport) =>
  results.map(({ transcript }) =>
    transcript.map(({ role, node_id, content }) => `${role} ${node_id} ${content}`).join("\n"),
  );

/** Cost of running again after editing one node of a 30-node graph, and whether any replayed answer is out of date. */
export async function bench(): Promise<readonly Figure[]> {
  const store = inMemory();
  await runAll(graph, createRecordings(store, "record"));
  let made = 0;
  let needed = 0;
  let stale = 0;
  for (const id of ids) {
    const node = graph.nodes[id];
    if (!node) continue;
    const edited = { ...graph, nodes: { ...graph.nodes, [id]: { ...node, state_prompt: `Say more about ${id}.` } } };
    const fresh = await runAll(edited);
    const again = await runAll(edited, createRecordings(store, "auto"));
    made += again.usage.calls;
    needed += fresh.results.find(({ scenario }) => scenario === id)?.usage.calls ?? 0;
    const expected = words(fresh);
    stale += words(again).filter((text, index) => text !== expected[index]).length;
  }
  const against = `${ids.length} edits of one node, ${scenarios.length} scenarios each`;
  return [
    {
      name: "calls_after_edit_over_needed",
      value: made / needed,
      unit: "ratio",
      against: `${against}: all ${needed} calls of the scenarios that visit it`,
      bound: 1,
      counted: true,
    },
    { name: "stale_hits", value: stale, unit: "scenarios", against: `${against}, without recordings`, bound: 0 },
  ];
}
