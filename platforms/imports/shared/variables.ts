import { Names } from "../../../src/base/values/mod.ts";
import { plainName } from "./parts.ts";

/** The variables that names of another tool become: the same one for the same name, and different ones for others. */
export class Variables {
  readonly #names = new Names([], { joint: "_", limit: 60 });
  readonly #taken = new Map<string, string>();

  /** @param known Names that come first, and so keep their spelling where another one would take it. */
  constructor(known: Iterable<string> = []) {
    for (const name of known) this.name(name);
  }

  name(source: string): string {
    const known = this.#taken.get(source);
    if (known !== undefined) return known;
    const name = this.#names.take(plainName(source));
    this.#taken.set(source, name);
    return name;
  }
}
