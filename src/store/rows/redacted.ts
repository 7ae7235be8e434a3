import { createRedactor } from "../../redaction/mod.ts";

/** Keys of results and reports that hold ids, names, kinds and times: what they are looked up, counted and compared by. */
const STRUCTURE = new Set(
  "id runId scenario trial status kind role node_id nodeId timestamp startedAt endReason outcome name nodesVisited models store".split(
    " ",
  ),
);
/** Keys whose values come from models, tools and callers. */
const FOREIGN = new Set(["variables", "arguments", "result", "metadata"]);

/**
 * A result, or a report of several, as it may be stored, printed and handed on: the strings that models, tools and callers have brought into it are
 * redacted, while keys, numbers, ids, names and kinds stay as they are.
 *
 * Everything that keeps a result passes it through here first; to redact twice changes nothing.
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
  return visit(value) as Value; // strings take the place of strings, everything else stays
}
