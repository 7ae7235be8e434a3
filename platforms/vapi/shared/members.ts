import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, records } from "../../../src/base/values/mod.ts";
import { openSquad } from "./keys.ts";

/** A squad and its members, with the assistants that stand beside the squad. */
export interface OpenedSquad {
  readonly squad: JsonObject;
  /** Path of the squad in the document. */
  readonly at: Path;
  /** The assistants beside the squad: `{ squad, assistants }`. */
  readonly bundle: readonly unknown[] | undefined;
  /** The members. One that refers to an assistant beside the squad has it as its own; several can share one. */
  readonly homes: readonly JsonObject[];
}

/** Opens a squad in any spelling: inline, or with its assistants beside it. */
export function openMembers(document: unknown): OpenedSquad | undefined {
  const opened = openSquad(document);
  if (!opened) return undefined;
  const { document: squad, at } = opened;
  const list = at.length === 1 && at[0] === "squad" ? getAt(document, ["assistants"]) : undefined;
  const bundle = Array.isArray(list) ? list : undefined;
  const homes = records(squad.members).map((member) => {
    const { assistantId } = member;
    if (isRecord(member.assistant) || typeof assistantId !== "string") return member;
    const found = records(bundle).find(({ id }) => id === assistantId);
    return found ? { ...member, assistant: found } : member;
  });
  return { squad, at, bundle, homes };
}
