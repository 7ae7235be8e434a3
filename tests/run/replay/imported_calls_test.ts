import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { importCalls } from "../../../src/run/calls/mod.ts";
import { replay } from "../../../src/run/replay/mod.ts";
import { formatResult } from "../../../src/surface/reporters/mod.ts";
import { retellCall } from "../calls/_retell.ts";
import { vapiCall } from "../calls/_vapi.ts";
import { modelOf, openStore } from "./_calls.ts";

/** The agent of the Retell call, as Retell exports it. */
const RETELL = {
  start_node_id: "node-1",
  start_speaker: "agent",
  model_choice: { type: "cascading", model: "gpt-4.1" },
  nodes: [
    talk("node-1", "node-2", "Caller asks for an order"),
    talk("node-2", "node-3", "Caller says goodbye"),
    { id: "node-3", type: "end", name: "Goodbye", instruction: { type: "prompt", text: "Say goodbye." } },
  ],
};

function talk(id: string, to: string, prompt: string) {
  return {
    id,
    type: "conversation",
    name: id,
    instruction: { type: "prompt", text: `Speak at ${id}.` },
    edges: [{ id: `edge-${id}`, transition_condition: { type: "prompt", prompt }, destination_node_id: to }],
  };
}

/** The agent of the Vapi call: the greeter hands over to orders. */
const VAPI = {
  name: "Shop",
  members: [
    {
      assistant: assistant("Greeter"),
      assistantDestinations: [{ type: "assistant", assistantName: "Orders", description: "Caller asks for an order" }],
    },
    { assistant: assistant("Orders") },
  ],
};

function assistant(name: string) {
  const messages = [{ role: "system", content: `You are ${name}.` }];
  return { name, firstMessage: "Hello.", model: { provider: "openai", model: "gpt-4.1", messages } };
}

const CALLS = [
  {
    platform: "Retell",
    agent: RETELL,
    call: retellCall(),
    to: "node-2",
    path: ["node-1", "node-2", "node-3"],
    wait: '· turn 1 at "node-2": 1.5 s',
  },
  {
    platform: "Vapi",
    agent: VAPI,
    call: vapiCall(),
    to: "Orders",
    path: ["Greeter", "Orders"],
    wait: '· turn 1 at "Orders": 1.2 s',
  },
];

/** Moves on whenever a way is offered, or stays everywhere. */
function mover(isMoving: boolean) {
  return modelOf({
    transition: ({ available_transitions: offers }) => {
      const [first]: readonly { readonly target?: string }[] = Array.isArray(offers) ? offers : [];
      return { objectives_complete: true, transition_to: isMoving ? first?.target : "nowhere" };
    },
    respond: () => "Well.",
  });
}

for (const { platform, agent, call, to, path, wait } of CALLS)
  test(`an imported call of ${platform} is replayed on the graph of the agent's JSON, and shows the platform's latency`, async () => {
    await using store = await openStore(":memory:");
    const { graph, format } = importAgent(JSON.stringify(agent));
    const { run } = await importCalls(JSON.stringify(call), { store, agent: graph });
    const id = run?.id ?? "";
    const [recorded] = (await store.showRun(id)).results;
    assert.deepEqual(recorded?.nodesVisited, path);
    assert.ok(recorded && formatResult(recorded).includes(wait), recorded && formatResult(recorded));

    const same = await replay(id, graph, { models: { agent: mover(true) }, store });
    assert.deepEqual([same.passed, same.results[0]?.nodesVisited], [true, path], same.results[0]?.errorMessage ?? "");
    const text = emit(graph, format).text;
    const stayed = await replay(id, importAgent(text).graph, { models: { agent: mover(false) }, store });
    const [first] = stayed.results[0]?.replay?.divergences ?? [];
    assert.deepEqual([first?.kind, first?.turn, first?.nodeId], ["path", 1, path[0]]);
    assert.match(first?.recorded ?? "", new RegExp(to));
  });
