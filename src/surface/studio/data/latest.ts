/** Returns what was made for a key, or makes it. */
export type Latest<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>;

/**
 * Keeps the values that were asked for last. All who ask while a value is being made wait for the same one; one that
 * cannot be made is not kept.
 *
 * @param most Number of values.
 */
export function createLatest<Value>(most: number): Latest<Value> {
  const kept = new Map<string, Promise<Value>>();
  return async (key, make) => {
    const value = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, value);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    try {
      return await value;
    } catch (error) {
      if (kept.get(key) === value) kept.delete(key);
      throw error;
    }
  };
}
