import { signal } from "@preact/signals";
import { createStudioClient, type StudioAnswer, StudioRequestError } from "../../../api/mod.ts";

/** The API of the server that the page comes from. */
export const studio = createStudioClient();

/** Who looks at the page; `undefined` until the server has said it. */
export const session = signal<StudioAnswer<"session"> | undefined>(undefined);

/** Whether the reader may do what needs a role. */
export function may(role: "labeller" | "editor"): boolean {
  const has = session.value?.role;
  return has === "editor" || has === role;
}

/** Asks for a token again after an answer that says that nobody is signed in. */
export function noteError(error: unknown): void {
  if (error instanceof StudioRequestError && error.status === 401 && session.value?.role)
    session.value = { ...session.value, role: null, needsToken: true };
}

/** A page of a list. */
export interface ListOf<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}
