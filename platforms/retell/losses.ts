import type { Path } from "../../src/errors.ts";
import type { Loss } from "../platform.ts";

/** Everything that a conversation flow at Retell cannot hold, by its stable code. */
export const LOSSES = {
  component: [
    "emulated",
    "A component is entered at its start and left by its exit only",
    "its nodes, as nodes of the flow",
    "Enter it by its component node and leave it by its end nodes",
  ],
  snippet: [
    "emulated",
    "Retell has no snippets",
    "its text, in every place that uses it",
    "Nothing to do: calls hear the same",
  ],
  "snippet-unused": [
    "dropped",
    "Retell has no snippets, and no text uses this one",
    "nothing",
    "Use it in a prompt, or remove it",
  ],
  "foreign-settings": [
    "dropped",
    "Settings of another platform have no place at Retell",
    "nothing",
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
    "a first node that says it, with the entry node's edges",
    "Make the entry node a static_text node",
  ],
  "node-prompt": [
    "dropped",
    "This type of node has no instruction at Retell",
    "nothing",
    "Move the prompt to a conversation node",
  ],
  "static-text": [
    "emulated",
    "This type of node cannot speak a text to the letter",
    "the text as a prompt",
    "Take its tools away, or make it a prompt",
  ],
  "node-tools": [
    "dropped",
    "Only conversation and function nodes have tools at Retell",
    "nothing",
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
    "This type of node says no more of its tool than its name",
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
    "nothing",
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
    "Edges of this node cannot wait for a tool",
    "a condition in words",
    "Nothing to do where the words are clear to a model",
  ],
  "no-edge": [
    "dropped",
    "This type of node cannot go on in this way at Retell",
    "nothing",
    "Remove the transition, or put another node before it",
  ],
  "edge-taken": ["dropped", "Retell has one edge of this kind per node", "the first of them", "Remove the others"],
  timing: [
    "emulated",
    "This type of node has no edge that fires at that time",
    "its else edge",
    'Set the timing to "else"',
  ],
  operator: [
    "dropped",
    "Retell does not know this operator, with which nothing is ever true",
    "nothing; of several equations with or, the others",
    "Use one of == != > >= < <= contains not_contains exists not_exist",
  ],
  "go-back-kind": [
    "dropped",
    "A go-back condition is an LLM condition or an equation at Retell",
    "nothing",
    "Use an LLM condition",
  ],
} as const satisfies { readonly [code: string]: readonly [Loss["kind"], string, string, string] };

/** A loss by its code, at a place of the graph. */
export function loss(code: keyof typeof LOSSES, path: Path, what?: string): Loss {
  const [kind, message, instead, hint] = LOSSES[code];
  return { code, kind, path, message: what === undefined ? message : `${message}: ${what}`, instead, hint };
}
