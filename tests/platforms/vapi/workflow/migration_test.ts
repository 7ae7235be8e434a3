import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, own } from "../../../../src/base/values/mod.ts";
import { conversation } from "../../../../src/call/engine/mod.ts";
import { scripted } from "../../../../src/call/models/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { at, json, records } from "../compile/graphs.ts";
import { corpus, hasShared, validators, WITHOUT_SHARED } from "../compile/vapi_schema.ts";
import { bikeWorkshop, imported } from "./documents.ts";

const schemas = hasShared ? validators() : undefined;
const NATIVE = ["vapi-squad", "vapi-assistant"];
const VOICE = { provider: "11labs", voiceId: "v" };

test("a workflow is always converted to the same squad, with losses", () => {
  const graph = imported(bikeWorkshop());
  const [once, twice] = [emit(graph, "vapi-squad"), emit(imported(bikeWorkshop()), "vapi-squad")];
  assert.deepEqual(once, twice);
  const squad = json(once.config);
  assert.equal(squad.name, "bike-workshop");
  assert.deepEqual(
    records(squad, "members").map((member) => at(member, "assistant").name),
    ["welcome", "describe_bike", "offer_ebike_slot", "offer_slot", "ask_ticket", "tell_state", "talk_to_mechanic"],
  );
  const report = once.losses.map(({ code, kind, path }) => `${kind} ${code} ${path.slice(0, 2).join(".")}`);
  assert.deepEqual(report, [
    "emulated workflow-settings source_metadata.vapi",
    "emulated extraction-timing nodes.describe_bike > offer_ebike_slot",
    "emulated function-execution nodes.look_up_repair",
    "emulated extraction-timing nodes.ask_ticket > look_up_repair",
  ]);
});

test("members get the workflow's voice, transcriber and models", () => {
  const squad = json(emit(imported(bikeWorkshop()), "vapi-squad").config);
  const assistants = new Map(
    records(squad, "members").map((member) => [at(member, "assistant").name, at(member, "assistant")]),
  );
  for (const [name, assistant] of assistants) {
    assert.deepEqual(assistant.voice, { provider: "vapi", voiceId: "Elliot" });
    assert.equal(at(assistant, "transcriber").endpointing, 500);
    assert.equal(at(assistant, "model").provider, name === "offer_ebike_slot" ? "anthropic" : "openai");
  }
  const [tool] = records(assistants.get("ask_ticket"), "model", "tools");
  assert.deepEqual(tool?.parameters, [{ key: "ticket", value: "{{ ticket }}" }]);
  assert.equal(Object.hasOwn(tool ?? {}, "function"), false, "an API request tool has no function any more");
});

test("every published workflow becomes a squad that is valid by Vapi's published schemas", (t) => {
  if (!schemas) return t.skip(WITHOUT_SHARED);
  const files = corpus("vapi", NATIVE);
  assert.ok(files.length >= 8);
  for (const { name, graph } of files) {
    for (const options of [{}, { contract: true }]) {
      const { config, losses } = emit(graph, "vapi-squad", options);
      assert.ok(schemas.squad(json(config)), `${name}: ${JSON.stringify(schemas.squad.errors?.at(-1))}`);
      for (const { code, kind, instead, hint } of losses) assert.ok(code && (kind === "emulated" ? instead : hint));
    }
  }
});

/** Imports an emitted squad from its members alone, as Vapi runs it, without the emitter's metadata. */
function graphOfSquad(graph: AgentGraph): AgentGraph {
  const squad = json(emit(graph, "vapi-squad").config);
  const members = records(squad, "members").map((member) => {
    const node = at(member, "assistant", "metadata", "callweave").node;
    return { ...member, assistant: { ...at(member, "assistant"), metadata: { callweave: { node } } } };
  });
  return importAgent({ ...squad, members }).graph;
}

/** Returns the first conversation node that a transition leads to, skipping silent nodes. */
function talkingNode(graph: AgentGraph, id: string): string | undefined {
  let found = own(graph.nodes, id);
  for (let hops = 0; found && hops < 20; hops++) {
    if (found.node_type === "conversation") return found.id;
    found = own(graph.nodes, found.transitions[0]?.target_node_id ?? "");
  }
  return undefined;
}

/** Simulates a call in which the model follows a path; returns the visited conversation nodes. */
async function visit(graph: AgentGraph, path: readonly string[]): Promise<readonly string[]> {
  let wanted = "";
  const pick = (input: unknown) => {
    const offers = records(input, "available_transitions").map(({ target }) => String(target));
    const found = offers.find((target) => talkingNode(graph, target) === wanted);
    return { objectives_complete: true, transition_to: found ?? "none" };
  };
  const nothing = (input: unknown) =>
    Object.fromEntries(records(input, "variables").map(({ name }) => [String(name), null]));
  const agent = scripted({
    transition: Array(60).fill(pick),
    extract: Array(60).fill(nothing),
    arguments: Array(60).fill({}),
  });
  const tools = new Set(Object.values(graph.nodes).flatMap((node) => node.tools.map(({ name }) => name)));
  const mocks = [...tools].map((tool_name) => ({
    tool_name,
    input_match_rule: { type: "any" as const },
    output: "{}",
    result: true,
  }));
  const call = conversation(graph, { models: { agent }, mocks });
  await call.open();
  for (const next of path.slice(1)) {
    if (call.ended) break;
    wanted = next;
    await call.hear("Go on");
  }
  const talked = call.nodesVisited.filter((id) => own(graph.nodes, id)?.node_type === "conversation");
  return talked.filter((id, index) => id !== talked[index - 1]);
}

/** Returns paths of conversation nodes that cover every reachable edge. */
function paths(graph: AgentGraph): readonly (readonly string[])[] {
  const found: string[][] = [];
  const seen = new Set<string>();
  const open: string[][] = [[graph.entry_node_id]];
  for (let path = open.shift(); path; path = open.shift()) {
    const here = path.at(-1) ?? "";
    const targets = (own(graph.nodes, here)?.transitions ?? []).flatMap(
      ({ target_node_id: target }) => talkingNode(graph, target) ?? [],
    );
    for (const target of new Set(targets)) {
      if (seen.has(`${here} ${target}`) || target === here) continue;
      seen.add(`${here} ${target}`);
      open.push([...path, target]);
    }
    found.push(path);
  }
  return found;
}

/**
 * Paths that are known to differ in the squad, because of a reported loss. Transitions of a node to itself
 * (`self-transition`) are not part of any path.
 */
const KNOWN_DIFFERENCES: readonly string[] = [];

test("the same calls visit corresponding nodes of a workflow and of its squad", async () => {
  const real = hasShared ? corpus("vapi", NATIVE) : [];
  for (const { name, graph } of [{ name: "bike-workshop", graph: imported(bikeWorkshop()) }, ...real]) {
    const squad = graphOfSquad(graph);
    for (const path of paths(graph)) {
      if (KNOWN_DIFFERENCES.includes(path.join(" "))) continue;
      const [before, after] = [await visit(graph, path), await visit(squad, path)];
      assert.deepEqual(before, path, `${name}: the workflow goes ${path.join(", ")}`);
      assert.deepEqual(after, path, `${name}: the squad goes ${path.join(", ")}`);
    }
  }
});

test("importing a migrated squad returns the graph that it was emitted from", () => {
  const { graph } = importAgent(JSON.stringify(emit(imported(bikeWorkshop()), "vapi-squad").config));
  const before = imported(bikeWorkshop());
  assert.deepEqual(Object.keys(graph.nodes), Object.keys(before.nodes));
  for (const [id, { transitions }] of Object.entries(graph.nodes))
    assert.deepEqual(
      transitions.map(({ target_node_id, condition }) => [target_node_id, condition]),
      own(before.nodes, id)?.transitions.map(({ target_node_id, condition }) => [target_node_id, condition]),
    );
  assert.ok(isRecord(graph.source_metadata));
});

test("`contract` merges nodes with the same settings without reporting lost settings", () => {
  const talk = (name: string, more: object = {}) => ({ name, type: "conversation", prompt: name, ...more });
  const way = (from: string, to: string) => ({ from, to, condition: { type: "ai", prompt: `To ${to}` } });
  const graph = imported({
    nodes: [
      talk("a", { isStart: true, metadata: { position: { x: 1, y: 2 } } }),
      talk("b"),
      talk("c", { voice: VOICE }),
    ],
    edges: [way("a", "b"), way("b", "c")],
  });
  const { config, losses } = emit(graph, "vapi-squad", { contract: true });
  assert.deepEqual(
    records(config, "members").map((member) => at(member, "assistant").name),
    ["a", "c"],
  );
  assert.deepEqual(
    losses.map(({ code, message }) => [code, message]),
    [["contracted", "2 members of 3 nodes: 1 merged into the one before them, 0 guards or tools"]],
  );
  assert.deepEqual(
    emit(graph, "vapi-assistant").losses.map(({ code, path }) => `${code} ${path.slice(0, 2).join(".")}`),
    ["steps-in-prompt nodes", "node-settings nodes.c"],
  );
});

test("settings of tools and merged nodes that assistants do not support are reported", () => {
  const graph = imported({
    nodes: [
      { name: "a", type: "conversation", prompt: "A", isStart: true },
      { name: "b", type: "conversation", prompt: "B", messagePlan: { idleMessages: ["Still there?"] } },
      { name: "find", type: "apiRequest", method: "GET", url: "https://example.com", mode: "blocking", voice: VOICE },
      { name: "bye", type: "hangup" },
    ],
    edges: [
      { from: "a", to: "b", condition: { type: "ai", prompt: "x" } },
      { from: "b", to: "find", condition: { type: "ai", prompt: "y" } },
      { from: "find", to: "bye" },
    ],
  });
  const { losses } = emit(graph, "vapi-squad", { contract: true });
  assert.deepEqual(
    losses.filter(({ code }) => code === "workflow-settings").map(({ path, message }) => [path[1], message]),
    [
      ["b", 'Assistants have no "messagePlan.idleMessages"'],
      ["find", 'Assistants have no "mode", "voice"'],
    ],
  );
});
