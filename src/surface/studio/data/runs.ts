import type { InValue } from "@libsql/client";
import * as v from "valibot";
import { isRecord, type JsonObject, parsedJson } from "../../../base/values/mod.ts";
import { MOST_NAME, type Query, type StudioAnswer, type StudioRunSummary } from "../api/mod.ts";
import type { StudioData } from "./open_data.ts";
import { pageFrom, rateOf, where } from "./rows.ts";

const COLUMNS = `r.id AS id, r.kind AS kind, r.agent AS agent, r.started_at AS started_at, r.finished_at AS finished_at,
  r.graph_fingerprint AS fingerprint, r.models AS models, r.pass AS pass, r.fail AS fail, r.error AS error,
  r.imported AS imported, r.cancelled AS cancelled, r.invalid AS invalid,
  json_extract(r.options, '$.labels') AS labels, json_extract(r.options, '$.connection.name') AS connection,
  r.cancelled > 0 AND EXISTS (SELECT 1 FROM callweave_results AS c WHERE c.run_id = r.id AND c.status = 'cancelled'
    AND NOT EXISTS (SELECT 1 FROM callweave_results AS l WHERE l.run_id = r.id AND l.scenario = c.scenario
      AND l.status <> 'cancelled' AND l.trial = c.trial)) AS stopped,
  (SELECT json_group_array(b.name) FROM callweave_baselines AS b WHERE b.run_id = r.id) AS baselines`;

const RunRow = v.object({
  id: v.string(),
  kind: v.picklist(["simulated", "imported", "replay"]),
  agent: v.string(),
  started_at: v.string(),
  finished_at: v.nullable(v.string()),
  fingerprint: v.string(),
  models: v.string(),
  pass: v.number(),
  fail: v.number(),
  error: v.number(),
  imported: v.number(),
  cancelled: v.number(),
  invalid: v.number(),
  labels: v.nullable(v.string()),
  connection: v.nullable(v.string()),
  baselines: v.string(),
  stopped: v.number(),
});

/** Whether this server runs a run now. */
export type IsRunning = (runId: string) => boolean;

/** Lists runs, newest first. */
export async function listRuns(
  { database }: StudioData,
  query: Query<"runs">,
  isRunning: IsRunning,
): Promise<StudioAnswer<"runs">> {
  const limit = query.limit;
  const label = (name: string) => `json_extract(r.options, '$.labels.${name}') = ?`;
  const { sql, args } = where([
    ["r.id < ?", query.cursor],
    ["r.agent = ?", query.agent],
    ["r.kind = ?", query.kind],
    [label("branch"), query.branch],
    [label("environment"), query.environment],
    ["json_extract(r.options, '$.connection.name') = ?", query.connection],
    ["EXISTS (SELECT 1 FROM json_each(r.options, '$.labels.tags') WHERE value = ?)", query.tag],
  ]);
  const { rows } = await database.read(
    { sql: `SELECT ${COLUMNS} FROM callweave_runs AS r${sql} ORDER BY r.id DESC LIMIT ?`, args: [...args, limit + 1] },
    { action: "list runs of" },
  );
  return pageFrom(
    rows.map((row) => runFrom(row, isRunning)),
    limit,
    ({ id }) => id,
  );
}

/** Reads the summary of a run by its full id. */
export async function readRunSummary(
  { database }: StudioData,
  id: string,
  isRunning: IsRunning,
): Promise<StudioRunSummary | undefined> {
  const args: InValue[] = [id];
  const sql = `SELECT ${COLUMNS} FROM callweave_runs AS r WHERE r.id = ?`;
  const { rows } = await database.read({ sql, args }, { action: "read run of" });
  return rows[0] && runFrom(rows[0], isRunning);
}

/** A run is stopped if it has ended without some of its calls. */
function stateOf(run: v.InferOutput<typeof RunRow>, isRunning: IsRunning): StudioRunSummary["state"] {
  if (run.finished_at !== null) return run.stopped === 1 ? "stopped" : "finished";
  return isRunning(run.id) ? "running" : "unfinished";
}

function runFrom(row: object, isRunning: IsRunning): StudioRunSummary {
  const run = v.parse(RunRow, { ...row });
  const { pass, fail, error, imported, cancelled, invalid } = run;
  const labels = documentOf(run.labels);
  const models = documentOf(run.models);
  const baselines: unknown = parsedJson(run.baselines);
  return {
    id: run.id,
    kind: run.kind,
    agent: run.agent,
    state: stateOf(run, isRunning),
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    fingerprint: run.fingerprint,
    models: { agent: textOf(models.agent), caller: textOf(models.caller), judge: textOf(models.judge) },
    counts: { pass, fail, error, imported, cancelled, invalid },
    passRate: rateOf(pass, pass + fail),
    commit: labelOf(labels.commit),
    branch: labelOf(labels.branch),
    environment: labelOf(labels.environment),
    connection: run.connection,
    tags: textsOf(labels.tags),
    baselines: textsOf(baselines),
  };
}

/** The object in a column; empty if there is none. */
function documentOf(text: string | null): JsonObject {
  const value: unknown = text === null ? {} : parsedJson(text);
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A label of a run: who started the run wrote it. */
function labelOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, MOST_NAME) : null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** An agent of which there are runs. */
export interface KnownAgent {
  readonly agent: string;
  readonly runs: number;
  /** Id and fingerprint of its newest run. */
  readonly newest: string;
  readonly fingerprint: string;
}

const KnownRow = v.object({ agent: v.string(), runs: v.number(), newest: v.string(), fingerprint: v.string() });

/** Lists the agents of all runs, by name. */
export async function listAgents({ database }: StudioData): Promise<readonly KnownAgent[]> {
  const sql = `SELECT k.agent AS agent, k.runs AS runs, k.newest AS newest, r.graph_fingerprint AS fingerprint
    FROM (SELECT agent, count(*) AS runs, max(id) AS newest FROM callweave_runs GROUP BY agent) AS k
    JOIN callweave_runs AS r ON r.id = k.newest ORDER BY k.agent LIMIT 1000`;
  const { rows } = await database.read(sql, { action: "list agents of" });
  return rows.map((row) => v.parse(KnownRow, { ...row }));
}

const CountsRow = v.object({ runs: v.number(), calls: v.number(), labels: v.number() });

/** Counts runs, calls and labels, without reading the calls. */
export async function countAll({ database }: StudioData): Promise<StudioAnswer<"project">["counts"]> {
  const sql = `SELECT count(*) AS runs, coalesce(sum(pass + fail + error + imported + cancelled + invalid), 0) AS calls,
    (SELECT count(*) FROM callweave_labels) AS labels FROM callweave_runs`;
  const { rows } = await database.read(sql, { action: "count runs of" });
  return v.parse(CountsRow, { ...rows[0] });
}

/** Id of the newest run of an agent with results, of a version if there is one of it. */
export async function newestRun(
  { database }: StudioData,
  agent: string,
  fingerprint: string | undefined,
): Promise<string | undefined> {
  const sql = `SELECT id FROM callweave_runs WHERE agent = ? AND pass + fail + imported > 0
    ORDER BY graph_fingerprint = ? DESC, id DESC LIMIT 1`;
  const { rows } = await database.read({ sql, args: [agent, fingerprint ?? ""] }, { action: "find runs of" });
  return rows[0] ? String(rows[0].id) : undefined;
}

/** Id of the run that was started under a name of shared runs. */
export async function runNamed({ database }: StudioData, joinName: string): Promise<string | undefined> {
  const sql = "SELECT id FROM callweave_runs WHERE join_name = ?";
  const { rows } = await database.read({ sql, args: [joinName] }, { action: "find run in" });
  return rows[0] ? String(rows[0].id) : undefined;
}

const VersionRow = v.object({
  fingerprint: v.string(),
  runs: v.number(),
  firstAt: v.string(),
  lastAt: v.string(),
  run: v.string(),
  labels: v.nullable(v.string()),
});

/** Lists the versions of an agent that runs have called, by their last runs, newest first. */
export async function listVersions(
  { database }: StudioData,
  agent: string,
  { cursor, limit }: Query<"agentVersions">,
): Promise<Pick<StudioAnswer<"agentVersions">, "items" | "nextCursor">> {
  const sql = `SELECT k.fingerprint AS fingerprint, k.runs AS runs, k.first AS firstAt, r.started_at AS lastAt,
      r.id AS run, json_extract(r.options, '$.labels') AS labels
    FROM (SELECT graph_fingerprint AS fingerprint, count(*) AS runs, min(started_at) AS first, max(id) AS newest
      FROM callweave_runs WHERE agent = ?1 GROUP BY graph_fingerprint HAVING ?2 IS NULL OR max(id) < ?2) AS k
    JOIN callweave_runs AS r ON r.id = k.newest ORDER BY r.id DESC LIMIT ?3`;
  const args: InValue[] = [agent, cursor ?? null, limit + 1];
  const { rows } = await database.read({ sql, args }, { action: "list runs of" });
  const versions = rows.map((row) => {
    const { labels: text, ...version } = v.parse(VersionRow, { ...row });
    const labels = documentOf(text);
    const [commit, branch, environment] = [labels.commit, labels.branch, labels.environment].map(labelOf);
    return { ...version, commit: commit ?? null, branch: branch ?? null, environment: environment ?? null };
  });
  return pageFrom(versions, limit, ({ run }) => run);
}

/** Id of a run of a version of an agent; `undefined` if there is none. */
export async function runOfVersion(
  { database }: StudioData,
  agent: string,
  fingerprint: string,
): Promise<string | undefined> {
  const sql = "SELECT id FROM callweave_runs WHERE agent = ? AND graph_fingerprint = ? ORDER BY id DESC LIMIT 1";
  const { rows } = await database.read({ sql, args: [agent, fingerprint] }, { action: "find runs of" });
  return rows[0] ? String(rows[0].id) : undefined;
}
