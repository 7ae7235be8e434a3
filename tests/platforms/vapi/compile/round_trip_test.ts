import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { omit, own, sameJson } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";

/** Returns a node without ids and metadata of platforms. */
function meaning(node: AgentNode) {
  const tools = node.tools.map((tool) => omit({ ...tool }, ["tool_id", "metadata", "type"]));
  const transitions = node.transitions.map((transition) => omit({ ...transition }, ["metadata"]));
  const { state_prompt, instruction_type = "prompt", node_type, variables_to_extract } = node;
  const goBack = node.global_node_setting?.go_back_conditions.map(({ condition }) => condition);
  const condition = node.global_node_setting?.condition;
  return { state_prompt, instruction_type, node_type, variables_to_extract, tools, transitions, condition, goBack };
}

/** Returns the ids of nodes that differ between two graphs. */
function changedNodes(before: AgentGraph, after: AgentGraph): readonly string[] {
  const ids = new Set([...Object.keys(before.nodes), ...Object.keys(after.nodes)]);
  return [...ids].filter((id) => {
    const [a, b] = [own(before.nodes, id), own(after.nodes, id)];
    return !a || !b || !sameJson(JSON.parse(JSON.stringify(meaning(a))), JSON.parse(JSON.stringify(meaning(b))));
  });
}

test("the help desk differs only by reported losses after it was a squad and a Retell flow", () => {
  const squad = emit(helpDesk, "vapi-squad");
  const throughVapi = importAgent(JSON.stringify(squad.config)).graph;
  assert.deepEqual(changedNodes(helpDesk, throughVapi), []);
  const retell = emit(throughVapi, "retell");
  const back = importAgent(JSON.stringify(retell.config));
  assert.equal(back.format, "retell");

  const reported = retell.losses.flatMap(({ path: [part, name] }) => {
    if (part === "nodes") return [name];
    const tag = part === "snippets" ? `{%${String(name)}%}` : undefined;
    const users = Object.values(helpDesk.nodes).filter((node) => tag !== undefined && node.state_prompt.includes(tag));
    return users.map(({ id }) => id);
  });
  const added = Object.keys(back.graph.nodes).filter((id) => !Object.hasOwn(helpDesk.nodes, id));
  const changed = changedNodes(helpDesk, back.graph).filter((id) => !added.includes(id));
  for (const id of changed) assert.ok(reported.includes(id), `"${id}" changed without a word`);
  assert.deepEqual(new Set(changed), new Set(["look_up", "tell_status", "label_sent"]));
});
