import type { LossTable } from "../shared/mod.ts";

/** Losses of LLMs by code, with hints. */
export const LOSSES = {
  "logic-as-state": ["emulated", "Name an LLM condition on the node before it instead"],
  "extract-as-state": ["emulated", "Ask for the values in a conversation node"],
  "extract-as-parameters": ["emulated"],
  "function-as-state": ["emulated", "Give the tool to a conversation node"],
  "entry-as-state": ["emulated", "Start at a conversation node"],
  "extract-with-state": ["emulated", "Move the variables to an extract node"],
  "equation-as-prompt": ["emulated", "Emit as retell, which has equations"],
  "always-as-prompt": ["emulated", "Emit as retell, which has edges that always fire"],
  "outcome-as-prompt": ["emulated", "Emit as retell, or say in an LLM condition what came back"],
  "edges-merged": ["emulated", "Leave one transition to each node"],
  "tool-beside-general": ["emulated", "Remove the transition: the node can be entered from everywhere"],
  "global-as-edges": ["emulated", "Emit as retell, which has global nodes"],
  "go-back-as-edges": ["emulated", "Emit as retell, which has go-back conditions"],
  "go-back-dropped": ["dropped", "Remove the go-back conditions: the call is over at this node"],
  "static-text-as-prompt": ["emulated", "Emit as retell, which has static text"],
  "snippet-inlined": ["emulated"],
  "transfer-outcome": ["emulated", "Emit as retell, which has an edge for failed transfers"],
  "unreachable-node": ["dropped", "Add a transition to the node, or remove it"],
  "tools-dropped": ["dropped", "Move them to the conversation node before it"],
  "transition-dropped": ["dropped", "Remove the transition: the call is over at this node"],
  "name-changed": ["emulated", "Use letters, digits, _ and - for ids, at most 64 of them"],
  "variable-as-text": ["emulated", "Write the value as text"],
  "tool-url-missing": ["emulated", "Give the tool a url"],
  "tool-kind": ["emulated", "Use a kind of tool that Retell has"],
  "tool-setting-missing": ["emulated", "Set it in the tool's retell option"],
  "destination-missing": ["emulated", "Set `to` of the transfer node"],
  "node-settings": ["dropped", "Emit as retell, which has settings for each node"],
  "flow-settings": ["dropped", "Emit as retell, which has them"],
  "model-beside-s2s": ["dropped", "Name one of them: the flow's model, or s2s_model in the retell option"],
  "foreign-settings": ["dropped", "Set what matters in the retell option"],
} as const satisfies LossTable<string>;

/** A code of {@link LOSSES}. */
export type LossCode = keyof typeof LOSSES;
