import * as v from "valibot";
import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import type { Signature } from "../signature.ts";
import { history } from "./history.ts";

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
