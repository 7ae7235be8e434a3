import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";

/**
 * A realistic graph of about a given size: conversations with their own prompts, every fifth node
 * an extraction, every fifth a choice by equations, a few global nodes, and shared paragraphs.
 */
export function bigGraph(size: number): AgentGraph {
  const groups = Math.floor(size / 5);
  const nodes: { [id: string]: object } = {};
  for (let group = 0; group < groups; group++) {
    const [at, next] = [`g${group}`, group + 1 < groups ? `g${group + 1}_ask` : "bye"];
    const elsewhere = `g${(group * 7919) % groups}_ask`;
    nodes[`${at}_ask`] = {
      node_type: "conversation",
      state_prompt: `Ask about matter ${group} of {{topic_${group % 50}}}. Words of matter ${group}: ${wordsOf(group)}.\n\n${SHARED[group % 3]}`,
      transitions: [
        llm(`${at}_read`, `Caller answers question ${group}`),
        llm(elsewhere, `Caller returns to matter ${group}`),
      ],
    };
    nodes[`${at}_read`] = {
      node_type: "extract",
      variables_to_extract: [
        { name: `topic_${group % 50}`, type: "enum", choices: ["order", "return", "repair"] },
        { name: `amount_${group}`, type: "number" },
      ],
      transitions: [always(`${at}_route`)],
    };
    nodes[`${at}_route`] = {
      node_type: "logic",
      transitions: [
        when(`${at}_talk`, `amount_${group}`, ">", 100),
        when(`${at}_ask`, `topic_${group % 50}`, "==", "order"),
        when(`${at}_look`, `amount_${group}`, "<=", 20),
        always(next),
      ],
    };
    nodes[`${at}_talk`] = {
      node_type: "conversation",
      state_prompt: `Talk about {{amount_${group}}}. ${wordsOf(group + 1)}`,
      transitions: [llm(next, `Caller is content with matter ${group}`)],
      ...(group % 500 === 0
        ? { global_node_setting: { condition: `Caller asks for person ${group}`, go_back_conditions: [] } }
        : {}),
    };
    nodes[`${at}_look`] = {
      node_type: "function",
      tools: [
        { name: `look_up_${group % 20}`, parameters: { type: "object", properties: { id: { type: "string" } } } },
      ],
      transitions: [always(next)],
    };
  }
  nodes.bye = { node_type: "end", state_prompt: "Say goodbye." };
  return parseGraph({ entry_node_id: "g0_ask", nodes });
}

const SHARED = ["numbers", "names", "addresses"].map(
  (what) =>
    `Repeat all ${what} slowly, one after the other, and let the caller confirm each of them before the call goes on to the next question of the list.`,
);

function wordsOf(seed: number): string {
  return Array.from({ length: 30 }, (_, index) => `word${(seed * 31 + index * index * 17) % 9973}`).join(" ");
}
const always = (target: string) => ({ target_node_id: target, condition: { type: "always" } });
const llm = (target: string, value: string) => ({ target_node_id: target, condition: { type: "llm_prompt", value } });
const when = (target: string, left: string, operator: string, right: unknown) => ({
  target_node_id: target,
  condition: { type: "equation", equations: [{ left, operator, right }] },
});
