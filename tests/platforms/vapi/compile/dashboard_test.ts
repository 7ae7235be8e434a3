import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, fingerprint } from "../../../../src/document/graph/mod.ts";
import { at, graphOf, json, records, told } from "./graphs.ts";

const SERVER = { id: "squad-1", orgId: "org-1", createdAt: "2026-07-01T00:00:00Z" };
const VOICE = { provider: "vapi", voiceId: "Elliot" };

/** Changes an emitted squad like the dashboard: adds the server's keys and a voice. */
function saved(squad: JsonObject): JsonObject {
  const members = records(squad, "members").map((member, index) => ({
    ...member,
    assistant: { ...at(member, "assistant"), id: `assistant-${index}`, orgId: "org-1", voice: VOICE },
  }));
  return { ...squad, ...SERVER, members };
}

const DESK = graphOf(
  {
    ask: { state_prompt: "Ask for a day.", transitions: [told("book", "Day is known"), told("bye", "No {%wish%}")] },
    book: { state_prompt: "Book it.", transitions: [told("ask", "Another day")] },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
  },
  { snippets: { wish: "wish to book" } },
);

function changed(graph: AgentGraph, id: string, change: Partial<AgentGraph["nodes"][string]>): AgentGraph {
  const node = graph.nodes[id];
  assert.ok(node);
  return { ...graph, nodes: { ...graph.nodes, [id]: { ...node, ...change } } };
}

test("a squad with settings added in the dashboard is imported as its graph, and the settings are kept", () => {
  for (const graph of [helpDesk, DESK])
    for (const document of [saved(json(emitSquad(graph).config)), [saved(json(emitSquad(graph).config))]]) {
      const found = importAgent(document);
      assert.deepEqual(found.findings, []);
      assert.equal(fingerprint(found.graph), fingerprint(graph));
      assert.deepEqual(emit(found.graph, "vapi-squad").config, document);
    }
});

test("a tool that the dashboard adds to an emitted squad is reported as a change", () => {
  const squad = json(emitSquad(DESK).config);
  const tools = { "tools:append": [{ type: "endCall" }] };
  const { findings } = importAgent({ ...squad, membersOverrides: tools });
  assert.deepEqual(
    findings.map(({ code, path }) => [code, path.join(".")]),
    [["emitted-document-changed", "membersOverrides"]],
  );
});

/** Returns DESK's squad with another description of the handoff to "book", only in its destination. */
function described(text: string): string {
  const written = JSON.stringify(emitSquad(DESK).config);
  return written.replace('"assistantName":"book","description":"Day is known"', (found) =>
    found.replace(/Day is known/, text),
  );
}

test("an edited description of a handoff becomes the transition's condition", () => {
  const { graph, findings } = importAgent(described("Caller names a day"));
  assert.deepEqual(findings, []);
  assert.deepEqual(
    graph.nodes.ask?.transitions.map(({ condition }) => condition.value),
    ["Caller names a day", "No {%wish%}"],
  );
  assert.equal(graph.nodes.ask?.state_prompt, "Ask for a day.");
});

test("an edited condition changes only the handoff and its instructions in the prompt", () => {
  const squad = saved(json(emitSquad(DESK).config));
  const { graph } = importAgent(squad);
  const transitions = (graph.nodes.ask?.transitions ?? []).map((transition, index) =>
    index > 0 ? transition : { ...transition, condition: { ...transition.condition, value: "Caller names a day" } },
  );
  const { config } = emit(changed(graph, "ask", { transitions }), "vapi-squad");
  const wanted = JSON.parse(JSON.stringify(squad).replaceAll("Day is known", "Caller names a day"));
  assert.deepEqual(JSON.parse(JSON.stringify(config)), wanted);
  assert.match(JSON.stringify(wanted), /How to go on\\n- Caller names a day: call to_book/);
});
