import { isRecord, Names } from "../../../src/base/values/mod.ts";

/** Assigns edges unique and deterministic ids. */
export class EdgeIds {
  readonly #new: Names;
  readonly #claimed = new Set<string>();

  constructor(taken: Iterable<string>) {
    this.#new = new Names(taken);
  }

  /** Returns the wanted id for the first edge with it, and a new one for others. */
  claim(wanted: string, nodeId: string, what: string): string {
    if (this.#claimed.has(wanted)) return this.next(nodeId, what);
    this.#claimed.add(wanted);
    return wanted;
  }

  next(nodeId: string, what: string): string {
    return this.#new.take(`edge-${nodeId}-${what}`);
  }
}

/** Returns all texts under a key `id`, at any depth. New ids must differ from them. */
export function* idsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* idsIn(item);
  if (!isRecord(value)) return;
  if (typeof value.id === "string") yield value.id;
  for (const item of Object.values(value)) yield* idsIn(item);
}
