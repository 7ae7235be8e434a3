import type { InValue } from "@libsql/client";
import type { Query, StudioAnswer } from "../api/mod.ts";
import type { NewGroup } from "./new_groups.ts";
import type { StudioData } from "./open_data.ts";
import { CALL_COLUMNS, CALL_TABLES, callFrom } from "./rows.ts";

/** Calls that are looked through: the newest ones. */
const MOST_CALLS = 20_000;
/** Confidence of the judge below which a call is worth a look. */
const LOW_CONFIDENCE = 0.6;
/** One call of so many is in the sample. */
const SAMPLE = 25;

/** The reasons, and when each holds. Of a new group, the call that is most like the others is named. The sample is of the call's number, so that it stays the same. */
const REASONS = {
  failed: "o.status = 'fail'",
  "low-confidence": `f.confidence < ${LOW_CONFIDENCE}`,
  "judge-and-rule": "f.judged <> f.checked",
  "new-group": "o.id IN (SELECT value FROM json_each(?))",
  random: `o.status IN ('pass', 'imported') AND (f.id * 7919) % ${SAMPLE} = 0`,
} as const;

const KINDS = ["failed", "low-confidence", "judge-and-rule", "new-group", "random"] as const;

/**
 * Lists calls that are worth a look and that a person has not labelled, those with most reasons first.
 *
 * @param author The person.
 * @param groups Groups of calls that no scenario has tried. One of whose calls somebody has labelled is not new.
 */
export async function readQueue(
  { database }: StudioData,
  query: Query<"queue">,
  author: string,
  groups: readonly NewGroup[],
): Promise<StudioAnswer<"queue">> {
  const work = { action: "list results of" };
  const labelled =
    groups.length === 0 ? [] : (await database.read("SELECT DISTINCT call FROM callweave_labels", work)).rows;
  const known = new Set(labelled.map(({ call }) => String(call)));
  const open = new Map(
    groups.flatMap((group) => (group.calls.some((call) => known.has(call)) ? [] : [[group.representative, group]])),
  );
  const flags = KINDS.map((kind, index) => `coalesce(${REASONS[kind]}, 0) AS reason${index}`);
  const wanted = query.reason === undefined ? KINDS : [query.reason];
  const conditions: readonly (readonly [string, InValue | undefined])[] = [
    ["o.run_id = ?", query.run],
    ["r.agent = ?", query.agent],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  const sql = `WITH newest AS (
      SELECT ${CALL_COLUMNS}, ${flags.join(", ")}, f.confidence AS confidence, f.judged AS judged
      FROM ${CALL_TABLES} WHERE 1${given.map(([condition]) => ` AND ${condition}`).join("")}
      ORDER BY o.id DESC LIMIT ${MOST_CALLS})
    SELECT *, (SELECT count(DISTINCT author) FROM callweave_labels WHERE call = newest.id) AS labels FROM newest
    WHERE (${wanted.map((kind) => `reason${KINDS.indexOf(kind)}`).join(" OR ")})
      AND NOT EXISTS (SELECT 1 FROM callweave_labels WHERE call = newest.id AND author = ?)
    ORDER BY ${KINDS.map((_, index) => `reason${index}`).join(" + ")} DESC, id DESC LIMIT ?`;
  const args = [JSON.stringify([...open.keys()]), ...given.map(([, value]) => value ?? null), author, query.limit];
  const { rows } = await database.read({ sql, args }, work);
  return {
    items: rows.map((row) => {
      const { labels, confidence, judged, ...rest } = row;
      const reasons = KINDS.flatMap((kind, index) =>
        rest[`reason${index}`] === 1
          ? [{ kind, words: wordsFor(kind, { confidence, judged, group: open.get(String(rest.id)) }) }]
          : [],
      );
      return { call: callFrom(rest), reasons, labels: Number(labels) };
    }),
  };
}

function wordsFor(
  kind: (typeof KINDS)[number],
  found: { readonly confidence: unknown; readonly judged: unknown; readonly group: NewGroup | undefined },
) {
  switch (kind) {
    case "failed":
      return "The call failed";
    case "low-confidence":
      return `The judge's confidence is ${Math.round(Number(found.confidence) * 100)} %`;
    case "judge-and-rule":
      return found.judged === 1 ? "The judge passed it, a rule did not" : "The rules passed it, the judge did not";
    case "new-group": {
      const { name = "", calls = [] } = found.group ?? {};
      return `No scenario tries what ${calls.length === 1 ? "this caller wants" : `${calls.length} callers want`}: ${name}`;
    }
    case "random":
      return "Sampled at random";
  }
}
