import * as v from "valibot";
import { history } from "./history.ts";

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
