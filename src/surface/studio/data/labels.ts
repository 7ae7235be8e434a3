import * as v from "valibot";
import { cohenKappa, type VerdictPair } from "../../../base/statistics/mod.ts";
import { groupBy, isRecord, parsedJson } from "../../../base/values/mod.ts";
import { type Query, SCHEMAS, type StudioAnswer, type StudioLabel } from "../api/mod.ts";
import type { StudioData } from "./open_data.ts";
import { pageFrom, where } from "./rows.ts";

const COLUMNS = "id, call, turn, criterion, verdict, what, words, author, at";

/** A label's row: the database calls whoever wrote it `author`. */
const { by: author, ...columns } = SCHEMAS.saveLabel.answer.entries;
const LabelRow = v.object({ ...columns, author });

function labelFrom(row: object): StudioLabel {
  const { author, ...label } = v.parse(LabelRow, { ...row });
  return { ...label, by: author };
}

/** Lists labels, newest first. */
export async function listLabels({ database }: StudioData, query: Query<"labels">): Promise<StudioAnswer<"labels">> {
  const limit = query.limit;
  const { sql, args } = where([
    ["id < ?", query.cursor],
    ["call = ?", query.call],
    ["author = ?", query.by],
  ]);
  const { rows } = await database.read(
    { sql: `SELECT ${COLUMNS} FROM callweave_labels${sql} ORDER BY id DESC LIMIT ?`, args: [...args, limit + 1] },
    { action: "list labels of" },
  );
  return pageFrom(rows.map(labelFrom), limit, ({ id }) => id);
}

/** The event of a label, as SQL: it is written in the transaction of the label. */
const SAVED = `INSERT INTO callweave_events (document) SELECT json_object('type', 'label-saved', 'label', json_object(
  'id', id, 'call', call, 'turn', turn, 'criterion', criterion, 'verdict', verdict, 'what', what, 'words', words,
  'by', author, 'at', at)) FROM callweave_labels WHERE id = ?`;

/**
 * Saves a label. It replaces the same person's label of the same place.
 *
 * @returns `undefined` if there is no such call.
 */
export async function saveLabel({ database }: StudioData, label: StudioLabel): Promise<StudioLabel | undefined> {
  const { id, call, turn, criterion, verdict, what, words, by, at } = label;
  const place = "author = ? AND call = ? AND coalesce(turn, -1) = ? AND coalesce(criterion, '') = ?";
  const answers = await database.write(
    [
      { sql: `DELETE FROM callweave_labels WHERE ${place}`, args: [by, call, turn ?? -1, criterion ?? ""] },
      {
        sql: `INSERT INTO callweave_labels (${COLUMNS}) SELECT ?, id, ?, ?, ?, ?, ?, ?, ? FROM callweave_results WHERE id = ?
          ON CONFLICT (id) DO NOTHING`,
        args: [id, turn, criterion, verdict, what, words, by, at, call],
      },
      { sql: SAVED, args: [id] },
      { sql: `SELECT ${COLUMNS} FROM callweave_labels WHERE id = ?`, args: [id] },
    ],
    { action: "store label in" },
  );
  const row = answers.at(-1)?.rows[0];
  return row && labelFrom(row);
}

/** Deletes a label. Returns whether there was one. `by` is `null` for whoever may delete those of others. */
export async function deleteLabel({ database }: StudioData, id: string, by: string | null): Promise<boolean> {
  const own = "id = ?1 AND (?2 IS NULL OR author = ?2)";
  const answers = await database.write(
    [
      {
        sql: `INSERT INTO callweave_events (document) SELECT json_object('type', 'label-deleted', 'label', id, 'call', call)
          FROM callweave_labels WHERE ${own}`,
        args: [id, by],
      },
      { sql: `DELETE FROM callweave_labels WHERE ${own}`, args: [id, by] },
    ],
    { action: "delete label in" },
  );
  return (answers[1]?.rowsAffected ?? 0) > 0;
}

/** Most labels that agreement is computed of: the newest ones. */
const MOST_LABELS = 20_000;
const MOST_DISAGREEMENTS = 50;

const JudgedRow = v.object({
  call: v.string(),
  criterion: v.nullable(v.string()),
  verdict: v.picklist(["good", "bad"]),
  author: v.string(),
  status: v.string(),
  verdicts: v.string(),
});
type Judged = v.InferOutput<typeof JudgedRow>;

/** Computes how far people agree with each other and with the judge. */
export async function readAgreement({ database }: StudioData): Promise<StudioAnswer<"agreement">> {
  const sql = `SELECT l.call AS call, l.criterion AS criterion, l.verdict AS verdict, l.author AS author,
      o.status AS status, d.verdicts AS verdicts FROM callweave_labels AS l
    JOIN callweave_results AS o ON o.id = l.call JOIN callweave_result_details AS d ON d.result_id = l.call
    WHERE l.turn IS NULL ORDER BY l.id DESC LIMIT ?`;
  const { rows } = await database.read({ sql, args: [MOST_LABELS] }, { action: "read labels of" });
  const labels = rows.map((row) => v.parse(JudgedRow, { ...row }));
  return { people: peopleOf(labels), judge: judgesOf(labels) };
}

/** A verdict of two on one call. */
interface Pair {
  readonly call: string;
  readonly both: VerdictPair;
}

function figuresOf(pairs: readonly Pair[]) {
  const different = pairs.filter(({ both: [one, other] }) => one !== other);
  return {
    calls: pairs.length,
    agreed: pairs.length - different.length,
    kappa: cohenKappa(pairs.map(({ both }) => both)).kappa,
    disagreements: [...new Set(different.map(({ call }) => call))].slice(0, MOST_DISAGREEMENTS),
  };
}

function peopleOf(labels: readonly Judged[]): StudioAnswer<"agreement">["people"] {
  const pairs = new Map<string, { one: string; other: string; pairs: Pair[] }>();
  for (const same of groupBy(labels, ({ call, criterion }) => JSON.stringify([call, criterion])).values()) {
    const sorted = same.toSorted((a, b) => (a.author < b.author ? -1 : 1));
    for (const [index, one] of sorted.entries())
      for (const other of sorted.slice(index + 1)) {
        const key = JSON.stringify([one.author, other.author]);
        const known = pairs.get(key) ?? { one: one.author, other: other.author, pairs: [] };
        known.pairs.push({ call: one.call, both: [one.verdict === "good", other.verdict === "good"] });
        pairs.set(key, known);
      }
  }
  return [...pairs.values()].map(({ one, other, pairs: found }) => ({ one, other, ...figuresOf(found) }));
}

function judgesOf(labels: readonly Judged[]): StudioAnswer<"agreement">["judge"] {
  const byCriterion = groupBy(labels, ({ criterion }) => JSON.stringify(criterion));
  return [...byCriterion.values()].flatMap((found) => {
    const criterion = found[0]?.criterion ?? null;
    const pairs = found.flatMap((label): Pair[] => {
      const judged = criterion === null ? wholeVerdict(label) : verdictOn(label, criterion);
      return judged === undefined ? [] : [{ call: label.call, both: [label.verdict === "good", judged] }];
    });
    return pairs.length === 0 ? [] : [{ criterion, ...figuresOf(pairs) }];
  });
}

function wholeVerdict({ status }: Judged): boolean | undefined {
  return status === "pass" ? true : status === "fail" ? false : undefined;
}

function verdictOn({ verdicts }: Judged, criterion: string): boolean | undefined {
  const list: unknown = parsedJson(verdicts);
  const found = Array.isArray(list) ? list.filter(isRecord).find((each) => each.criterion === criterion) : undefined;
  return typeof found?.passed === "boolean" ? found.passed : undefined;
}
