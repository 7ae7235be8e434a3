import { isRecord } from "../../../src/values/mod.ts";

/** Gives edges ids that nothing else in the flow has: the same ones for the same graph. */
export class EdgeIds {
  readonly #taken: Set<string>;
  readonly #claimed = new Set<string>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** The wanted id for the first that asks for it, another one for the others. */
  claim(wanted: string, nodeId: string, what: string): string {
    if (this.#claimed.has(wanted)) return this.next(nodeId, what);
    this.#claimed.add(wanted);
    return wanted;
  }

  next(nodeId: string, what: string): string {
    for (let count = 1; ; count++) {
      const id = `edge-${nodeId}-${what}${count === 1 ? "" : `-${count}`}`;
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }
}

/** Every text under a key `id`, however deep: what new ids must keep clear of. */
export function* idsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* idsIn(item);
  if (!isRecord(value)) return;
  if (typeof value.id === "string") yield value.id;
  for (const item of Object.values(value)) yield* idsIn(item);
}
