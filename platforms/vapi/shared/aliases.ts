import { getAt, isRecord, type JsonObject, setAt } from "../../../src/values/mod.ts";
import { namePatterns } from "../api/mod.ts";

const PATH = ["variableExtractionPlan", "aliases"] as const;
/** `{{$.order.status}}`: a path into the tool's result and nothing else, as Liquid. */
const RESULT_PATH = /^\{\{-?\s*(\$(?:\.[A-Za-z0-9_$-]+|\[\d+\])*)\s*-?\}\}$/;

/** Aliases that only take a path of the result, and the tool with all others. */
export interface AliasesRead {
  readonly variables: { readonly [name: string]: string };
  readonly rest: JsonObject;
}

/**
 * The variables that a tool's result fills, by aliases that are nothing but paths into it. Those that are real Liquid
 * stay with the tool.
 *
 * @returns `undefined` when there is none of them.
 */
export function aliasesOf(tool: JsonObject): AliasesRead | undefined {
  const list = getAt(tool, PATH);
  if (!Array.isArray(list)) return undefined;
  const variables = new Map<string, string>();
  const others = list.filter((alias: unknown) => {
    const { key, value } = isRecord(alias) && Object.keys(alias).length === 2 ? alias : {};
    const path = typeof value === "string" ? RESULT_PATH.exec(value)?.[1] : undefined;
    // the pattern also rules out keys that look like numbers, which objects would reorder
    if (typeof key !== "string" || !namePatterns().alias.test(key) || path === undefined || variables.has(key))
      return true;
    variables.set(key, path);
    return false;
  });
  return variables.size === 0
    ? undefined
    : { variables: Object.fromEntries(variables), rest: setAt(tool, PATH, others) };
}

/** The tool with an alias for each variable, in front of those that are more than a path. */
export function withAliases(tool: JsonObject, variables: { readonly [name: string]: string }): JsonObject {
  const aliases = Object.entries(variables).map(([key, path]) => ({ key, value: `{{${path}}}` }));
  const list = getAt(tool, PATH);
  return aliases.length === 0 ? tool : setAt(tool, PATH, [...aliases, ...(Array.isArray(list) ? list : [])]);
}
