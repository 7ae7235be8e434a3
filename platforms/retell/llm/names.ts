/** Hands out names that are each used once. */
export interface Names {
  /** The name itself, or with a number behind it when it is taken. */
  take(wanted: string): string;
}

/**
 * @param limit Characters that a name may have; absent: any number.
 * @param others Names that are never handed out.
 */
export function createNames(limit = Number.POSITIVE_INFINITY, others: Iterable<string> = []): Names {
  const taken = new Set<string>(others);
  const counts = new Map<string, number>();
  return {
    take(wanted) {
      let name = wanted;
      let count = counts.get(wanted) ?? 1;
      while (taken.has(name)) {
        count++;
        const suffix = `-${count}`;
        name = `${wanted.slice(0, limit - suffix.length)}${suffix}`;
      }
      counts.set(wanted, count);
      taken.add(name);
      return name;
    },
  };
}

/** Longest name that Retell takes for states and tools. */
export const NAME_LIMIT = 64;

/** A name as Retell takes it for states and tools: letters, digits, `_` and `-`, at most 64 of them. */
export function retellName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  const cleaned = name.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^_+|_+$/g, "");
  return cleaned.slice(0, NAME_LIMIT) || "state";
}
