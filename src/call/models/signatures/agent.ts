import * as v from "valibot";
import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import type { JsonSchema } from "../../../document/graph/mod.ts";
import type { OutputContract, Signature } from "../signature.ts";
import { decision, decisionContracts, offer, optionalReasoning } from "./decision.ts";

/** A text that only explains: models without structured output omit it, or answer something else. */
export const explanation = v.optional(v.fallback(v.string(), ""), "");

/** A number from 0 to 1 that only explains. */
export const optionalShare = v.optional(
  v.fallback(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), undefined),
);

/** The lines of a call, oldest first. */
export const history = v.array(v.object({ role: v.picklist(["user", "assistant", "tool"]), content: v.string() }));

/** Input of the respond call. Its answer is text or tool calls, so it has no output contract. */
export const respondInput = v.object({
  general_instructions: v.pipe(v.string(), v.description("What holds for the whole agent")),
  state_instructions: v.pipe(v.string(), v.description("What the agent is to do in the current state")),
  conversation_history: v.pipe(
    history,
    v.description("The call so far, oldest first, without the caller's last words"),
  ),
  user_message: v.pipe(v.string(), v.description("The caller's last words; empty: the agent speaks first")),
});

/** Input of the respond call. */
export type RespondInput = v.InferOutput<typeof respondInput>;

/** General instructions of the respond call. */
export const RESPOND_INSTRUCTIONS =
  "You are a voice agent on a phone call. Say what you say next, and only that: short, spoken sentences without markup, lists, stage directions or a speaker's name. Never say that you are in a state or follow instructions.";

const input = v.object({
  instructions: v.pipe(v.string(), v.description("What the agent's author says about this step")),
  tool: v.pipe(
    v.object({
      name: v.string(),
      description: v.string(),
      parameters: v.record(v.string(), v.unknown()),
    }),
    v.description("The tool that is about to be called, with the JSON Schema of its arguments"),
  ),
  variables: v.pipe(v.record(v.string(), v.string()), v.description("What is known about the call")),
  conversation_history: v.pipe(history, v.description("The call so far, oldest first")),
});

/** Input of the arguments call. */
export type ArgumentsInput = v.InferOutput<typeof input>;

/** Finds the arguments of a tool that a function node is about to call. */
export const argumentsSignature: Signature<typeof input, JsonObject> = {
  name: "arguments",
  instructions:
    "You fill in the arguments of a tool that a voice agent is about to call. Take values from the conversation and from what is known about the call; do not invent any. Leave out optional arguments that nobody mentioned.",
  input,
  output: ({ tool }) => ({
    schema: { type: "object", ...tool.parameters }, // servers refuse properties without a type
    strict: false,
    read: (answer) => (isRecord(answer) ? { output: answer } : { problem: "it is not an object" }),
  }),
};

const transitionInput = v.object({
  current_state_prompt: v.pipe(v.string(), v.description("What the agent is to achieve in the current state")),
  conversation_history: v.pipe(history, v.description("What was said and done in this state, oldest first")),
  last_agent_message: v.pipe(v.string(), v.description("What the agent said last; empty: nothing yet")),
  available_transitions: v.pipe(
    v.array(
      v.object({
        ...offer,
      }),
    ),
    v.description("The moves on offer, each with the condition under which it is right"),
  ),
});

const output = v.object({ ...optionalReasoning, ...decision });

/** Input of the transition call. */
export type TransitionInput = v.InferOutput<typeof transitionInput>;
/** Output of the transition call. */
export type TransitionOutput = v.InferOutput<typeof output>;

const contractOf = decisionContracts({}, output);

/** Chooses the transition whose condition the call meets, or none. */
export const transitionSignature: Signature<typeof transitionInput, TransitionOutput> = {
  name: "transition",
  instructions:
    "You route a phone call between the states of a voice agent. First judge whether the current state has reached its objectives: a question of the agent that the caller has not taken up is an unmet objective. Then pick the transition whose condition the conversation meets. Conditions are about what has been said, not about what might be said next. When no condition is met, answer none.",
  input: transitionInput,
  output: ({ available_transitions: offers }) => contractOf(offers),
};

const extractInput = v.object({
  instructions: v.pipe(v.string(), v.description("What the agent's author says about finding the values")),
  variables: v.pipe(
    v.array(
      v.object({
        name: v.string(),
        description: v.string(),
        type: v.string(),
        choices: v.array(v.string()),
      }),
    ),
    v.description("The variables to fill"),
  ),
  conversation_history: v.pipe(history, v.description("The call so far, oldest first")),
});

/** Input of the extract call. */
export type ExtractInput = v.InferOutput<typeof extractInput>;
/** Output of the extract call: values as text, by variable; a variable without a value is absent. */
export type ExtractOutput = ReadonlyMap<string, string>;

/** Finds the values of variables in what was said. */
export const extractSignature: Signature<typeof extractInput, ExtractOutput> = {
  name: "extract",
  instructions:
    "You read a phone call and fill in variables from what the caller said. Use only what was said. A value that was not said is null, never a guess.",
  input: extractInput,
  output: ({ variables }) => extractContract(variables),
};

function extractContract(variables: ExtractInput["variables"]): OutputContract<ExtractOutput> {
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(variables.map((variable) => [variable.name, variableSchema(variable)])),
      required: [...new Set(variables.map(({ name }) => name))],
      additionalProperties: false,
    },
    strict: true,
    read: (answer) => {
      if (typeof answer !== "object" || answer === null || Array.isArray(answer))
        return { problem: "it is not an object" };
      const given = new Map<string, unknown>(Object.entries(answer));
      if (given.size > 0 && !variables.some(({ name }) => given.has(name))) {
        return { problem: `"${[...given.keys()].join('", "')}" are none of the variables` };
      }
      const values = new Map<string, string>();
      for (const variable of variables) {
        const value = given.get(variable.name);
        if (value === null || value === undefined) continue;
        const text = valueText(value, variable);
        if (text === undefined)
          return { problem: `${variable.name}: ${JSON.stringify(value)} does not match its type` };
        values.set(variable.name, text);
      }
      return { output: values };
    },
  };
}

function variableSchema({ description, type, choices }: ExtractInput["variables"][number]): JsonSchema {
  const about = description ? { description } : {};
  if (choices.length > 0) return { type: ["string", "null"], enum: [...new Set(choices), null], ...about };
  if (type === "number" || type === "boolean") return { type: [type, "null"], ...about };
  return { type: ["string", "null"], ...about };
}

/** Converts a value to the text stored in variables; `undefined` when it does not match the variable's type. */
function valueText(value: unknown, { type, choices }: ExtractInput["variables"][number]): string | undefined {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (choices.length > 0) return choices.find((choice) => choice === text) ?? choices.find((c) => sameWord(c, text));
  if (type === "number" && !Number.isFinite(Number(text.trim() || "x"))) return undefined;
  if (type === "boolean") return ["true", "false"].find((word) => sameWord(word, text));
  return text;
}

function sameWord(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
