/** Deepest nesting of a document. Real ones stay under 30; recursion over deeper ones could overflow the stack. */
export const MAX_DEPTH = 200;

/** Whether arrays and objects nest deeper than {@link MAX_DEPTH}. Walks level by level, so it cannot overflow. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    // each object once a level: circular references would double the number on each
    const next = new Set<unknown>();
    for (const item of level)
      if (typeof item === "object" && item !== null)
        for (const child of Object.values(item)) if (typeof child === "object" && child !== null) next.add(child);
    level = [...next];
  }
  return false;
}
