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

/** Converts a text to a name: `Work out discount` becomes `Work_out_discount`. */
export function slug(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^_+|_+$/g, "");
}

/**
 * Returns the wanted name, with a number if it is taken: `desk-2`.
 *
 * @param limit Maximum length in characters.
 */
export function freeName(wanted: string, isTaken: (name: string) => boolean, limit = Number.POSITIVE_INFINITY): string {
  let name = wanted;
  for (let count = 2; isTaken(name); count++) name = `${wanted.slice(0, limit - `-${count}`.length)}-${count}`;
  return name;
}

/** Assigns unique names. */
export class Names {
  readonly #taken: Set<string>;

  /** @param taken Names that must not be assigned. */
  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** Returns the wanted name, with a number if it is taken, within the limit. */
  take(wanted: string, limit?: number): string {
    const name = freeName(wanted, (each) => this.#taken.has(each), limit);
    this.#taken.add(name);
    return name;
  }
}
