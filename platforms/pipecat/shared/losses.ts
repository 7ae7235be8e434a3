import type { Path } from "../../../src/base/errors.ts";
import { lossesAtOrigins } from "../../lower/mod.ts";
import type { Loss } from "../../platform.ts";

/** Collects the losses of a flow. */
export class FlowLosses {
  readonly #losses: Loss[] = [];
  readonly #origins: ReadonlyMap<string, string>;

  /** @param origins The nodes of the graph, by the ids of the nodes that were made of them. */
  constructor(origins: ReadonlyMap<string, string>) {
    this.#origins = origins;
  }

  emulate(code: string, path: Path, message: string, instead: string): void {
    this.#losses.push({ code, kind: "emulated", path, message, instead });
  }

  drop(code: string, path: Path, message: string, hint?: string): void {
    this.#losses.push({ code, kind: "dropped", path, message, ...(hint === undefined ? {} : { hint }) });
  }

  all(): readonly Loss[] {
    return lossesAtOrigins(this.#losses, this.#origins);
  }
}
