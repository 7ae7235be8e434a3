import { isRecord, parsedJson } from "../../../base/values/mod.ts";
import type { Query, StudioAnswer } from "../api/mod.ts";
import type { StudioData } from "./open_data.ts";
import { CALL_COLUMNS, CALL_TABLES, callFrom } from "./rows.ts";

/** Separates the messages of a call in the index. */
const SEPARATOR = "\u001e";
/** Around the words that were found: characters for private use. */
const [OPEN, CLOSE] = ["\ue000", "\ue001"];
const MARKS = /[\ue000\ue001]/g;

/** Calls that one transaction adds to the index, and characters of their transcripts: a long call has 100,000. */
const BATCH = { calls: 200, characters: 1_000_000 };
/** Excerpts of a call, and characters around the words that were found. */
const MOST_EXCERPTS = 5;
const AROUND = 80;

const TO_INDEX = `callweave_call_facts AS f JOIN callweave_result_details AS d ON d.result_id = f.result_id
  WHERE f.indexed = 0`;

/**
 * Adds calls to the index that it lacks, the newest first.
 *
 * @param batches Number of transactions, which are short so that requests are answered between.
 * @returns Whether there may be more.
 */
export async function indexWords({ database }: StudioData, batches: number): Promise<boolean> {
  const work = { action: "index results of" };
  for (let batch = 0; batch < batches; batch++) {
    const sizes = await database.read(
      {
        sql: `SELECT length(d.transcript) AS size FROM ${TO_INDEX} ORDER BY f.id DESC LIMIT ?`,
        args: [BATCH.calls],
      },
      work,
    );
    const count = batchLength(sizes.rows.map(({ size }) => Number(size)));
    if (count === 0) return false;
    const { rows } = await database.read(
      {
        sql: `SELECT f.id AS id, d.transcript AS transcript FROM ${TO_INDEX} ORDER BY f.id DESC LIMIT ?`,
        args: [count],
      },
      work,
    );
    // another process may do the same at the same time: the row of a call is written once
    await database.write(
      rows.flatMap(({ id, transcript }) => {
        const place = Number(id);
        return [
          {
            sql: `INSERT INTO callweave_words (rowid, words)
              SELECT ?1, ?2 FROM callweave_call_facts WHERE id = ?1 AND indexed = 0`,
            args: [place, wordsOf(String(transcript))],
          },
          { sql: "UPDATE callweave_call_facts SET indexed = 1 WHERE id = ?", args: [place] },
        ];
      }),
      work,
    );
    if (count === sizes.rows.length && count < BATCH.calls) return false;
  }
  return true;
}

/** How many of the first transcripts fit into a batch; at least one, if there is one. */
function batchLength(sizes: readonly number[]): number {
  let characters = 0;
  for (const [index, size] of sizes.entries()) {
    characters += size;
    if (index > 0 && characters > BATCH.characters) return index;
  }
  return sizes.length;
}

/** The texts of a transcript's messages, in order. */
function wordsOf(transcript: string): string {
  const messages: unknown = parsedJson(transcript);
  if (!Array.isArray(messages)) return "";
  return messages
    .map((message: unknown) =>
      isRecord(message)
        ? String(message.content ?? "")
            .replace(MARKS, " ")
            .replaceAll(SEPARATOR, " ")
        : "",
    )
    .join(SEPARATOR);
}

/** Finds calls by the words in them, newest first. Words that were not indexed yet are not found. */
export async function searchCalls({ database }: StudioData, query: Query<"search">): Promise<StudioAnswer<"search">> {
  const work = { action: "search results of" };
  const limit = query.limit;
  const match = matchOf(query.q);
  const waitingSql = "SELECT count(*) AS waiting FROM callweave_call_facts WHERE indexed = 0";
  const waiting = Number((await database.read(waitingSql, work)).rows[0]?.waiting ?? 0);
  if (match === undefined) return { items: [], nextCursor: null, waiting };
  const conditions = [
    ["w.rowid < CAST(? AS INTEGER)", query.cursor],
    ["r.agent = ?", query.agent],
    ["o.run_id = ?", query.run],
    // calls of a run are near each other: those of all newer runs need not be looked at
    [`w.rowid <= ${placeInRun("max")}`, query.run],
    [`w.rowid >= ${placeInRun("min")}`, query.run],
    ["o.status = ?", query.status],
  ].filter((each): each is [string, string] => each[1] !== undefined);
  const sql = `SELECT w.rowid AS place, highlight(callweave_words, 0, '${OPEN}', '${CLOSE}') AS marked,
      (SELECT json_group_array(json_extract(value, '$.role')) FROM json_each(d.transcript)) AS roles, ${CALL_COLUMNS}
    FROM callweave_words AS w JOIN callweave_call_facts AS x ON x.id = w.rowid
    JOIN callweave_result_details AS d ON d.result_id = x.result_id
    JOIN ${CALL_TABLES.replace("callweave_results AS o JOIN", "callweave_results AS o ON o.id = x.result_id JOIN")}
    WHERE callweave_words MATCH ?${conditions.map(([condition]) => ` AND ${condition}`).join("")}
    ORDER BY w.rowid DESC LIMIT ?`;
  const args = [match, ...conditions.map(([, value]) => value), limit + 1];
  const { rows } = await database.read({ sql, args }, work);
  const items = rows.slice(0, limit).map((row) => {
    const { place: _, marked, roles, ...call } = row;
    return { call: callFrom(call), excerpts: excerptsOf(String(marked), parsedJson(String(roles))) };
  });
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { items, nextCursor: last ? String(last.place) : null, waiting };
}

function placeInRun(end: "min" | "max"): string {
  return `(SELECT ${end}(p.id) FROM callweave_results AS q JOIN callweave_call_facts AS p ON p.result_id = q.id
    WHERE q.run_id = ?)`;
}

/** One or two letters, with which too many words begin. In Chinese or Japanese they are words. */
const SHORT = /^[\p{Script=Latin}\p{N}]{1,2}$/u;

/**
 * What FTS5 looks for: every word, and words in quotes together. The last word may go on, if it has three letters.
 * `undefined` without words. Everything is in quotes for FTS5, so that nothing of it is an operator.
 */
export function matchOf(text: string): string | undefined {
  const parts = [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)];
  const terms = parts.flatMap(([whole, phrase]) => {
    const words = (phrase ?? whole).replaceAll("\u0000", " ");
    return /[\p{L}\p{N}]/u.test(words) ? [{ words, isPhrase: phrase !== undefined }] : [];
  });
  if (terms.length === 0) return undefined;
  return terms
    .map(({ words, isPhrase }, index) => {
      const mayGoOn = index === terms.length - 1 && !isPhrase && !SHORT.test(words);
      return `"${words}"${mayGoOn ? "*" : ""}`;
    })
    .join(" ");
}

type Excerpt = StudioAnswer<"search">["items"][number]["excerpts"][number];

const ROLES = ["user", "assistant", "tool", "system"] as const;

/** The messages with marks, cut to the words around the first one. */
export function excerptsOf(marked: string, roles: unknown): Excerpt[] {
  const list: readonly unknown[] = Array.isArray(roles) ? roles : [];
  return marked
    .split(SEPARATOR)
    .flatMap((text, message): Excerpt[] => {
      if (!text.includes(OPEN)) return [];
      const first = text.indexOf(OPEN);
      const from = first <= AROUND ? 0 : wordStart(text, first - AROUND);
      const end = first + 3 * AROUND;
      const part = text.slice(from, end);
      const { plain, marks } = withoutMarks(part);
      const shown = `${from > 0 ? "…" : ""}${plain}${end < text.length ? "…" : ""}`;
      const shift = from > 0 ? 1 : 0;
      return [
        {
          message,
          role: ROLES.find((each) => each === list[message]) ?? "system",
          text: shown,
          marks: marks.map((mark) => ({ from: mark.from + shift, to: mark.to + shift })),
        },
      ];
    })
    .slice(0, MOST_EXCERPTS);
}

/** The start of a word near a position, so that no character is cut. */
function wordStart(text: string, from: number): number {
  const space = text.indexOf(" ", from);
  return space === -1 || space > from + AROUND ? from : space + 1;
}

function withoutMarks(text: string) {
  const marks: { from: number; to: number }[] = [];
  let plain = "";
  let open: number | undefined;
  for (const piece of text.split(/([\ue000\ue001])/)) {
    if (piece === OPEN) open = plain.length;
    else if (piece === CLOSE) {
      if (open !== undefined) marks.push({ from: open, to: plain.length });
      open = undefined;
    } else plain += piece;
  }
  if (open !== undefined) marks.push({ from: open, to: plain.length });
  return { plain, marks };
}
