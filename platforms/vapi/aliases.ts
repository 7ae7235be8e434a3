import { isRecord, type JsonObject, own } from "../../src/graph/mod.ts";
import { dropAt, getAt, setAt } from "./json_path.ts";

const PATH = ["variableExtractionPlan", "aliases"] as const;
/** `{{$.order.status}}`: a path into the tool's result and nothing else, as Liquid. */
const RESULT_PATH = /^\{\{-?\s*(\$(?:\.[A-Za-z0-9_$-]+|\[\d+\])*)\s*-?\}\}$/;
/** Vapi's rule for an alias. Any other would also be reordered by objects whose keys look like numbers. */
const KEY = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * The variables that a tool's result fills, when its aliases are nothing but paths into it.
 *
 * @returns The variables, and the tool without its aliases; `undefined` when one of them is real Liquid,
 *   because then the whole list stays as it is.
 */
export function aliasesOf(tool: JsonObject):
  | {
      readonly variables: { readonly [name: string]: string };
      readonly rest: JsonObject;
      /** How the Liquid of some was spaced. */
      readonly spellings: JsonObject;
    }
  | undefined {
  const list = getAt(tool, PATH);
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const entries: [name: string, path: string][] = [];
  const spellings: [name: string, value: string][] = [];
  for (const alias of list) {
    if (!isRecord(alias) || Object.keys(alias).length !== 2) return undefined;
    const { key, value } = alias;
    if (typeof key !== "string" || !KEY.test(key) || typeof value !== "string") return undefined;
    const path = RESULT_PATH.exec(value)?.[1];
    if (path === undefined || entries.some(([name]) => name === key)) return undefined;
    entries.push([key, path]);
    if (value !== liquid(path)) spellings.push([key, value]);
  }
  return {
    variables: Object.fromEntries(entries),
    rest: dropAt(tool, PATH),
    spellings: Object.fromEntries(spellings),
  };
}

/** Writes variables back into the aliases of a tool. Aliases that were not read stay in front of those that were added. */
export function withAliases(
  tool: JsonObject,
  variables: { readonly [name: string]: string },
  spellings: JsonObject,
): JsonObject {
  const kept = getAt(tool, PATH);
  const aliases = Object.entries(variables).map(([key, path]) => {
    const spelt = own(spellings, key);
    const same = typeof spelt === "string" && RESULT_PATH.exec(spelt)?.[1] === path;
    return { key, value: same ? spelt : liquid(path) };
  });
  return aliases.length === 0 ? tool : setAt(tool, PATH, [...(Array.isArray(kept) ? kept : []), ...aliases]);
}

function liquid(path: string): string {
  return `{{${path}}}`;
}
