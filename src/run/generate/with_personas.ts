import pLimit from "p-limit";
import type { CallerFacts } from "../../agent/analysis/mod.ts";
import { eitherSignal } from "../../base/values/mod.ts";
import { resolveModel } from "../../call/models/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { GeneratedScenario, GenerateOptions } from "./types.ts";
import { writePersonaWith } from "./write_persona.ts";

/** A scenario whose persona was written by rules, with what it was written from. */
export interface DraftScenario extends GeneratedScenario {
  readonly facts: CallerFacts;
}

/** Number of personas to write concurrently. */
const MOST_CALLS = 4;

/**
 * Lets the model write the personas, if there is one. The first error stops the others.
 *
 * @throws {ModelError} `unknown-model`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 */
export async function withPersonas(
  graph: AgentGraph,
  drafts: readonly DraftScenario[],
  { model: reference, requests, signal }: GenerateOptions,
): Promise<readonly GeneratedScenario[]> {
  if (reference === undefined || drafts.length === 0) return drafts.map(({ facts: _facts, ...rest }) => rest);
  const stop = new AbortController();
  const settings = {
    model: await resolveModel(reference),
    signal: eitherSignal(signal, stop.signal),
    ...(requests ? { requests } : {}),
  };
  const limit = pLimit(MOST_CALLS);
  return await Promise.all(
    drafts.map(({ facts, ...rest }) =>
      limit(async (): Promise<GeneratedScenario> => {
        try {
          const persona = await writePersonaWith(settings, graph, facts);
          if (persona === undefined) return rest;
          return { ...rest, personaBy: "model", scenario: { ...rest.scenario, user_prompt: persona } };
        } catch (error) {
          stop.abort();
          throw error;
        }
      }),
    ),
  );
}
