/** Returns the paths at which two JSON values differ, with the second value. */
export function differences(before: unknown, after: unknown, path = ""): [path: string, after: unknown][] {
  if (Object.is(before, after)) return [];
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after)) return [[path, after]];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const inner = path ? `${path}.${key}` : key;
    const [had, has] = [Object.hasOwn(before, key), Object.hasOwn(after, key)];
    if (had && has) return differences(before[key], after[key], inner);
    return [[inner, has ? after[key] : undefined]] satisfies [string, unknown][];
  });
}

function isNested(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}
