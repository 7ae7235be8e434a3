import * as v from "valibot";

/** Where the fault of a failed call can be. */
export const FAULT_PLACES = [
  "general_prompt",
  "node_prompt",
  "transition",
  "missing_transition",
  "tool",
  "scenario",
  "caller",
] as const;

/** The facts about a failed call. */
const fact = v.object({
  kind: v.picklist([
    "path_left",
    "no_way",
    "wrong_node",
    "missing_variable",
    "wrong_variable",
    "tool_failed",
    "unmocked_tool",
    "tool_not_called",
    "not_said",
    "said",
    "verdict",
    "check",
    "ended",
    "caller",
    "error",
  ]),
  fact: v.pipe(v.string(), v.description("What was found, as a sentence")),
  node: v.pipe(v.string(), v.description("Id of the node where it was found; empty: not known")),
  transition: v.pipe(v.number(), v.description("Index of the transition that it is about; -1: none")),
  target: v.pipe(v.string(), v.description("Id of the node that should have been reached; empty: none")),
  name: v.pipe(v.string(), v.description("The variable, tool, text or criterion; empty: none")),
});

const node = v.object({
  id: v.string(),
  type: v.string(),
  prompt: v.string(),
  global_condition: v.pipe(v.string(), v.description("When the node is entered from anywhere; empty: it is not")),
  transitions: v.array(
    v.object({
      index: v.number(),
      target: v.string(),
      condition: v.pipe(v.string(), v.description("Its text or its equations; empty: it is always taken")),
      condition_type: v.string(),
    }),
  ),
  variables: v.pipe(
    v.array(v.object({ name: v.string(), description: v.string() })),
    v.description("What the node extracts from the conversation"),
  ),
  tools: v.array(v.object({ name: v.string(), description: v.string() })),
});

/** Input that both calls share: the agent, the call and what the code has found. */
export const failedCall = {
  agent: v.object({
    general_prompt: v.pipe(v.string(), v.description("Instructions that all nodes share")),
    nodes: v.pipe(v.array(node), v.description("The nodes that the call visited or could have gone to")),
    snippets: v.pipe(v.array(v.object({ name: v.string(), text: v.string() })), v.description("Used as {%name%}")),
  }),
  call: v.object({
    scenario: v.string(),
    end_reason: v.string(),
    transcript: v.array(v.object({ line: v.number(), role: v.string(), node: v.string(), content: v.string() })),
  }),
  facts: v.pipe(v.array(fact), v.description("What is certain about the failure, the most telling first")),
  problems: v.pipe(v.array(v.string()), v.description("What was wrong with your earlier answers to this; correct it")),
  refused_tries: v.pipe(
    v.array(v.object({ change: v.string(), refused_because: v.string() })),
    v.description("Changes that were tried already, and why each was refused; do not propose them again"),
  ),
};

const failedCallObject = v.object(failedCall);

/** The agent and the call of a diagnosis. */
export type FailedCallInput = v.InferOutput<typeof failedCallObject>;
