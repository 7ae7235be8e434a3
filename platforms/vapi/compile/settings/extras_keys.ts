import { SERVER_KEYS } from "../../api/mod.ts";

/** What of a model the graph says itself. */
export const PROMPT_KEYS: readonly string[] = ["messages", "systemPrompt", "systemMessage", "tools", "functions"];

/** What the graph holds of an assistant, and what a server keeps with it. */
export const HELD_BY_ASSISTANT: readonly string[] = [
  ...SERVER_KEYS,
  ...["name", "model", "metadata", "firstMessage", "firstMessageMode", "systemPrompt", "tools", "functions"],
  ...["tools:append", "serverUrl"],
];

/** What the graph holds of a workflow and its nodes, and what a server keeps with them. */
export const HELD_BY_WORKFLOW: readonly string[] = [
  ...SERVER_KEYS,
  ...[
    "kind",
    "of",
    "membersOverrides",
    "name",
    "nodes",
    "edges",
    "globalPrompt",
    "model",
    "metadata",
    "type",
    "prompt",
    "systemPrompt",
    "instructions",
  ],
  ...["literalTemplate", "exact", "isStart", "globalNodePlan", "isGlobal", "condition", "enterCondition"],
  ...["variableExtractionPlan", "extractVariables", "output", "tools", "toolIds", "tool", "toolId", "messages"],
  ...["destination", "url", "method", "headers", "body", "messagePlan", "firstMessage", "position"],
];
