import type { Path } from "../../../src/errors.ts";
import { createLoss } from "../../loss.ts";
import type { Loss } from "../../platform.ts";

/** Everything that a conversation flow at Retell cannot hold, by its stable code. */
export const LOSSES = {
  component: [
    "emulated",
    "A component is entered at its start node and left at its end nodes",
    "its nodes, as nodes of the flow",
    "Enter it by its component node and leave it by its end nodes",
  ],
  snippet: ["emulated", "Retell has no snippets", "the snippet's text in each prompt that uses it", undefined],
  "snippet-unused": [
    "dropped",
    "Retell has no snippets, and no prompt uses this one",
    undefined,
    "Use it in a prompt, or remove it",
  ],
  "foreign-settings": [
    "dropped",
    "Settings of another platform have no place at Retell",
    undefined,
    "Set what matters in the retell option",
  ],
  "s2s-model": [
    "dropped",
    "A conversation flow has no speech-to-speech model",
    "the flow's model, or Retell's default",
    "Emit retell-llm, or take s2s_model out of the retell option",
  ],
  "begin-message": [
    "emulated",
    "A conversation flow has no begin message",
    "a first node that says it, with the edges of the entry node",
    "Make the entry node a static_text node",
  ],
  "node-prompt": [
    "dropped",
    "This type of node has no instruction at Retell",
    undefined,
    "Move the prompt to a conversation node",
  ],
  "static-text": [
    "emulated",
    "This type of node has no static text",
    "the text as a prompt",
    "Remove its tools, or make it a prompt",
  ],
  "node-tools": [
    "dropped",
    "Only conversation and function nodes have tools at Retell",
    undefined,
    "Move the tools to a conversation node",
  ],
  "function-tools": [
    "dropped",
    "A function node runs one tool",
    "its first tool",
    "Give each tool a function node of its own",
  ],
  "tool-detail": [
    "dropped",
    "This type of node holds its tool's name only",
    "the node without it",
    "Make it a custom tool",
  ],
  "function-without-tool": [
    "dropped",
    "A function node needs a tool",
    "a function node that Retell will refuse",
    "Give the node a tool",
  ],
  "tool-url": [
    "dropped",
    "A custom tool is called at its URL, and this one has none",
    "an empty URL",
    'Set "url" on the tool',
  ],
  "tool-type": ["emulated", "Retell has no tool of this type", "a custom tool", "Use one of Retell's tool types"],
  variables: [
    "dropped",
    "Only extract nodes extract variables at Retell",
    undefined,
    "Move the variables to an extract node",
  ],
  "variable-type": [
    "emulated",
    "Retell extracts texts, numbers, booleans and one of several choices",
    "a number for an integer, a text for anything else",
    "Use string, number, boolean, or enum with choices",
  ],
  "transition-description": [
    "dropped",
    "Edges have no description at Retell",
    "the condition alone",
    "Say it in the condition",
  ],
  "tool-condition": [
    "emulated",
    "Edges of this type of node have no condition on a tool's outcome",
    'an LLM condition such as "The function was called and failed"',
    "Fill a variable from the tool's response, and use an equation",
  ],
  "no-edge": [
    "dropped",
    "This type of node has no such edge at Retell",
    undefined,
    "Remove the transition, or put another node before it",
  ],
  "edge-taken": ["dropped", "Retell has one edge of this kind per node", "the first of them", "Remove the others"],
  timing: ["emulated", "This type of node has no edge with this timing", "its else edge", 'Set the timing to "else"'],
  operator: [
    "dropped",
    "Retell does not have this operator, and an equation with it is never true",
    "the other equations of an or, if there are any",
    "Use one of == != > >= < <= contains not_contains exists not_exist",
  ],
  "go-back-kind": [
    "dropped",
    "A go-back condition is an LLM condition or an equation at Retell",
    undefined,
    "Use an LLM condition",
  ],
} as const satisfies {
  readonly [code: string]: readonly [Loss["kind"], string, string | undefined, string | undefined];
};

/** A loss by its code, at a place of the graph. */
export function loss(code: keyof typeof LOSSES, path: Path, what?: string): Loss {
  const [kind, message, instead, hint] = LOSSES[code];
  const full = what === undefined ? message : `${message}: ${what}`;
  return createLoss({ code, kind, path, message: full, instead, hint });
}
