import { createHash, randomBytes } from "node:crypto";
import * as v from "valibot";
import { ROLES, type Role } from "../api/mod.ts";
import type { StudioData } from "./open_data.ts";

/** Somebody who may use the studio. */
export interface TokenRecord {
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
}

const TokenRow = v.object({ name: v.string(), role: v.picklist(ROLES), created_at: v.string() });

const PREFIX = "cws_";
const BYTES = 32;

/** The form of tokens: other texts are not looked up. */
const TOKEN = /^cws_[\w-]{43}$/;

function tokenFrom(row: object): TokenRecord {
  const { created_at: createdAt, ...token } = v.parse(TokenRow, { ...row });
  return { ...token, createdAt };
}

/** A token has 256 random bits, so that a plain hash of it cannot be turned back. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/**
 * Creates a token. The database has only its hash.
 *
 * @returns The token, which nobody can read again; `undefined` if the name is taken.
 */
export async function createToken({ database }: StudioData, name: string, role: Role): Promise<string | undefined> {
  const token = `${PREFIX}${randomBytes(BYTES).toString("base64url")}`;
  const sql = `INSERT INTO callweave_tokens (name, role, hash, created_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (name) DO NOTHING`;
  const args = [name, role, hashOf(token), new Date().toISOString()];
  const [answer] = await database.write([{ sql, args }], { action: "store token in" });
  return answer?.rowsAffected === 1 ? token : undefined;
}

/** Finds who has a token. */
export async function findToken({ database }: StudioData, token: string): Promise<TokenRecord | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const sql = "SELECT name, role, created_at FROM callweave_tokens WHERE hash = ?";
  const { rows } = await database.read({ sql, args: [hashOf(token)] }, { action: "read tokens of" });
  return rows[0] && tokenFrom(rows[0]);
}

/** Lists who may use the studio, by name. */
export async function listTokens({ database }: StudioData): Promise<readonly TokenRecord[]> {
  const sql = "SELECT name, role, created_at FROM callweave_tokens ORDER BY name";
  return (await database.read(sql, { action: "list tokens of" })).rows.map(tokenFrom);
}

/** Revokes a token. Returns whether there was one. */
export async function revokeToken({ database }: StudioData, name: string): Promise<boolean> {
  const sql = "DELETE FROM callweave_tokens WHERE name = ?";
  const [answer] = await database.write([{ sql, args: [name] }], { action: "delete token in" });
  return (answer?.rowsAffected ?? 0) > 0;
}
