/** What was thrown, in words. Code of a user's can throw anything, also what cannot be read. */
export function thrownWords(error: unknown): string {
  try {
    const words: unknown = error instanceof Error ? error.message : error;
    return String(words);
  } catch {
    return "a value that has no form as text";
  }
}

/**
 * What was thrown, or, where it cannot be read like an error, because its message is no text or a property throws in
 * turn, an error in its place.
 */
export function readableError(error: unknown): unknown {
  if ((typeof error !== "object" && typeof error !== "function") || error === null) return error;
  try {
    for (const key of [...Reflect.ownKeys(error), "message", "cause", "code"]) Reflect.get(error, key);
    if (!(error instanceof Error)) return error;
    const isText = [error.name, error.message, error.stack ?? ""].every((text: unknown) => typeof text === "string");
    return isText ? error : new Error(thrownWords(error));
  } catch {
    return new Error("a value that cannot be read was thrown");
  }
}
