import * as v from "valibot";
import { contractOf, type Signature } from "../signature.ts";

/** Kinds of proposed changes. */
const REPAIR_VERBS = [
  "replace_text",
  "set_prompt",
  "set_general_prompt",
  "set_snippet",
  "set_condition",
  "set_global_condition",
  "set_equation",
  "add_transition",
  "retarget",
  "remove_transition",
  "describe_variable",
  "describe_tool",
] as const;

/** Maximum number of changes per proposal: a repair should be minimal. */
const MOST_CHANGES = 3;

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

const input = v.object({
  ...failedCall,
  fault: v.object({
    place: v.picklist(FAULT_PLACES),
    node: v.string(),
    transition: v.number(),
    target: v.string(),
    tool: v.string(),
    explanation: v.string(),
  }),
});

const change = v.object({
  verb: v.picklist(REPAIR_VERBS),
  node: v.pipe(v.string(), v.description("Id of the node; empty: replace_text changes the general prompt")),
  transition: v.pipe(v.number(), v.description("Index of the transition; -1: none")),
  clause: v.pipe(v.number(), v.description("set_equation: index of the equation in its condition; else -1")),
  target: v.pipe(v.string(), v.description("add_transition, retarget: the node to lead to; else empty")),
  name: v.pipe(v.string(), v.description("Variable, tool or snippet; set_equation: the variable; else empty")),
  operator: v.pipe(v.string(), v.description("set_equation: the operator, such as == or >=; else empty")),
  find: v.pipe(v.string(), v.description("replace_text: words of the prompt, to the letter; else empty")),
  text: v.pipe(
    v.string(),
    v.description("The new text: prompt, condition, description, replacement, or right side of the equation"),
  ),
});

const changes = v.pipe(v.array(change), v.maxLength(MOST_CHANGES));
const reasoning = v.pipe(
  v.string(),
  v.description("Why this helps, in a sentence; without a change: what has to be done instead"),
);
const output = v.object({ changes, reasoning });

/** Fields that a server without structured output may leave out. */
const lenient = v.object({
  changes: v.pipe(
    v.array(
      v.object({
        ...change.entries,
        node: v.nullish(v.string(), ""),
        transition: v.nullish(v.number(), -1),
        clause: v.nullish(v.number(), -1),
        target: v.nullish(v.string(), ""),
        name: v.nullish(v.string(), ""),
        operator: v.nullish(v.string(), ""),
        find: v.nullish(v.string(), ""),
        text: v.nullish(v.string(), ""),
      }),
    ),
    v.maxLength(MOST_CHANGES),
  ),
  reasoning: v.nullish(v.string(), ""),
});

/** Input of the repair call. */
export type RepairInput = v.InferOutput<typeof input>;
/** Output of the repair call. */
export type RepairOutput = v.InferOutput<typeof output>;

/** Proposes the smallest change that repairs a fault. Whether it fits the graph is checked where it is called. */
export const repairSignature: Signature<typeof input, RepairOutput> = {
  name: "repair",
  instructions:
    "You repair a voice agent whose test call failed. Propose the smallest change at the given fault that makes the call pass and leaves every other call as it is: prefer replacing a few words to writing a new prompt, and one change to several. Keep the language, the tone and all {{placeholders}} of the texts. Do not write words of this one caller into the agent where a general wording does. When the scenario, the caller or a tool's server is at fault, propose no change and say what has to be done.",
  input,
  output: () => contractOf(lenient, output),
};

const failedCallObject = v.object(failedCall);

/** The agent and the call of a diagnosis. */
export type FailedCallInput = v.InferOutput<typeof failedCallObject>;
