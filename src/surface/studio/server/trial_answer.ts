import { StudioError } from "../../../base/errors.ts";
import { groupBy } from "../../../base/values/mod.ts";
import type { ResultRecord, StoredRun } from "../../../run/store/mod.ts";
import type { StudioAnswer } from "../api/mod.ts";
import { unknownThing } from "./answers.ts";
import type { Person, Studio } from "./studio.ts";
import type { TrialWork } from "./trials.ts";

/** What a request for a trial names. */
export type AskedTrial = { readonly agent: string; readonly prompts: TrialWork["prompts"] } & (
  | { readonly calls: readonly string[] }
  | { readonly scenario: string; readonly repeats: number }
);

/** Starts a trial, with the stored calls that it repeats. */
export async function startTrialAnswer(
  studio: Studio,
  asked: AskedTrial,
  who: Person,
): Promise<StudioAnswer<"startTrial">> {
  const { agent, prompts } = asked;
  const { source } = await studio.agents.find(agent);
  if (!source?.loaded || source.problem !== null)
    throw new StudioError(`Cannot start a trial: ${source?.problem?.message ?? "the agent's source is not here"}`, {
      code: "unknown-agent",
      path: ["agent"],
      hint: source?.problem?.hint ?? "Start the studio with the agent's source",
    });
  const { nodes } = source.loaded.graph;
  const unknown = Object.keys(prompts).find((id) => !Object.hasOwn(nodes, id));
  if (unknown !== undefined)
    throw new StudioError(`Cannot try a prompt of "${unknown}": the agent has no such node`, {
      code: "unknown-target",
      path: ["prompts", unknown],
      hint: "Name a node of the agent",
    });
  if ("calls" in asked) {
    const recordings = await recordingsOf(studio, [...new Set(asked.calls)]);
    return studio.trials.start(agent, { prompts, recordings }, who.name);
  }
  const { scenario, repeats } = asked;
  if (!source.loaded.scenarios.some(({ name }) => name === scenario))
    throw new StudioError(`Cannot try scenario "${scenario}": the project has no such scenario`, {
      code: "unknown-target",
      path: ["scenario"],
      hint: "Name a scenario of the agent",
    });
  return studio.trials.start(agent, { prompts, scenario, repeats }, who.name);
}

async function recordingsOf({ data }: Studio, ids: readonly string[]): Promise<readonly StoredRun[]> {
  const results: ResultRecord[] = [];
  for (const id of ids) {
    const found = await data.store.findResult(id);
    if (!found) throw unknownThing("call", id, "List the calls: GET /api/v1/calls");
    results.push(found);
  }
  const runs = groupBy(results, ({ runId }) => runId);
  return await Promise.all(
    [...runs].map(async ([id, own]): Promise<StoredRun> => {
      const run = await data.store.findRun(id);
      return { run, graph: await data.graphOf(run.graphFingerprint, id), results: own };
    }),
  );
}
