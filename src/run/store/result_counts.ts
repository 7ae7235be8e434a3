import { RESULT_STATUSES, type ResultStatus } from "../../document/transcript/mod.ts";
import type { Database } from "./database/mod.ts";
import type { ScenarioCounts, StoredCounts } from "./records.ts";
import type { WaitOptions } from "./types.ts";

/** `agrees`: the criterion passed in a trial that passed, or failed in one that failed. */
const CRITERIA = `SELECT r.scenario AS scenario, json_extract(v.value, '$.criterion') AS criterion, count(*) AS trials,
    sum(json_extract(v.value, '$.passed')) AS passes,
    sum(json_extract(v.value, '$.passed') = (r.status = 'pass')) AS agrees,
    avg(json_extract(v.value, '$.score')) AS mean_score
  FROM callweave_results AS r JOIN callweave_result_details AS d ON d.result_id = r.id, json_each(d.verdicts) AS v
  WHERE r.run_id = ? AND r.status IN ('pass', 'fail')
  GROUP BY r.scenario, criterion ORDER BY min(r.id), min(v.key)`;

/** `latest`: trials whose last attempt has this status. */
const STATUSES = `SELECT scenario, status, count(*) AS results, sum(place = 1) AS latest FROM (
    SELECT id, scenario, status,
      row_number() OVER (PARTITION BY scenario, trial ORDER BY coalesce(attempt, 1) DESC, id DESC) AS place
    FROM callweave_results WHERE run_id = ?)
  GROUP BY scenario, status ORDER BY min(id)`;

/** Counts a run's results and judged criteria in the database, so that no transcript is read. */
export async function countResults(
  database: Database,
  runId: string,
  { signal }: WaitOptions,
): Promise<readonly StoredCounts[]> {
  const work = { action: "count results of", signal };
  const [counted, judged] = await Promise.all([
    database.read({ sql: STATUSES, args: [runId] }, work),
    database.read({ sql: CRITERIA, args: [runId] }, work),
  ]);
  const scenarios = new Map<string, Found>();
  for (const { scenario, status, results, latest } of counted.rows) {
    const name = String(scenario);
    const found = scenarios.get(name) ?? { counts: new Map(), latest: new Map(), criteria: [] };
    found.counts.set(String(status), Number(results));
    found.latest.set(String(status), Number(latest));
    scenarios.set(name, found);
  }
  for (const { scenario, criterion, trials, passes, agrees, mean_score: meanScore } of judged.rows)
    scenarios.get(String(scenario))?.criteria.push({
      criterion: String(criterion),
      trials: Number(trials),
      passes: Number(passes),
      agrees: Number(agrees),
      meanScore: Number(meanScore),
    });
  return [...scenarios].map(([scenario, { counts, latest, criteria }]) => ({
    scenario,
    counts: countsFrom(counts),
    latest: countsFrom(latest),
    criteria,
  }));
}

interface Found {
  readonly counts: Map<string, number>;
  readonly latest: Map<string, number>;
  readonly criteria: ScenarioCounts["criteria"][number][];
}

function countsFrom(found: ReadonlyMap<string, number>): ScenarioCounts["counts"] {
  const counts: { [Status in ResultStatus]: number } = {
    pass: 0,
    fail: 0,
    error: 0,
    imported: 0,
    cancelled: 0,
    invalid: 0,
  };
  for (const status of RESULT_STATUSES) counts[status] = found.get(status) ?? 0;
  return counts;
}
