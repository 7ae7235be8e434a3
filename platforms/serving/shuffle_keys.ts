import { isRecord } from "../../src/base/values/mod.ts";

/** The value with the keys of its objects in random order, as platforms return them. `random` returns numbers below 1. */
export function shuffleKeys(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleKeys(item, random));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [random(), key, shuffleKeys(part, random)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, key, part]) => [key, part]));
}
