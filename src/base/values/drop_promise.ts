/**
 * Ignores a promise where none is expected. Its rejection would otherwise terminate the process.
 */
export function dropPromise(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}
