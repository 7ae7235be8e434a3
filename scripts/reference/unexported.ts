import type { PublicSymbol } from "./symbols.ts";

/**
 * Types that a public signature mentions but no entry point exports, each with the symbols that mention it.
 *
 * The bodies of type aliases in `callweave/types` are ignored: they compute compiler messages.
 */
export function unexportedTypes(symbols: readonly PublicSymbol[]): ReadonlyMap<string, readonly string[]> {
  const exported = new Set(symbols.map(({ name }) => name));
  const missing = new Map<string, string[]>();
  for (const { name, entry, kind, def } of symbols) {
    if (entry === "callweave/types" && kind === "typeAlias" && def?.tsType?.kind !== "fnOrConstructor") continue;
    for (const type of mentioned(def)) {
      if (exported.has(type)) continue;
      const users = missing.get(type) ?? [];
      if (!users.includes(name)) missing.set(type, [...users, name]);
    }
  }
  return missing;
}

/** The types of this package that a definition mentions; those of other packages and of the language are ignored. */
function mentioned(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(mentioned);
  if (typeof value !== "object" || value === null) return [];
  const { resolution, typeName } = value as { readonly resolution?: Resolution; readonly typeName?: string }; // any JSON
  const own =
    resolution?.kind === "local" || (resolution?.kind === "import" && resolution.specifier?.startsWith("."))
      ? [(resolution.name ?? typeName ?? "").split(".")[0] ?? ""]
      : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => (key === "jsDoc" ? [] : mentioned(inner)))];
}

interface Resolution {
  readonly kind: string;
  readonly name?: string;
  readonly specifier?: string;
}
