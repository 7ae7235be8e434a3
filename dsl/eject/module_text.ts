import type { Code } from "./code.ts";
import type { Constant } from "./constants.ts";
import { printConst, printedWidth } from "./print_code.ts";

/** A name that a module exports, and the module. */
export type Origins = ReadonlyMap<string, string>;

export interface Statement {
  readonly name: string;
  readonly code: Code;
  readonly isExported: boolean;
  readonly isString?: boolean;
}

/** The text of a module: the imports that its statements need, and the statements. */
export function moduleText(
  statements: readonly Statement[],
  origins: Origins,
  {
    types = [],
    names = [],
    end = "",
  }: {
    readonly types?: readonly (readonly [name: string, from: string])[];
    readonly names?: readonly string[];
    readonly end?: string;
  } = {},
): string {
  const own = new Set(statements.map(({ name }) => name));
  const used = new Set([...names, ...statements.flatMap(({ code }) => [...mentionedNames(code)])]);
  const named = [...used].flatMap((name): readonly (readonly [string, string])[] => {
    const from = own.has(name) ? undefined : origins.get(name);
    return from === undefined ? [] : [[name, from]];
  });
  const imports = [...importLines([...named, ...types.map(([name, from]) => [`type ${name}`, from] as const)])];
  const texts = statements.map(({ name, code, isExported, isString }) => {
    const printed = printConst(isString ? `${name}: string` : name, code, isExported ? "export const" : "const");
    return printed;
  });
  return `${[imports.join("\n"), ...texts, end].filter((each) => each !== "").join("\n\n")}\n`;
}

/** Statements that export constants. */
export function exported(constants: readonly Constant[]): readonly Statement[] {
  return constants.map((constant) => ({ ...constant, isExported: true }));
}

/** All names that a piece of code mentions. */
export function* mentionedNames(code: Code): Generator<string> {
  if (code.kind === "atom" && code.is === "name") yield* code.text.match(/^[\w$]+/) ?? [];
  else if (code.kind === "object") for (const { value } of code.entries) yield* mentionedNames(value);
  else if (code.kind === "array") for (const item of code.items) yield* mentionedNames(item);
  else if (code.kind === "arrow") yield* mentionedNames(code.body);
  else if (code.kind === "call") {
    yield code.callee;
    for (const arg of code.args) yield* mentionedNames(arg);
  } else if (code.kind === "chain") {
    yield* mentionedNames(code.head);
    for (const { args } of code.calls) for (const arg of args) yield* mentionedNames(arg);
  }
}

/** One import per module: the runtime's modules first, then packages, then files. */
function importLines(named: readonly (readonly [name: string, from: string])[]): readonly string[] {
  const byModule = new Map<string, string[]>();
  for (const [name, from] of named) byModule.set(from, [...(byModule.get(from) ?? []), name]);
  const rank = (from: string) =>
    from.startsWith("node:") ? 0 : from.startsWith("../") ? 2 : from.startsWith(".") ? 3 : 1;
  const modules = [...byModule].sort(([a], [b]) => rank(a) - rank(b) || order(a, b));
  return modules.map(([from, names]) => {
    const bare = (name: string) => name.replace(/^type /, "");
    const sorted = [...new Set(names)].sort((a, b) => order(bare(a), bare(b)));
    const isType = sorted.every((name) => name.startsWith("type "));
    const list = isType ? sorted.map(bare) : sorted;
    const head = isType ? "import type" : "import";
    const line = `${head} { ${list.join(", ")} } from "${from}";`;
    if (printedWidth(line) <= 120) return line;
    return `${head} {\n${list.map((name) => `  ${name},\n`).join("")}} from "${from}";`;
  });
}

/** The order of Biome: letters case-insensitively, numbers by length and then by digits. */
function order(a: string, b: string): number {
  const [left, right] = [partsOf(a.toLowerCase()), partsOf(b.toLowerCase())];
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const areNumbers = /^\d/.test(part) && /^\d/.test(other);
    if (areNumbers && part.length !== other.length) return part.length - other.length;
    if (part !== other) return part < other ? -1 : 1;
  }
  return left.length - right.length || (a < b ? -1 : 1);
}

function partsOf(text: string): readonly string[] {
  return text.match(/\d+|\D/g) ?? [];
}
