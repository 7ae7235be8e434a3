import type { AgentNode } from "../../src/graph/mod.ts";
import { isRecord } from "../../src/values/mod.ts";

/** Identifiers that programs have made, by their first characters. */
const UUID = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-/i;

/** Words that name a node in code: its id, or the name that a platform shows for it where a program made the id. */
export function wordsFor({ id, metadata }: AgentNode): string {
  const [, start] = UUID.exec(id) ?? [];
  if (start === undefined && !/\d{5,}/.test(id)) return id;
  const names = Object.values(metadata).flatMap((fields) => (isRecord(fields) ? [fields.name] : []));
  const shown = names.find((name): name is string => typeof name === "string" && /[a-z]/i.test(name));
  return shown ?? (start === undefined ? id : `step ${start}`);
}
