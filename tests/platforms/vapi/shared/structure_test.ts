import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { nameOf, openSquad } from "../../../../platforms/vapi/shared/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { getAt, isRecord, omit } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { sampled } from "../../../fast_check.ts";
import { fc } from "../../../properties.ts";
import { clinicSquad, deskAssistant } from "./documents.ts";
import { modelled, structuralEdits } from "./edit.ts";
import { emitted, imported, plain } from "./lens.ts";

const SLOW = { timeout: 120_000 };
const FOLDERS = ["vapi", "voicetest/vapi"].map(
  (name) => new URL(`../../../../../shared/corpus/${name}/`, import.meta.url),
);

/** Texts of squads and assistants, including published ones if they are available. */
function texts(): readonly string[] {
  const own = [clinicSquad(), deskAssistant()].map((document) => `${JSON.stringify(document, null, 2)}\n`);
  const real = FOLDERS.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => readFileSync(new URL(name, folder), "utf8")),
  );
  return [...own, ...real];
}

function read(text: string): { readonly graph: AgentGraph; readonly format: string } | undefined {
  try {
    const { graph, format } = importAgent(text);
    return { graph: parseGraph(plain(graph)), format };
  } catch (error) {
    if (isCallweaveError(error)) return undefined;
    throw error;
  }
}

test(
  "structural edits of a squad are emitted and imported again, without dangling or duplicate names or other changes",
  SLOW,
  () => {
    let count = 0;
    for (const text of texts()) {
      const found = read(text);
      if (found?.format !== "vapi-squad") continue;
      const before = emitted(vapiSquad, found.graph).config;
      for (const change of fc.sample(structuralEdits, { numRuns: sampled(20), seed: 9 })) {
        const graph = parseGraph(plain(change(found.graph)));
        const { config } = emitted(vapiSquad, graph);
        assert.deepEqual(modelled(imported(vapiSquad, config)), modelled(graph));
        const ids: readonly string[] = Object.keys(graph.nodes).filter((id) => Object.hasOwn(found.graph.nodes, id));
        assert.deepEqual(settings(config, ids), settings(before, ids));
        const known = danglingOrDoubled(before);
        for (const fault of danglingOrDoubled(config)) assert.ok(known.has(fault), fault);
        count++;
      }
    }
    assert.ok(count >= sampled(20), `${count} edits`);
  },
);

/** Returns names in handoffs that no member has, and names that two members have. */
function danglingOrDoubled(config: unknown): ReadonlySet<string> {
  const opened = openSquad(config)?.document ?? {};
  const members: readonly unknown[] = Array.isArray(opened.members) ? opened.members : [];
  const names = members.filter(isRecord).map(nameOf);
  const targets = [...JSON.stringify(opened).matchAll(/"assistantName":("(?:[^"\\]|\\.)*")/g)].map(([, name = ""]) =>
    String(JSON.parse(name)),
  );
  const doubled = names.filter((name, index) => name !== undefined && names.indexOf(name) < index);
  const dangling = targets.filter((name) => !names.includes(name));
  return new Set([...doubled.map((name) => `two members "${name}"`), ...dangling.map((name) => `no member "${name}"`)]);
}

/** Returns settings of assistants that the graph does not model, by node id. */
function settings(config: unknown, ids: readonly string[]): unknown {
  const { nodes } = imported(vapiSquad, config);
  return ids.map((id) => {
    const assistant = getAt(nodes[id]?.metadata, ["vapi", "home", "assistant"]);
    return [id, isRecord(assistant) ? omit(assistant, ["name", "model", "firstMessage", "firstMessageMode"]) : null];
  });
}

test("adding a word to a prompt changes one line of a squad or an assistant", SLOW, () => {
  let count = 0;
  for (const text of texts()) {
    const found = read(text);
    if (!found) continue;
    for (const node of Object.values(found.graph.nodes)) {
      if (node.node_type !== "conversation" || node.state_prompt === "") continue;
      const nodes: AgentGraph["nodes"] = {
        ...found.graph.nodes,
        [node.id]: { ...node, state_prompt: `${node.state_prompt} Please.` },
      };
      const written: readonly string[] = emit({ ...found.graph, nodes }, found.format).text.split("\n");
      const lines = text.split("\n");
      assert.equal(written.length, lines.length);
      assert.equal(lines.filter((line, index) => line !== written[index]).length, 1, node.id);
      count++;
    }
  }
  assert.ok(count >= 3, `${count} prompts`);
});
