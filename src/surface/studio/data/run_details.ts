import * as v from "valibot";
import { parsedJson } from "../../../base/values/mod.ts";
import { RESULT_STATUSES } from "../../../document/transcript/mod.ts";
import type { RunRecord, StoredCounts } from "../../../run/store/mod.ts";
import { countStatuses, namesInSet, plannedIn, summariseCounts } from "../../../run/summary/mod.ts";
import type { Query, StudioAnswer, StudioRunScenario } from "../api/mod.ts";
import type { StudioData } from "./open_data.ts";
import { rateOf } from "./rows.ts";

/** Number of calls of a scenario that the grid of a run shows. */
const MOST_TRIALS = 100;

const TrialsRow = v.object({ scenario: v.string(), trials: v.string() });

/** A text for each scenario, and not a row for each trial: making 10,000 rows takes longer than finding them. */
const TRIALS = `SELECT scenario, json_group_array(json_array(id, trial, attempt, status, duration_ms, score)) AS trials
  FROM (SELECT o.id AS id, o.scenario AS scenario, o.trial AS trial, o.attempt AS attempt, o.status AS status,
      o.duration_ms AS duration_ms, f.score AS score
    FROM (SELECT id, scenario, trial, attempt, status, duration_ms,
        row_number() OVER (PARTITION BY scenario ORDER BY trial, coalesce(attempt, 1), id) AS place
      FROM callweave_results WHERE run_id = ?) AS o
    LEFT JOIN callweave_call_facts AS f ON f.result_id = o.id
    WHERE o.place <= ?)
  GROUP BY scenario`;

/** Reads the scenarios of a run with their first trials. Reads no transcripts. */
export async function readScenarios(
  { database }: StudioData,
  run: RunRecord,
  counted: readonly StoredCounts[],
): Promise<StudioRunScenario[]> {
  const { rows } = await database.read({ sql: TRIALS, args: [run.id, MOST_TRIALS] }, { action: "read results of" });
  const trials = new Map(
    rows.map((row) => {
      const { scenario, trials: text } = v.parse(TrialsRow, { ...row });
      const list: unknown = parsedJson(text);
      return [scenario, (Array.isArray(list) ? list : []).map(trialFrom).sort(byPlace)];
    }),
  );
  const found = new Map(counted.map((each) => [each.scenario, each]));
  const names = [...new Set([...namesInSet(run.plan?.scenarios), ...found.keys()])];
  const planned = plannedIn(
    run,
    names.map((scenario) => ({
      scenario,
      trial: Math.max(1, ...(trials.get(scenario) ?? []).map(({ trial }) => trial)),
    })),
  );
  return planned.map((each) => {
    const counts = found.get(each.scenario)?.counts ?? countStatuses([]);
    const { verdict, reason, trials: judged } = summariseCounts(each, counts);
    const shown = trials.get(each.scenario) ?? [];
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return {
      scenario: each.scenario,
      verdict: counts.imported > 0 && counts.imported === all ? "imported" : verdict,
      reason,
      planned: Math.max(each.planned, run.kind === "imported" ? all : 0),
      counts: { ...counts },
      passRate: rateOf(counts.pass, judged),
      trials: shown,
      more: Math.max(0, all - shown.length),
    };
  });
}

type Trial = StudioRunScenario["trials"][number];

/** A trial of {@link TRIALS}. Checked without a schema, which takes as long as the query for 10,000 of them. */
function trialFrom(row: unknown): Trial {
  const [call, trial, attempt, name, durationMs, score]: readonly unknown[] = Array.isArray(row) ? row : [];
  const status = RESULT_STATUSES.find((each) => each === name);
  if (typeof call !== "string" || typeof trial !== "number" || typeof durationMs !== "number" || !status)
    throw new TypeError(`a result is damaged: ${JSON.stringify(row)}`);
  return { call, trial, attempt: numberOf(attempt), status, score: numberOf(score), durationMs };
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** In the order of {@link TRIALS}, which a group does not have to keep. */
function byPlace(one: Trial, other: Trial): number {
  return one.trial - other.trial || (one.attempt ?? 1) - (other.attempt ?? 1) || (one.call < other.call ? -1 : 1);
}

/** The criteria of a run's scenarios. */
export function criteriaOf(counted: readonly StoredCounts[]): StudioAnswer<"run">["criteria"] {
  return counted.flatMap(({ scenario, criteria }) =>
    criteria.map(({ criterion, passes, trials, meanScore }) => ({
      scenario,
      criterion,
      passRate: rateOf(passes, trials),
      meanScore,
    })),
  );
}

const PointRow = v.object({
  id: v.string(),
  started_at: v.string(),
  agent: v.string(),
  fingerprint: v.string(),
  commit_id: v.nullable(v.string()),
  branch: v.nullable(v.string()),
  passes: v.number(),
  fails: v.number(),
  score: v.nullable(v.number()),
});

/** Reads how a scenario came out in runs, newest first. */
export async function readTrend(
  { database }: StudioData,
  scenario: string,
  query: Query<"trend">,
): Promise<StudioAnswer<"trend">> {
  const calls = "callweave_results AS o WHERE o.run_id = r.id AND o.scenario = ?1";
  const sql = `SELECT r.id AS id, r.started_at AS started_at, r.agent AS agent, r.graph_fingerprint AS fingerprint,
      json_extract(r.options, '$.labels.commit') AS commit_id, json_extract(r.options, '$.labels.branch') AS branch,
      (SELECT count(*) FROM ${calls} AND o.status = 'pass') AS passes,
      (SELECT count(*) FROM ${calls} AND o.status = 'fail') AS fails,
      (SELECT avg(f.score) FROM callweave_call_facts AS f WHERE f.result_id IN (
        SELECT o.id FROM ${calls} AND o.status IN ('pass', 'fail'))) AS score
    FROM callweave_runs AS r WHERE r.id < ?2 AND (?3 IS NULL OR r.agent = ?3) AND EXISTS (SELECT 1 FROM ${calls})
    ORDER BY r.id DESC LIMIT ?4`;
  const args = [scenario, query.cursor ?? "~", query.agent ?? null, query.limit + 1];
  const { rows } = await database.read({ sql, args }, { action: "read results of" });
  const points = rows
    .map((row) => v.parse(PointRow, { ...row }))
    .map((point) => ({
      run: point.id,
      startedAt: point.started_at,
      agent: point.agent,
      fingerprint: point.fingerprint,
      commit: point.commit_id,
      branch: point.branch,
      passRate: rateOf(point.passes, point.passes + point.fails),
      meanScore: point.score,
    }));
  const items = points.slice(0, query.limit);
  return { items, nextCursor: points.length > query.limit ? (items.at(-1)?.run ?? null) : null };
}
