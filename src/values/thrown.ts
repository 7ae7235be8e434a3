/** The message of a thrown value, which may be anything, even unreadable. */
export function thrownWords(error: unknown): string {
  try {
    const words: unknown = error instanceof Error ? error.message : error;
    return String(words);
  } catch {
    return "a value that has no form as text";
  }
}

/** The thrown value; an error in its place if its message is no string or reading it throws. */
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
