import { isRecord } from "../../../src/values/mod.ts";
import { Names } from "../shared/mod.ts";

/** Gives edges ids that are unique in the flow, the same ones for the same graph. */
export class EdgeIds {
  readonly #new: Names;
  readonly #claimed = new Set<string>();

  constructor(taken: Iterable<string>) {
    this.#new = new Names(taken);
  }

  /** The wanted id for the first edge that asks for it, a new one for the others. */
  claim(wanted: string, nodeId: string, what: string): string {
    if (this.#claimed.has(wanted)) return this.next(nodeId, what);
    this.#claimed.add(wanted);
    return wanted;
  }

  next(nodeId: string, what: string): string {
    return this.#new.take(`edge-${nodeId}-${what}`);
  }
}

/** All texts under a key `id`, at any depth; new ids must differ from them. */
export function* idsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* idsIn(item);
  if (!isRecord(value)) return;
  if (typeof value.id === "string") yield value.id;
  for (const item of Object.values(value)) yield* idsIn(item);
}
