import { isRecord } from "../../../base/values/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES, type VariableKeys } from "../../../document/platforms/mod.ts";

/** Keys of the platforms for variables, with those of exports of other tools. */
function keysOf(kind: keyof VariableKeys, ...others: readonly string[]): ReadonlySet<string> {
  return new Set([...PLATFORM_NAMES.flatMap((name) => PLATFORM_DATA[name].keys.variables[kind]), ...others]);
}

/** Settings whose keys are names of variables. */
const MAPS = keysOf("maps", "dynamic_variables");
/** Settings that say which variables are filled: lists of items with a name, or JSON schemas. */
const FILLED = keysOf("filled");
/** Keys of an item that name its variable. */
const NAMES = keysOf("names", "left_side", "variable_name");
/** Lists whose items name a variable, at any depth. */
const LISTS = keysOf("lists");

/**
 * A platform's settings with a variable renamed where they name it without braces: in extraction plans, in equations that
 * the graph does not model, and as keys of values, defaults and response variables.
 */
export function renameInSettings(settings: unknown, from: string, to: string): unknown {
  const nameOf = (name: string) => (name === from ? to : name);
  const keys = (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [nameOf(key), each])) : value;
  const item = (value: unknown): unknown => {
    if (value === from) return to;
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, each]) => [key, NAMES.has(key) && each === from ? to : each]);
    return Object.fromEntries(entries);
  };
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(item);
    if (!isRecord(value)) return value;
    const { required } = value;
    return {
      ...value,
      ...("properties" in value ? { properties: keys(value.properties) } : {}),
      ...(Array.isArray(required) ? { required: required.map((name) => (name === from ? to : name)) } : {}),
      ...("schema" in value ? { schema: filled(value.schema) } : {}),
    };
  };
  const visit = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((each) => visit(each));
      return LISTS.has(key) || FILLED.has(key) ? items.map(item) : items;
    }
    if (!isRecord(value)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each, name)]));
    return MAPS.has(key) ? keys(inner) : FILLED.has(key) ? filled(inner) : inner;
  };
  return visit(settings);
}
