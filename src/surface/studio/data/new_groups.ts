import { isRecord, parsedJson } from "../../../base/values/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import type { StudioData } from "./open_data.ts";

/** Calls that are grouped: the newest imported ones, and as many simulated ones. Grouping takes part of a second. */
const MOST_CALLS = 300;
/** Runs that they are of: the newest ones. */
const MOST_RUNS = 50;
/** Messages of a call that say what its caller wants. */
const MOST_MESSAGES = 16;

/** Callers of imported calls who want the same, which no simulated call is about. */
export interface NewGroup {
  /** Words that these callers use more than others. */
  readonly name: string;
  readonly calls: readonly string[];
  /** The call that is most like the others. */
  readonly representative: string;
}

/** Finds groups of calls that no scenario has tried, among finished runs. They are found again when there are others. */
export function createNewGroups(data: StudioData): () => Promise<readonly NewGroup[]> {
  let known: { readonly key: string; readonly groups: Promise<readonly NewGroup[]> } | undefined;
  return async () => {
    const sql = "SELECT count(*) AS runs, max(finished_at) AS newest FROM callweave_runs WHERE finished_at IS NOT NULL";
    const [row] = (await data.database.read(sql, { action: "list runs of" })).rows;
    const key = `${row?.runs} ${row?.newest}`;
    if (known?.key === key) return await known.groups;
    const groups = findNewGroups(data);
    known = { key, groups };
    groups.catch(() => {
      known = undefined;
    });
    return await groups;
  };
}

async function findNewGroups(data: StudioData): Promise<readonly NewGroup[]> {
  const imported = await openings(data, "= 'imported'");
  if (imported.length === 0) return [];
  const simulated = await openings(data, "<> 'imported'");
  const { clusterCalls } = await import("../../../run/calls/mod.ts");
  const found: NewGroup[] = [];
  for (const agent of new Set(imported.map((call) => call.agent))) {
    const tried = new Set(simulated.map(({ id }) => id));
    const calls = [...imported, ...simulated].filter((call) => call.agent === agent);
    const { groups } = await clusterCalls(calls);
    for (const { name, callIds, representative } of groups)
      if (!callIds.some((id) => tried.has(id))) found.push({ name, calls: callIds, representative: representative.id });
  }
  return found;
}

/** How the newest calls of runs of a kind begin. */
async function openings({ database }: StudioData, kind: "= 'imported'" | "<> 'imported'") {
  // which calls first: reading a transcript costs more than all else
  const sql = `WITH runs AS MATERIALIZED (
      SELECT id, agent FROM callweave_runs WHERE kind ${kind} AND finished_at IS NOT NULL ORDER BY id DESC LIMIT ${MOST_RUNS}
    ), calls AS MATERIALIZED (
      SELECT o.id AS id, runs.agent AS agent FROM runs JOIN callweave_results AS o ON o.run_id = runs.id
      ORDER BY o.id DESC LIMIT ${MOST_CALLS}
    )
    SELECT calls.id AS id, calls.agent AS agent,
      (SELECT json_group_array(json_object('role', json_extract(value, '$.role'), 'content', json_extract(value, '$.content')))
       FROM (SELECT value FROM json_each(d.transcript) LIMIT ${MOST_MESSAGES})) AS beginning
    FROM calls JOIN callweave_result_details AS d ON d.result_id = calls.id`;
  const { rows } = await database.read(sql, { action: "list results of" });
  return rows.map(({ id, agent, beginning }) => ({
    id: String(id),
    agent: String(agent),
    transcript: messagesIn(parsedJson(String(beginning))),
  }));
}

function messagesIn(list: unknown): Message[] {
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  return all.flatMap((each): Message[] => {
    if (!isRecord(each) || (each.role !== "user" && each.role !== "assistant")) return [];
    return [{ role: each.role, content: String(each.content ?? ""), node_id: "", timestamp: "", metadata: {} }];
  });
}
