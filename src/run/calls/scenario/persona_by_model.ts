import { isCallweaveError } from "../../../base/errors.ts";
import { defined } from "../../../base/values/mod.ts";
import { callModel, resolveModel, type ScenarioCallOutput, scenarioSignature } from "../../../call/models/mod.ts";
import type { Call } from "../../../document/transcript/mod.ts";
import type { CallFact, ScenarioFromCallOptions } from "./types.ts";

/**
 * Has a model write the persona and the name of a scenario.
 *
 * @returns `undefined` when no answer of the model states all facts.
 * @throws {ModelError} `unknown-model`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 */
export async function personaByModel(
  { transcript }: Call,
  { agent, facts }: { readonly agent: string; readonly facts: readonly CallFact[] },
  {
    model,
    requests,
    signal,
  }: Pick<ScenarioFromCallOptions, "requests" | "signal"> & {
    readonly model: NonNullable<ScenarioFromCallOptions["model"]>;
  },
): Promise<ScenarioCallOutput | undefined> {
  const conversation_history = transcript.flatMap(({ role, content }) =>
    role === "user" || role === "assistant" ? [{ role, content }] : [],
  );
  try {
    return await callModel(
      await resolveModel(model),
      scenarioSignature,
      { agent, conversation_history, facts: facts.map(({ name, value }) => ({ name, value })) },
      { ...requests, ...defined({ signal }) },
    );
  } catch (error) {
    if (isCallweaveError(error) && error.code === "model-output") return undefined;
    throw error;
  }
}
