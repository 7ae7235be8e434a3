import type { Path } from "../../../src/base/errors.ts";
import { type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { LLM_OWNER, type Losses, type LossTable, llmKeys, loseForeignSettings } from "../shared/mod.ts";
import { RETELL_SERVER_KEYS } from "../traits/mod.ts";

/** Losses of conversation flows by code, with hints. */
export const FLOW_LOSSES = {
  component: ["emulated", "Enter it by its component node and leave it by its end nodes"],
  snippet: ["emulated"],
  "snippet-unused": ["dropped", "Use it in a prompt, or remove it"],
  "foreign-settings": ["dropped", "Set Retell's own settings in the retell option"],
  "setting-ignored": ["dropped", "Remove it from the retell option, or change the flow itself"],
  "s2s-model": ["dropped", "Emit retell-llm, or remove s2s_model from the retell option"],
  "begin-message": ["emulated", "Make the entry node a static_text node"],
  "node-prompt": ["dropped", "Move the prompt to a conversation node"],
  "static-text": ["emulated", "Remove its tools, or make it a prompt"],
  "node-tools": ["dropped", "Move the tools to a conversation node"],
  "function-tools": ["dropped", "Add a function node for each tool"],
  "tool-detail": ["dropped", "Make it a custom tool"],
  "function-without-tool": ["dropped", "Add a tool to the node"],
  "tool-url": ["dropped", 'Set "url" on the tool'],
  "tool-type": ["emulated", "Use one of Retell's tool types"],
  variables: ["dropped", "Move the variables to an extract node"],
  "variable-type": ["emulated", "Use string, number, boolean, or enum with choices"],
  "transition-description": ["dropped", "Move it to the condition"],
  "tool-condition": ["emulated", "Add a response variable to the tool, and route by an equation"],
  "no-edge": ["dropped", "Remove the transition, or put another node before it"],
  "edge-taken": ["dropped", "Remove the other transitions"],
  timing: ["emulated", 'Set the timing to "else"'],
  operator: ["dropped", "Use one of == != > >= < <= contains not_contains exists not_exist"],
  "go-back-kind": ["dropped", "Use an LLM condition"],
} as const satisfies LossTable<string>;

/** A code of {@link FLOW_LOSSES}. */
export type FlowLossCode = keyof typeof FLOW_LOSSES;

/** Settings of an LLM that a flow does not need, or has in another place. */
const NO_SETTINGS: readonly string[] = [
  ...RETELL_SERVER_KEYS,
  ...["general", "repeated", "begin_message", "model_high_priority"],
];

/** Reports settings of other platforms and of LLMs. */
export function reportForeignSettings(graph: AgentGraph, losses: Losses<"foreign-settings">): void {
  const lose = (path: Path, settings: JsonObject) => {
    for (const key of Object.keys(settings)) {
      const message = `Retell does not support settings of another platform: ${key}`;
      if (!NO_SETTINGS.includes(key) && settings[key] !== null)
        losses.add("foreign-settings", [...path, LLM_OWNER], message);
    }
  };
  loseForeignSettings(graph, losses);
  lose(["source_metadata"], recordAt(graph.source_metadata, LLM_OWNER));
  for (const { id, transitions } of Object.values(graph.nodes))
    for (const [index, transition] of transitions.entries())
      lose(["nodes", id, "transitions", index, "metadata"], llmKeys(transition));
}
