import * as v from "valibot";
import { contractOf, type Signature } from "../signature.ts";
import { spokenText } from "../text/mod.ts";
import { history } from "./agent.ts";

const callerInput = v.object({
  persona: v.pipe(v.string(), v.description("Who the caller is, what they know and what they want")),
  language: v.optional(
    v.pipe(v.string(), v.description("The language that the caller speaks, whatever the persona is written in")),
  ),
  conversation_history: v.pipe(history, v.description("The call so far; assistant lines are the agent's")),
});

const message = v.pipe(v.string(), v.description("What the caller says next, as spoken on the phone"));
const shouldEnd = v.pipe(
  v.boolean(),
  v.description("Whether the caller hangs up after that, because the goal is reached or out of reach"),
);
const asked = v.object({ message, should_end: shouldEnd });
const output = v.object({
  message: v.pipe(
    v.string(),
    v.transform((text) => spokenText(text)),
  ),
  should_end: shouldEnd,
});

/** Input of the caller call. */
export type CallerInput = v.InferOutput<typeof callerInput>;
/** Output of the caller call. */
export type CallerOutput = v.InferOutput<typeof output>;

/** Says the next line of a simulated caller, or hangs up. */
export const callerSignature: Signature<typeof callerInput, CallerOutput> = {
  name: "caller",
  instructions:
    "You play a caller on the phone, to test a voice agent. Stay in character: say only what this person would say and know, one or two short sentences at a time, and answer what the agent asks. Never invent facts that the persona does not give; say that you do not know. Never speak for the agent. Pursue the goal; hang up when it is reached, or when the agent plainly cannot help.",
  input: callerInput,
  output: () => contractOf(output, asked),
};
