import { isRecord, type JsonObject, own } from "../../../src/values/mod.ts";
import { namePatterns } from "../api/mod.ts";
import { dropAt, getAt, setAt } from "./json_path.ts";
import { interleave, type Placed, readIndex } from "./order.ts";

const PATH = ["variableExtractionPlan", "aliases"] as const;
/** `{{$.order.status}}`: a path into the tool's result and nothing else, as Liquid. */
const RESULT_PATH = /^\{\{-?\s*(\$(?:\.[A-Za-z0-9_$-]+|\[\d+\])*)\s*-?\}\}$/;

/** Aliases that were read, and where they and the others stood. */
export interface AliasesRead {
  readonly variables: { readonly [name: string]: string };
  /** The tool with the aliases that are more than a path, if there are any. */
  readonly rest: JsonObject;
  /** What writing needs to put them back: how the Liquid of some was spaced; of a mixed list the places. */
  readonly kept: JsonObject;
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
  const spellings: [name: string, value: string][] = [];
  const places: [name: string, index: number][] = [];
  const others: Placed<unknown>[] = [];
  for (const [index, alias] of list.entries()) {
    const { key, value } = isRecord(alias) && Object.keys(alias).length === 2 ? alias : {};
    const path = typeof value === "string" ? RESULT_PATH.exec(value)?.[1] : undefined;
    // the pattern also rules out keys that look like numbers, which objects would reorder
    if (typeof key !== "string" || !namePatterns().alias.test(key) || path === undefined || variables.has(key)) {
      others.push({ index, item: alias });
      continue;
    }
    variables.set(key, path);
    places.push([key, index]);
    if (value !== liquid(path)) spellings.push([key, String(value)]);
  }
  if (variables.size === 0) return undefined;
  const isMixed = others.length > 0;
  return {
    variables: Object.fromEntries(variables),
    rest: isMixed
      ? setAt(
          tool,
          PATH,
          others.map(({ item }) => item),
        )
      : dropAt(tool, PATH),
    kept: {
      spellings: Object.fromEntries(spellings),
      ...(isMixed ? { alias_at: Object.fromEntries(places), others_at: others.map(({ index }) => index) } : {}),
    },
  };
}

/** What {@link withAliases} needs of what is kept with a tool. */
export function keptAliases(kept: unknown): JsonObject {
  const keys = ["spellings", "alias_at", "others_at"];
  return Object.fromEntries(Object.entries(isRecord(kept) ? kept : {}).filter(([key]) => keys.includes(key)));
}

/**
 * Writes variables back into the aliases of a tool, each where it was; new ones come last.
 *
 * @param kept What {@link aliasesOf} left with the tool.
 */
export function withAliases(
  tool: JsonObject,
  variables: { readonly [name: string]: string },
  kept: JsonObject,
): JsonObject {
  const list = getAt(tool, PATH);
  const at = isRecord(kept.alias_at) ? kept.alias_at : {};
  const spellings = isRecord(kept.spellings) ? kept.spellings : {};
  const aliases = Object.entries(variables).map(([key, path]): Placed<unknown> => {
    const spelt = own(spellings, key);
    const same = typeof spelt === "string" && RESULT_PATH.exec(spelt)?.[1] === path;
    return { index: readIndex(own(at, key)), item: { key, value: same ? spelt : liquid(path) } };
  });
  if (aliases.length === 0) return tool;
  const others = (Array.isArray(list) ? list : []).map(
    (item: unknown, index): Placed<unknown> => ({ index: readIndex(getAt(kept.others_at, [index])) ?? 0, item }),
  );
  return setAt(tool, PATH, interleave([others, aliases]));
}

function liquid(path: string): string {
  return `{{${path}}}`;
}
