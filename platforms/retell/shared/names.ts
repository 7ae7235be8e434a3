import { slug } from "../../../src/base/values/mod.ts";

/** Longest name that Retell accepts for states and tools. */
export const NAME_LIMIT = 64;

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether Retell accepts a name for a tool or a state. */
export function isRetellName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name);
}

/** Converts a name to one that Retell accepts for states and tools: at most 64 letters, digits, `_` and `-`. */
export function retellName(name: string, fallback = "state"): string {
  return isRetellName(name) ? name : slug(name).slice(0, NAME_LIMIT) || fallback;
}
