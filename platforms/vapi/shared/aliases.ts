import { getAt, isRecord, type JsonObject, setAt } from "../../../src/base/values/mod.ts";
import { namePatterns } from "../api/mod.ts";

const PATH = ["variableExtractionPlan", "aliases"] as const;
/** Liquid that is only a path into the tool's result: `{{$.order.status}}`. */
const RESULT_PATH = /^\{\{-?\s*(\$(?:\.[A-Za-z0-9_$-]+|\[\d+\])*)\s*-?\}\}$/;

/** Variables from a tool's aliases, and the tool with the remaining aliases. */
export interface AliasesRead {
  readonly variables: { readonly [name: string]: string };
  readonly rest: JsonObject;
}

/**
 * Reads aliases that are paths into the tool's result as variables. Aliases with other Liquid stay in the tool.
 *
 * @returns `undefined` if no alias is such a path.
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

/** Adds an alias for each variable, before the other aliases. */
export function withAliases(tool: JsonObject, variables: { readonly [name: string]: string }): JsonObject {
  const aliases = Object.entries(variables).map(([key, path]) => ({ key, value: `{{${path}}}` }));
  const list = getAt(tool, PATH);
  return aliases.length === 0 ? tool : setAt(tool, PATH, [...aliases, ...(Array.isArray(list) ? list : [])]);
}
