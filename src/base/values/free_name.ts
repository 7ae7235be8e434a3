import { clip } from "./clip.ts";

/** How {@link freeName} changes a name. */
export interface FreeNameOptions {
  /** Text before the number. Default: `-`. */
  readonly joint?: string;
  /** Maximum length in characters; longer names are truncated. Default: none. */
  readonly limit?: number;
}

/** Returns the wanted name, truncated, and with a number if it is taken: `desk-2`. */
export function freeName(
  wanted: string,
  isTaken: (name: string) => boolean,
  { joint = "-", limit = Number.POSITIVE_INFINITY }: FreeNameOptions = {},
): string {
  let name = clip(wanted, limit);
  for (let count = 2; isTaken(name); count++) {
    const suffix = `${joint}${count}`;
    name = `${clip(wanted, limit - suffix.length)}${suffix}`;
  }
  return name;
}

/** Assigns unique names. */
export class Names {
  readonly #taken: Set<string>;
  readonly #options: FreeNameOptions;

  /** @param taken Names that must not be assigned. */
  constructor(taken: Iterable<string> = [], options: FreeNameOptions = {}) {
    this.#taken = new Set(taken);
    this.#options = options;
  }

  /**
   * Returns the wanted name, truncated, and with a number if it is taken.
   *
   * @param limit Maximum length in characters. Default: that of the options.
   */
  take(wanted: string, limit?: number): string {
    const options = { ...this.#options, ...(limit === undefined ? {} : { limit }) };
    const name = freeName(wanted, (each) => this.#taken.has(each), options);
    this.#taken.add(name);
    return name;
  }
}
