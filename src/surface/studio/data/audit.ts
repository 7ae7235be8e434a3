import * as v from "valibot";
import { isRecord, type JsonObject, parsedJson } from "../../../base/values/mod.ts";
import { type Query, ROLES, type Role, type StudioAnswer } from "../api/mod.ts";
import type { StudioData } from "./open_data.ts";
import { pageFrom, where } from "./rows.ts";

/** What somebody does. */
export interface Deed {
  readonly by: string;
  readonly role: Role;
  readonly action: string;
  readonly target: string | null;
  readonly detail: JsonObject;
}

/** Writes what somebody begins to do. Returns the number of the entry. */
export async function addToAudit({ database }: StudioData, deed: Deed): Promise<number> {
  const sql = `INSERT INTO callweave_audit (at, author, role, action, target, detail) VALUES (?, ?, ?, ?, ?, ?)
    RETURNING id`;
  const args = [new Date().toISOString(), deed.by, deed.role, deed.action, deed.target, JSON.stringify(deed.detail)];
  const [answer] = await database.write([{ sql, args }], { action: "store audit in" });
  return Number(answer?.rows[0]?.id);
}

/** Writes how it ended. Without it, an entry says that the server was stopped meanwhile. */
export async function finishAudit({ database }: StudioData, id: number, outcome: JsonObject): Promise<void> {
  const sql = "UPDATE callweave_audit SET detail = json_patch(detail, ?) WHERE id = ?";
  await database.write([{ sql, args: [JSON.stringify(outcome), id] }], { action: "store audit in" });
}

const AuditRow = v.object({
  id: v.number(),
  at: v.string(),
  author: v.string(),
  role: v.picklist(ROLES),
  action: v.string(),
  target: v.nullable(v.string()),
  detail: v.string(),
});

/** Lists who did what, newest first. */
export async function listAudit({ database }: StudioData, query: Query<"audit">): Promise<StudioAnswer<"audit">> {
  const limit = query.limit;
  const { sql, args } = where([
    ["id < CAST(? AS INTEGER)", query.cursor],
    ["author = ?", query.by],
    ["action = ?", query.action],
  ]);
  const { rows } = await database.read(
    { sql: `SELECT * FROM callweave_audit${sql} ORDER BY id DESC LIMIT ?`, args: [...args, limit + 1] },
    { action: "list audit of" },
  );
  const entries = rows
    .map((row) => v.parse(AuditRow, { ...row }))
    .map(({ id, author, detail, ...rest }) => {
      const value: unknown = parsedJson(detail);
      return { ...rest, id: String(id), by: author, detail: isRecord(value) ? { ...value } : {} };
    });
  return pageFrom(entries, limit, ({ id }) => id);
}
