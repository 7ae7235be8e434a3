import type { LossTable } from "../shared/mod.ts";

/** Losses of LLMs by code, with hints. */
export const LLM_LOSSES = {
  "logic-as-state": ["emulated", "Use LLM conditions on the node before it"],
  "extract-as-state": ["emulated", "Ask for the values in a conversation node"],
  "extract-as-parameters": ["emulated"],
  "function-as-state": ["emulated", "Move the tool to a conversation node"],
  "entry-as-state": ["emulated", "Start at a conversation node"],
  "extract-with-state": ["emulated", "Move the variables to an extract node"],
  "equation-as-prompt": ["emulated", "Emit as retell, which supports equations"],
  "always-as-prompt": ["emulated", "Emit as retell, which supports unconditional edges"],
  "outcome-as-prompt": ["emulated", "Emit as retell, or describe the result in an LLM condition"],
  "edges-merged": ["emulated", "Use one transition per target"],
  "tool-beside-general": ["emulated", "Remove the transition: every state can call the general tool"],
  "global-as-edges": ["emulated", "Emit as retell, which has global nodes"],
  "go-back-as-edges": ["emulated", "Emit as retell, which has go-back conditions"],
  "go-back-dropped": ["dropped", "Remove the go-back conditions: the call is over at this node"],
  "static-text-as-prompt": ["emulated", "Emit as retell, which has static text"],
  "snippet-inlined": ["emulated"],
  "snippet-unused": ["dropped", "Use it, or remove it"],
  "transition-description": ["dropped", "Move it to the condition"],
  "global-unread": ["dropped", "Add a conversation node, or make the node an ordinary one"],
  "choices-type": ["dropped", "Set the type enum, or remove the choices"],
  "tool-setting-dropped": ["dropped", "Make it a custom tool"],
  "transfer-outcome": ["emulated", "Emit as retell, which has an edge for failed transfers"],
  "unreachable-node": ["dropped", "Add a transition to the node, or remove it"],
  "tools-dropped": ["dropped", "Move them to the conversation node before it"],
  "transition-dropped": ["dropped", "Remove the transition: the call is over at this node"],
  "name-changed": ["emulated", "Use at most 64 letters, digits, _ and - for ids"],
  "variable-as-text": ["emulated", "Write the value as text"],
  "tool-url-missing": ["emulated", "Set the tool's url"],
  "tool-kind": ["emulated", "Use a tool type that Retell supports"],
  "tool-built-in": ["dropped", "Use one of Retell's tool types, or a setting of Retell's agent"],
  "tool-setting-missing": ["emulated", "Set it in the tool's retell option"],
  "node-settings": ["dropped", "Emit as retell, which supports settings for each node"],
  "flow-settings": ["dropped", "Emit as retell, which supports them"],
  "model-beside-s2s": ["dropped", "Set only one of them: the flow's model, or s2s_model in the retell option"],
  "foreign-settings": ["dropped", "Set Retell's own settings in the retell option"],
} as const satisfies LossTable<string>;

/** A code of {@link LLM_LOSSES}. */
export type LlmLossCode = keyof typeof LLM_LOSSES;
