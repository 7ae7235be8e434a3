/** How {@link freeName} changes a name. */
export interface FreeNameOptions {
  /** Text before the number. Default: `-`. */
  readonly joint?: string;
  /** Maximum length in characters. Default: none. */
  readonly limit?: number;
}

/** Returns the wanted name, with a number if it is taken: `desk-2`. */
export function freeName(
  wanted: string,
  isTaken: (name: string) => boolean,
  { joint = "-", limit = Number.POSITIVE_INFINITY }: FreeNameOptions = {},
): string {
  let name = wanted;
  for (let count = 2; isTaken(name); count++) {
    const suffix = `${joint}${count}`;
    name = `${wanted.slice(0, limit - suffix.length)}${suffix}`;
  }
  return name;
}

/** Assigns unique names. */
export class Names {
  readonly #taken: Set<string>;
  readonly #joint: string | undefined;

  /** @param taken Names that must not be assigned. */
  constructor(taken: Iterable<string> = [], joint?: string) {
    this.#taken = new Set(taken);
    this.#joint = joint;
  }

  /** Returns the wanted name, with a number if it is taken, within the limit. */
  take(wanted: string, limit?: number): string {
    const options = { ...(this.#joint === undefined ? {} : { joint: this.#joint }), ...(limit ? { limit } : {}) };
    const name = freeName(wanted, (each) => this.#taken.has(each), options);
    this.#taken.add(name);
    return name;
  }
}
