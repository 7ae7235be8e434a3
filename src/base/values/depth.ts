/** Maximum nesting of a document. Real documents stay under 30; recursion over deeper ones could overflow the stack. */
export const MAX_DEPTH = 200;

/**
 * Whether arrays and objects are nested deeper than {@link MAX_DEPTH}. Iterates by level, so it cannot overflow the
 * stack.
 */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    // visit each object once per level: circular references would double the number on each
    const next = new Set<unknown>();
    for (const item of level)
      if (typeof item === "object" && item !== null)
        for (const child of Object.values(item)) if (typeof child === "object" && child !== null) next.add(child);
    level = [...next];
  }
  return false;
}
