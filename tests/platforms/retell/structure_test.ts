import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import type { AgentGraph, AgentNode, Transition } from "../../../src/graph/mod.ts";
import { isRecord } from "../../../src/values/mod.ts";
import { sampled } from "../../fast_check.ts";
import { meaning } from "./flow/differences.ts";
import { hotelExport } from "./flow/every_node.ts";

const CORPUS = ["retell/", "voicetest/retell/"].map(
  (path) => new URL(`../../../../shared/corpus/${path}`, import.meta.url),
);
/** Edits of each file. */
const MOST = sampled(20);

function documents(): [name: string, text: string][] {
  const files = CORPUS.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith(".json") && name !== "sample_tests.json")
          .map((name): [string, string] => [name, readFileSync(new URL(name, folder), "utf8")])
      : [],
  );
  return [["hotel", JSON.stringify(hotelExport, null, 2)], ...files];
}

function withNodes(graph: AgentGraph, nodes: readonly AgentNode[]): AgentGraph {
  return { ...graph, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) };
}

function withTransitions(graph: AgentGraph, { id }: AgentNode, transitions: readonly Transition[]): AgentGraph {
  return withNodes(
    graph,
    Object.values(graph.nodes).map((node) => (node.id === id ? { ...node, transitions } : node)),
  );
}

function renamed(graph: AgentGraph, from: string): AgentGraph {
  const name = (id: string) => (id === from ? `${id}_renamed` : id);
  const nodes = Object.values(graph.nodes).map((node) => ({
    ...node,
    id: name(node.id),
    transitions: node.transitions.map((each) => ({ ...each, target_node_id: name(each.target_node_id) })),
  }));
  return { ...withNodes(graph, nodes), entry_node_id: name(graph.entry_node_id) };
}

/** Changes of nodes that talk and belong to no component: their edges are free to come, go and move. */
function* changes(graph: AgentGraph): Generator<readonly [what: string, graph: AgentGraph]> {
  const ids = Object.keys(graph.nodes);
  const talking = Object.values(graph.nodes).filter(
    ({ id, node_type: type }) => type === "conversation" && !ids.some((other) => id.startsWith(`${other}/`)),
  );
  for (const node of talking) {
    yield [`rename ${node.id}`, renamed(graph, node.id)];
    const { transitions } = node;
    for (const [index, transition] of transitions.entries()) {
      if (transition.condition.type !== "llm_prompt") continue;
      const what = `${index} of ${node.id}`;
      yield [`delete edge ${what}`, withTransitions(graph, node, transitions.toSpliced(index, 1))];
      const other = talking.find(({ id }) => id !== node.id && transitions.every((each) => each.target_node_id !== id));
      if (other)
        yield [
          `retarget edge ${what}`,
          withTransitions(graph, node, transitions.with(index, { ...transition, target_node_id: other.id })),
        ];
      const added = {
        target_node_id: transition.target_node_id,
        condition: { type: "llm_prompt", value: "New" },
      } as const;
      if (graph.source_type === "retell")
        yield [`add edge before ${what}`, withTransitions(graph, node, transitions.toSpliced(index, 0, added))];
    }
    const [tool, ...tools] = node.tools;
    // a press_digit node has its tool by its type
    if (tool && tool.type !== "press_digit" && graph.source_type === "retell")
      yield [
        `delete a tool of ${node.id}`,
        withNodes(
          graph,
          Object.values(graph.nodes).map((each) => (each.id === node.id ? { ...each, tools } : each)),
        ),
      ];
  }
}

/** Ids that a list has twice, or that an edge leads to and no node has. */
function loose(config: unknown): string[] {
  const found: string[] = [];
  const ids = new Set<unknown>();
  const edges: unknown[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) {
      const own = value.filter(isRecord).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
      found.push(...own.filter((id, index) => own.indexOf(id) !== index).map((id) => `${id} twice`));
      for (const item of value) walk(item);
    }
    if (!isRecord(value)) return;
    for (const key of ["id", "name"]) ids.add(value[key]);
    for (const key of ["destination_node_id", "destination_state_name"]) if (value[key]) edges.push(value[key]);
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(config);
  return [...found, ...edges.filter((id) => !ids.has(id)).map((id) => `${String(id)} is not there`)];
}

test("structural edits of every Retell document come back, without a dangling or a doubled id", () => {
  let made = 0;
  for (const [name, text] of documents()) {
    const { graph, format } = importAgent(text);
    if (!format.startsWith("retell")) continue;
    const before = new Set(loose(JSON.parse(text.replace(/^\uFEFF/, ""))));
    for (const [what, changed] of [...changes(graph)].slice(0, MOST)) {
      const { config, losses } = emit(changed, format);
      if (losses.length > 0) continue; // an LLM has no end that nothing leads to
      const back = importAgent(JSON.parse(JSON.stringify(config)), { format }).graph;
      assert.deepEqual(meaning(back.nodes), meaning(changed.nodes), `${name}, ${what}`);
      assert.equal(back.entry_node_id, changed.entry_node_id, `${name}, ${what}`);
      assert.deepEqual(
        loose(config).filter((each) => !before.has(each)),
        [],
        `${name}, ${what}`,
      );
      made++;
    }
  }
  assert.ok(made >= MOST, `${made} edits`);
});

test("a word added to a prompt of a Retell document is a diff of one line", () => {
  for (const [name, text] of documents()) {
    const { graph, format } = importAgent(text);
    const node = Object.values(graph.nodes).find(({ id, state_prompt: prompt }) => prompt !== "" && !id.includes("/"));
    if (!format.startsWith("retell") || !node) continue;
    const nodes = { ...graph.nodes, [node.id]: { ...node, state_prompt: `${node.state_prompt} Please.` } };
    const [before, after] = [text.split("\n"), emit({ ...graph, nodes }, format).text.split("\n")];
    assert.equal(after.length, before.length, name);
    assert.equal(after.filter((line, index) => line !== before[index]).length, 1, name);
  }
});
