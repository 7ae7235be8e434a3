/**
 * Ignores the outcome of a promise that was returned where none is expected. Its rejection would otherwise end the
 * process.
 */
export function dropPromise(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}
