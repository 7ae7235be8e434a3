import type { Issue, Path } from "../../base/errors.ts";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import { mockInList, mockOf, slipInAnswer } from "./mock.ts";

/** Aliases and their keys. */
export const KEY_ALIASES: { readonly [word: string]: string } = {
  persona: "user_prompt",
  variables: "dynamic_variables",
  mock: "tool_mocks",
  judge: "metrics",
  matches: "patterns",
  turns: "max_turns",
};

/** A scenario whose aliases are replaced by keys. */
export interface ReadWords {
  readonly document: unknown;
  /** Converts a path to aliases: `metrics.0` becomes `judge.0`. */
  readonly written: (path: Path) => Path;
  readonly issues: readonly Pick<Issue, "path" | "message" | "hint">[];
}

/** Replaces the aliases of a scenario: `{ "judge": ["…"] }` becomes `{ "metrics": ["…"] }`. */
export function readWords(item: unknown): ReadWords {
  if (!isRecord(item)) return { document: item, written: (path) => path, issues: [] };
  const issues: ReadWords["issues"][number][] = [];
  const document: { [key: string]: unknown } = { ...item };
  const wordOf = new Map<string, string>();
  for (const [word, key] of Object.entries(KEY_ALIASES)) {
    const value = item[word];
    if (!Object.hasOwn(item, word)) continue;
    delete document[word];
    if (value === undefined || value === null) continue;
    if (document[key] !== undefined && document[key] !== null) {
      const hint = `Keep one of "${word}" and "${key}"`;
      issues.push({ path: [word], message: `"${word}" and "${key}" are the same key`, hint });
      continue;
    }
    document[key] = translated(word, value);
    wordOf.set(key, word);
  }
  const tools = wordOf.has("tool_mocks") && isAnswers(item.mock) ? Object.keys(item.mock) : undefined;
  for (const tool of tools ?? []) {
    const slip = slipInAnswer(isAnswers(item.mock) ? item.mock[tool] : undefined);
    if (!slip) continue;
    const message = "this key is unknown";
    issues.push({ path: ["mock", tool, slip.key], message, hint: `Did you mean "${slip.meant}"?` });
  }
  if (Array.isArray(document.tool_mocks)) document.tool_mocks = document.tool_mocks.map(mockInList);
  const written = ([first = "", ...rest]: Path): Path => {
    const word = wordOf.get(String(first));
    if (word === "mock" && tools) return [word, tools[Number(rest[0])] ?? "", ...rest.slice(1)];
    const isAlone = word !== undefined && Array.isArray(document[first]) && !Array.isArray(item[word]);
    return word === undefined ? [first, ...rest] : [word, ...rest.slice(isAlone ? 1 : 0)];
  };
  return { document, written, issues };
}

function translated(word: string, value: unknown): unknown {
  if (word === "mock" && isAnswers(value))
    return Object.entries(value).map(([tool, answer]: [string, unknown]) => mockOf(tool, answer));
  const mayBeAlone = word === "mock" ? isRecord(value) : word === "matches" || word === "judge";
  return mayBeAlone && !Array.isArray(value) ? [value] : value;
}

/** Whether an object maps tools to answers, as opposed to being a single mock. */
function isAnswers(mock: unknown): mock is JsonObject {
  return isRecord(mock) && typeof mock.tool_name !== "string";
}
