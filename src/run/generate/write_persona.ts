import type { CallerFacts } from "../../agent/analysis/mod.ts";
import { isCallweaveError } from "../../base/errors.ts";
import {
  callModel,
  type Model,
  type PersonaInput,
  personaSignature,
  type RequestOptions,
} from "../../call/models/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";

/** Settings of the model calls that write personas. */
export interface PersonaSettings {
  readonly model: Model;
  readonly requests?: RequestOptions;
  readonly signal?: AbortSignal;
}

/**
 * Lets a model write the persona of a caller.
 *
 * @returns `undefined` when no answer of the model states all facts.
 * @throws {ModelError} `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 */
export async function writePersonaWith(
  { model, requests, signal }: PersonaSettings,
  graph: AgentGraph,
  facts: CallerFacts,
): Promise<string | undefined> {
  const options = { ...requests, ...(signal ? { signal } : {}) };
  try {
    const { persona } = await callModel(model, personaSignature, inputOf(graph, facts), options);
    return persona.trim();
  } catch (error) {
    if (isCallweaveError(error) && error.code === "model-output") return undefined;
    throw error;
  }
}

function inputOf({ source_metadata: { general_prompt: general } }: AgentGraph, facts: CallerFacts): PersonaInput {
  const { agent, given, moments } = facts;
  const told = moments.flatMap((moment) => moment.facts);
  const all = [...given, ...told].map(({ name, meaning, value }) => ({ name, meaning, value }));
  const unique = new Map(all.map((fact) => [JSON.stringify([fact.name, fact.value]), fact]));
  return {
    agent: [agent, general?.trim()].filter(Boolean).join(": "),
    moments: moments.map(({ agentIsTold, conditions, others }) => ({
      agent_is_told: agentIsTold,
      comes_true: [...conditions, ...others.map((other) => `not: ${other}`)].join("; ") || "the caller answers",
    })),
    facts: [...unique.values()],
  };
}
