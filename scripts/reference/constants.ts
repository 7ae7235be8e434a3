import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sourceFiles } from "../imports.ts";

/** The values that a type of a constant stands for: `["text", "json"]` for `(typeof FORMATS)[number]`. */
export type Constants = ReadonlyMap<string, readonly string[]>;

/** Types with more values are printed by the name of their constant. */
const MOST_VALUES = 30;

/** The exported constants of the sources that are lists of texts, lists of objects with a name, or objects with keys. */
export async function constantsOf(root: string): Promise<Constants> {
  const constants = new Map<string, readonly string[]>();
  for (const file of sourceFiles(root, ["src", "dsl", "platforms"])) {
    const names = [...readFileSync(join(root, file), "utf8").matchAll(/^export const ([A-Z][A-Z_]+) = [[{]/gm)];
    if (names.length === 0) continue;
    const module: object = await import(pathToFileURL(join(root, file)).href);
    for (const [, name = ""] of names) {
      const values = valuesOf(Reflect.get(module, name));
      if (values.length > 0 && values.length <= MOST_VALUES) constants.set(name, values);
    }
  }
  return constants;
}

function valuesOf(constant: unknown): readonly string[] {
  if (typeof constant !== "object" || constant === null) return [];
  if (!Array.isArray(constant)) return Object.keys(constant);
  return constant.flatMap((item) => {
    const value: unknown = typeof item === "object" && item !== null ? Reflect.get(item, "name") : item;
    return typeof value === "string" ? [value] : [];
  });
}

/**
 * Replaces types of constants by their values, because a reader of the reference does not see the constant:
 * `(typeof FORMATS)[number]`, `(typeof FORMATS)[number]["name"]` and `keyof typeof KINDS`.
 */
export function withValues(definition: unknown, constants: Constants): unknown {
  if (Array.isArray(definition)) return definition.map((item) => withValues(item, constants));
  if (!isNode(definition)) return definition;
  const values = constants.get(constantIn(definition) ?? "");
  if (values) return { kind: "union", value: values.map(literal) };
  return Object.fromEntries(Object.entries(definition).map(([key, inner]) => [key, withValues(inner, constants)]));
}

/** The name of the constant whose values a type stands for. */
function constantIn({ kind, value }: Node): string | undefined {
  if (kind === "typeOperator" && value?.operator === "keyof") return constantNamed(value.tsType);
  if (kind !== "indexedAccess") return undefined;
  const { objType, indexType } = value ?? {};
  if (isNode(indexType) && indexType.repr === "number") return constantNamed(objType);
  return isNode(objType) && objType.kind === "indexedAccess" ? constantIn(objType) : undefined;
}

function constantNamed(type: unknown): string | undefined {
  if (!isNode(type)) return undefined;
  if (type.kind === "parenthesized") return constantNamed(type.value);
  return type.kind === "typeQuery" ? type.repr : undefined;
}

function literal(text: string) {
  return { kind: "literal", repr: text, value: { kind: "string", string: text } };
}

/** An object of Deno's output. */
interface Node {
  readonly kind?: string;
  readonly repr?: string;
  readonly value?: { readonly operator?: unknown; readonly tsType?: unknown } & {
    readonly objType?: unknown;
    readonly indexType?: unknown;
  };
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}
