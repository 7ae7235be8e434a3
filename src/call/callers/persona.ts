import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, OPTION } from "../../base/values/mod.ts";
import { callerSignature, callModel, type Model, type RequestOptions } from "../models/mod.ts";
import type { Caller } from "./caller.ts";

/** Persona for scenarios without one. */
const ANYBODY = "An ordinary caller, with nothing special in mind. You answer what the agent asks as well as you can.";

/**
 * Creates a caller that a model plays. A line with a hang-up is spoken first; an empty line only hangs up.
 *
 * @param persona Who the caller is, what they know and what they want. An ordinary caller when empty.
 * @throws {ScenarioError} `invalid-option`.
 * @throws {ModelError} From `next` when the model fails or its answer cannot be used.
 */
export function createPersonaCaller(persona: string, model: Model, requests: RequestOptions = {}): Caller {
  checkOptions({ persona: persona ?? null }, { persona: OPTION.text }, ScenarioError, "Cannot create a caller");
  return {
    next: async (history, options = {}) => {
      const input = { persona: persona.trim() || ANYBODY, conversation_history: [...history] };
      const { message, should_end } = await callModel(model, callerSignature, input, {
        ...requests,
        ...(options.signal ? { signal: options.signal } : {}),
        ...(options.onUsage ? { onUsage: options.onUsage } : {}),
      });
      const say = message.trim();
      if (!say) return { hangUp: "caller_ended" };
      return should_end ? { say, hangUp: "caller_ended" } : { say };
    },
  };
}
