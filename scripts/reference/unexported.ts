import type { PublicSymbol } from "./symbols.ts";

/**
 * Types that a public signature mentions but no entry point exports, each with the symbols that mention it.
 *
 * The bodies of type aliases with parameters in `callweave/types` are ignored: they compute types and compiler messages.
 */
export function unexportedTypes(symbols: readonly PublicSymbol[]): ReadonlyMap<string, readonly string[]> {
  const exported = new Set(symbols.map(({ name }) => name));
  const missing = new Map<string, string[]>();
  for (const { name, entry, kind, def } of symbols) {
    const isComputed = entry === "callweave/types" && kind === "typeAlias" && def?.typeParams?.length > 0;
    if (isComputed && def.tsType.kind !== "fnOrConstructor") continue;
    for (const type of mentioned(def)) {
      if (exported.has(type)) continue;
      const users = missing.get(type) ?? [];
      if (!users.includes(name)) missing.set(type, [...users, name]);
    }
  }
  return missing;
}

/**
 * Types that the signature of a function, class or constant names, and that neither its own entry point nor `callweave`
 * exports.
 */
export function typesElsewhere(symbols: readonly PublicSymbol[]): readonly string[] {
  const entries = new Map(symbols.map(({ name, entry }) => [name, entry]));
  return symbols.flatMap(({ name, entry, kind, def }) => {
    if (kind === "interface" || kind === "typeAlias") return [];
    return [...new Set(mentioned(def))].flatMap((type) => {
      const home = entries.get(type);
      return home === undefined || home === entry || home === "callweave" ? [] : [`${name}: ${type} of ${home}`];
    });
  });
}

/**
 * The types of this package that a definition mentions; those of other packages, of the language and of the documents
 * that platforms publish are ignored.
 */
function mentioned(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(mentioned);
  if (typeof value !== "object" || value === null) return [];
  const { resolution, typeName } = value as { readonly resolution?: Resolution; readonly typeName?: string }; // any JSON
  const own =
    resolution?.kind === "local" || (resolution?.kind === "import" && isOwn(resolution.specifier ?? ""))
      ? [(resolution.name ?? typeName ?? "").split(".")[0] ?? ""]
      : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => (key === "jsDoc" ? [] : mentioned(inner)))];
}

function isOwn(specifier: string): boolean {
  return specifier.startsWith(".") && !PUBLISHED.test(specifier);
}

/** A module of `platforms/NAME/generated/`, as other folders import it. */
const PUBLISHED = /^(?:\.\.?\/)+(?:platforms\/\w+\/)?generated\/mod\.ts$/;

interface Resolution {
  readonly kind: string;
  readonly name?: string;
  readonly specifier?: string;
}
