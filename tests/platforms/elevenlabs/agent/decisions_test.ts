import assert from "node:assert/strict";
import { test } from "node:test";
import { expandSnippets, lower } from "../../../../platforms/lower/mod.ts";
import { emit, importAgent, type Loss } from "../../../../platforms/mod.ts";
import { own, recordAt } from "../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { bothCalls, extracted, sameVisits, testVisits } from "../../visits.ts";
import { clinicAgent } from "./_clinic.ts";
import { WorkflowCall } from "./_interpreter.ts";

/** Losses after which a call may take another way. */
const OTHER_WAYS = [
  ...["always-timing", "merged-order", "merged-transitions", "tool-condition", "operator", "operator-words"],
  ...["go-back", "variables"],
  ...["function-tool", "function-tools", "transfer-outcome"],
];

/** Holds a call of the engine against one of the workflow. */
async function compare(written: AgentGraph, seed: number) {
  const { config, losses } = emit(written, "elevenlabs");
  const { graph } = extracted(written, written.source_type !== "elevenlabs");
  const calls = await bothCalls(graph, seed, (...script) => new WorkflowCall(config, ...script));
  const isOther = otherNodes(graph, losses);
  const { graph: bare } = lower(graph, [expandSnippets]);
  for (const [id, prompt] of calls.call.prompts.flatMap((each) => Object.entries(each)))
    assert.equal(prompt, promptOf(bare, id), `the prompt of ${id}`);
  return sameVisits({
    ...calls,
    seed,
    isThere: (id) => Object.hasOwn(graph.nodes, id),
    isOther: (id) => isOther.has(id),
  });
}

/** The nodes at which a call may take another way, by the losses. */
function otherNodes(graph: AgentGraph, losses: readonly Loss[]): ReadonlySet<string> {
  const ids = losses.flatMap(({ code, path: [head, id, part] }) => {
    if (!OTHER_WAYS.includes(code) || head !== "nodes") return [];
    if (part !== "global_node_setting" || code === "go-back") return [String(id)];
    // the edge to a global node from a node that leads there anyway
    const leads = Object.values(graph.nodes).filter(({ transitions }) =>
      transitions.some(({ target_node_id: to }) => to === id),
    );
    return leads.map((node) => node.id);
  });
  return new Set(ids);
}

/** What the model is told at a node: the prompt of the agent, and that of the node, which may replace it. */
function promptOf({ source_metadata: source, nodes }: Pick<AgentGraph, "source_metadata" | "nodes">, id: string) {
  const node = own(nodes, id);
  const replaces = recordAt(node?.metadata ?? {}, "elevenlabs").replaces_prompt === true;
  const general = replaces ? "" : (source.general_prompt ?? "");
  return [general, node?.state_prompt ?? ""].filter((text) => text !== "").join("\n");
}

/** A graph without what ElevenLabs does otherwise, so that calls are compared to their end. */
function exactPart(graph: AgentGraph): AgentGraph {
  const nodes = Object.values(graph.nodes).map((node) => {
    const targets = new Set<string>();
    const isFirst = ({ target_node_id: to }: { target_node_id: string }) => targets.size < targets.add(to).size;
    const isExact = ({ condition, timing }: (typeof node.transitions)[number]) =>
      node.node_type !== "conversation"
        ? node.node_type === "function" || condition.type !== "tool_call"
        : condition.type === "llm_prompt" || condition.type === "equation" || timing === "else";
    const transitions = node.transitions
      .filter((each) => isExact(each) && isFirst(each))
      .map((each) => {
        const { equations } = each.condition;
        if (!equations) return each;
        const said = equations.map((clause) =>
          /contains/.test(clause.operator) ? { ...clause, operator: "==" as const } : clause,
        );
        return { ...each, condition: { ...each.condition, equations: said } };
      });
    const setting = node.global_node_setting && { ...node.global_node_setting, go_back_conditions: [] };
    return [node.id, { ...node, transitions, ...(setting ? { global_node_setting: setting } : {}) }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

test("an agent with a node of each type visits the nodes that calls of its graph visit", async () => {
  const { graph } = importAgent(JSON.stringify(clinicAgent()));
  const visited = new Set<string>();
  for (let seed = 0; seed < 60; seed++) for (const id of (await compare(graph, seed)).visited) visited.add(id);
  const all = ["greet", "book", "vip", "look_up", "note", "sorry", "desk", "bye"];
  assert.deepEqual([...visited].sort(), all.sort());
});

testVisits({ flows: "workflows", compare, exactPart });
