import { isRecord } from "../../src/base/values/mod.ts";
import type { AgentNode } from "../../src/document/graph/mod.ts";

/** Prefixes of generated identifiers. */
const UUID = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-/i;

/** Words from which a node is named in code: its id, or the name that a platform displays if the id is generated. */
export function wordsFor({ id, metadata }: AgentNode): string {
  const [, start] = UUID.exec(id) ?? [];
  if (start === undefined && !/\d{5,}/.test(id)) return id;
  const names = Object.values(metadata).flatMap((fields) => (isRecord(fields) ? [fields.name] : []));
  const shown = names.find((name): name is string => typeof name === "string" && /[a-z]/i.test(name));
  return shown ?? (start === undefined ? id : `step ${start}`);
}
