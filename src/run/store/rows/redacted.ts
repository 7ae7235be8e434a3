import { createRedactor } from "../../../base/redaction/mod.ts";

/** Keys with ids, names, kinds and times, which are used for lookups and counts and therefore stay. */
const STRUCTURE = new Set(
  "id runId scenario trial status kind role node_id nodeId timestamp startedAt endReason outcome name nodesVisited models store".split(
    " ",
  ),
);
/** Keys whose values come from models, tools and callers. */
const FOREIGN = new Set(["variables", "startVariables", "arguments", "result", "metadata"]);

/**
 * Redacts a result or a report before it is stored, printed or shared. Strings from models, tools and callers are
 * redacted; keys, numbers, ids, names and kinds stay.
 *
 * Idempotent. Everything that stores results calls it first.
 */
export function redactedResult<Result extends object>(result: Result): Result {
  const structure: string[] = [];
  collect(result, structure, false);
  const redactor = createRedactor({ shown: structure });
  return redactParts(result, redactor.value);
}

function collect(value: unknown, found: string[], structural: boolean): void {
  if (typeof value === "string" && structural) found.push(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, found, structural);
  else if (typeof value === "object" && value !== null && !structural)
    for (const [key, item] of Object.entries(value)) if (!FOREIGN.has(key)) collect(item, found, STRUCTURE.has(key));
}

function redactParts<Value>(value: Value, redact: <Part>(part: Part) => Part): Value {
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) {
      const items = part.map(visit);
      return items.some((item, index) => item !== part[index]) ? items : part;
    }
    if (typeof part !== "object" || part === null) return redact(part);
    const entries = Object.entries(part);
    const copies = entries.map(([key, item]) => {
      if (STRUCTURE.has(key)) return [key, item] as const;
      return [key, FOREIGN.has(key) ? redact(item) : visit(item)] as const;
    });
    return copies.some(([, item], index) => item !== entries[index]?.[1]) ? Object.fromEntries(copies) : part;
  };
  return visit(value) as Value; // only strings are replaced, by strings
}
