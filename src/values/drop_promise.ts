/**
 * Leaves a promise to itself that was given where none is wanted: its rejection would otherwise end the process.
 */
export function dropPromise(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}
