import { isRecord } from "../../src/base/values/mod.ts";

/** Creates a seeded generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a copy of a document with one to four random faults. */
export function mutate(document: unknown, random: () => number): unknown {
  let damaged = structuredClone(document);
  const faults = 1 + Math.floor(random() * 4);
  for (let count = 0; count < faults; count++) damaged = damage(damaged, random);
  return damaged;
}

/** Returns a number of damaged documents, taking turns with the given ones. Used by benches and tests of importers. */
export function* mutants(documents: readonly unknown[], count: number, seed = 1): Generator<unknown> {
  const random = seeded(seed);
  for (let index = 0; index < count; index++) yield mutate(documents[index % documents.length], random);
}

const NAMES = ["__proto__", "constructor", "toString", "id", "nodes", "edges", "type", "tools", "", "0"];

const VALUES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1.5,
  () => "",
  () => "\ud800 {{x}} {%y%}",
  () => [],
  () => ({}),
  () => [[[null]]],
  () => ({ id: "a", type: "conversation" }),
  () => nested(50),
  () => nested(400),
  () => JSON.parse('{"__proto__": {"type": "end"}, "constructor": 1}'),
];

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { edges: value };
  return value;
}

/** Damages a random place of a value. */
function damage(value: unknown, random: () => number): unknown {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const foreign = () => pick(VALUES)?.();
  if (Array.isArray(value)) {
    const at = Math.floor(random() * value.length);
    if (value.length === 0) return [foreign()];
    if (random() < 0.75) return value.with(at, damage(value[at], random));
    const faults: readonly (() => unknown)[] = [
      () => value.toSpliced(at, 1),
      () => [...value, value[at]],
      () => value.with(at, [value[at]]),
      () => value.toReversed(),
      () => Object.fromEntries(value.entries()),
      foreign,
    ];
    return pick(faults)?.();
  }
  if (isRecord(value)) {
    const entries = Object.entries(value);
    const at = Math.floor(random() * entries.length);
    const [key, item] = entries[at] ?? ["", undefined];
    const put = (name: string, what: unknown) => Object.fromEntries([...entries.toSpliced(at, 1), [name, what]]);
    if (entries.length > 0 && random() < 0.8) return put(key, damage(item, random));
    const faults: readonly (() => unknown)[] = [
      () => Object.fromEntries(entries.toSpliced(at, 1)),
      () => put(pick(NAMES) ?? "", item),
      () => put(key, [item]),
      () => Object.fromEntries([...entries, [pick(NAMES) ?? "", foreign()]]),
      () => entries.map(([, each]) => each),
      foreign,
    ];
    return pick(faults)?.();
  }
  return random() < 0.2 && typeof value === "string" ? `${value}${value}` : foreign();
}
