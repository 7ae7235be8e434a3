import type { Loss } from "./platform.ts";

/** A loss as it is written: with every key, where the {@link Loss} leaves out what there is not. */
export interface WrittenLoss extends Pick<Loss, "code" | "kind" | "path" | "message"> {
  readonly instead: string | undefined;
  readonly hint: string | undefined;
}

/** A loss without the keys that say nothing. */
export function createLoss({ instead, hint, ...rest }: WrittenLoss): Loss {
  return { ...rest, ...(instead === undefined ? {} : { instead }), ...(hint === undefined ? {} : { hint }) };
}
