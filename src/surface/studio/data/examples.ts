import type { InValue } from "@libsql/client";
import * as v from "valibot";
import { groupBy } from "../../../base/values/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import type { Query, StudioAnswer } from "../api/mod.ts";
import type { StudioData } from "./open_data.ts";
import { pageFrom, where } from "./rows.ts";

type Examples = StudioAnswer<"examples">;
type Example = Examples["items"][number];

const Row = v.object({
  call: v.string(),
  turn: v.nullable(v.number()),
  criterion: v.string(),
  verdict: v.picklist(["good", "bad"]),
  what: v.nullable(v.string()),
  words: v.nullable(v.string()),
  author: v.string(),
});
type LabelOf = v.InferOutput<typeof Row>;

/**
 * Reads labels as calls with known verdicts, those of the newest calls first. A label of a turn becomes the call up to
 * the reply in that turn. Where as many people say good as say bad, there is no known verdict.
 */
export async function readExamples(data: StudioData, query: Query<"examples">): Promise<Examples> {
  const { database, store } = data;
  const of = [
    ["call = ?", query.call],
    ["criterion = ?", query.criterion],
  ] as const;
  const read = async (
    columns: string,
    rest: string,
    conditions: readonly (readonly [string, InValue | undefined])[],
  ) => {
    const { sql, args } = where([...of, ...conditions]);
    const known = sql === "" ? " WHERE criterion IS NOT NULL" : `${sql} AND criterion IS NOT NULL`;
    return await database.read(
      { sql: `SELECT ${columns} FROM callweave_labels${known} ${rest}`, args },
      { action: "read labels of" },
    );
  };
  const found = await read("DISTINCT call", `ORDER BY call DESC LIMIT ${query.limit + 1}`, [
    ["call < ?", query.cursor],
  ]);
  const page = pageFrom(
    found.rows.map(({ call }) => String(call)),
    query.limit,
    (call) => call,
  );
  const [last] = page.items.slice(-1);
  const [first] = page.items;
  if (first === undefined || last === undefined) return { items: [], disputed: [], nextCursor: null };
  const { rows } = await read("call, turn, criterion, verdict, what, words, author", "ORDER BY call DESC, id", [
    ["call <= ?", first],
    ["call >= ?", last],
  ]);
  const labels = rows.map((row) => v.parse(Row, { ...row }));
  const items: Example[] = [];
  const disputed: Examples["disputed"] = [];
  for (const [call, ofCall] of groupBy(labels, (label) => label.call)) {
    const result = await store.findResult(call);
    if (!result) continue; // deleted meanwhile
    for (const ofPlace of groupBy(ofCall, (label) => String(label.turn)).values()) {
      const turn = ofPlace[0]?.turn ?? null;
      const verdicts: Example["verdicts"] = [];
      for (const [criterion, same] of groupBy(ofPlace, (label) => label.criterion)) {
        const good = same.filter(({ verdict }) => verdict === "good").length;
        if (good * 2 === same.length) disputed.push({ call, turn, criterion });
        else verdicts.push({ criterion, passed: good * 2 > same.length, said: same.flatMap(saidIn) });
      }
      if (verdicts.length === 0) continue;
      const name = turn === null ? call : `${call} turn ${turn}`;
      items.push({ name, transcript: spokenUntil(result.transcript, turn), verdicts });
    }
  }
  return { items, disputed, nextCursor: page.nextCursor };
}

/** What a person says of a verdict; nothing if they have only said good or bad. */
function saidIn({ author: by, verdict, what, words }: LabelOf): Example["verdicts"][number]["said"] {
  return what === null && words === null ? [] : [{ by, verdict, what, words }];
}

/** What caller and agent say, up to the end of a caller's turn. */
function spokenUntil(transcript: readonly Message[], turn: number | null): Example["transcript"] {
  const spoken: Example["transcript"] = [];
  let turns = 0;
  for (const { role, content } of transcript) {
    if (role !== "user" && role !== "assistant") continue;
    if (role === "user") turns += 1;
    if (turn !== null && turns > turn) break;
    spoken.push({ role, content });
  }
  return spoken;
}
