import type { Database } from "./database/mod.ts";
import { RESULT_STATUSES, type ResultStatus, type ScenarioCounts } from "./records.ts";
import type { WaitOptions } from "./types.ts";

/** `agrees`: the criterion passed in a trial that passed, or failed in one that failed. */
const CRITERIA = `SELECT r.scenario AS scenario, json_extract(v.value, '$.criterion') AS criterion, count(*) AS trials,
    sum(json_extract(v.value, '$.passed')) AS passes,
    sum(json_extract(v.value, '$.passed') = (r.status = 'pass')) AS agrees,
    avg(json_extract(v.value, '$.score')) AS mean_score
  FROM callweave_results AS r JOIN callweave_result_details AS d ON d.result_id = r.id, json_each(d.verdicts) AS v
  WHERE r.run_id = ? AND r.status IN ('pass', 'fail')
  GROUP BY r.scenario, criterion ORDER BY min(r.id), min(v.key)`;

/** Counts a run's results and judged criteria in the database, so that no transcript is read. */
export async function countResults(
  database: Database,
  runId: string,
  { signal }: WaitOptions,
): Promise<readonly ScenarioCounts[]> {
  const work = { action: "count results of", signal };
  const statuses = `SELECT scenario, status, count(*) AS results FROM callweave_results WHERE run_id = ?
    GROUP BY scenario, status ORDER BY min(id)`;
  const [counted, judged] = await Promise.all([
    database.read({ sql: statuses, args: [runId] }, work),
    database.read({ sql: CRITERIA, args: [runId] }, work),
  ]);
  const scenarios = new Map<string, { counts: Map<string, number>; criteria: ScenarioCounts["criteria"][number][] }>();
  for (const { scenario, status, results } of counted.rows) {
    const name = String(scenario);
    const found = scenarios.get(name) ?? { counts: new Map(), criteria: [] };
    found.counts.set(String(status), Number(results));
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
  return [...scenarios].map(([scenario, { counts, criteria }]) => ({
    scenario,
    counts: countsFrom(counts),
    criteria,
  }));
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
