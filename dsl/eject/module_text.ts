import type { ToolDefinition } from "../../src/document/graph/mod.ts";
import { missingFields } from "../document_fields.ts";
import { type AnyTool, tool } from "../tools.ts";
import type { Constant, Constants } from "./declarations.ts";
import { type EjectedNode, platformSettings } from "./eject_node.ts";
import type { CodeNames } from "./names.ts";
import {
  array,
  type Code,
  call,
  name,
  object,
  printConst,
  printedWidth,
  propertyKey,
  stringCode,
  valueCode,
} from "./print_code.ts";

/** The inputs of the files. */
export interface FlowParts {
  /** Argument of `flow()`. */
  readonly name: string;
  /** Name of the constant that `flow.ts` exports. */
  readonly constant: string;
  /** The options of `flow()`. */
  readonly head: Code;
  readonly nodes: readonly (EjectedNode & { readonly words: string })[];
  readonly tools: readonly (EjectedTool & { readonly constant: string })[];
  readonly constants: Constants;
  readonly names: CodeNames;
}

/** Number of lines of nodes from which a flow is split into parts, and lines per part. */
const LARGE = 320;
const PART = 220;
/** Number of lines of tools from which they get their own module. */
const MANY_TOOLS = 60;

/** The modules of a flow: one, or one per part of a large one. */
export function flowFiles(parts: FlowParts): readonly EjectedFile[] {
  const { constants, tools } = parts;
  const toolStatements = tools.map(({ constant, code }) => ({ name: constant, code, isExported: true }));
  const isLarge = linesOf(parts.nodes) > LARGE;
  const inFile = isLarge || moduleText(toolStatements, new Map()).split("\n").length > MANY_TOOLS;
  const beside = (folder: string): Origins =>
    new Map([
      ...["boolean", "choice", "flow", "number", "text", "tool"].map((each) => [each, "callweave"] as const),
      ["readFileSync", "node:fs"],
      ...constants.prompts.map((each) => [each.name, `${folder}prompts.ts`] as const),
      ...constants.settings.map((each) => [each.name, `${folder}platform.ts`] as const),
      ...toolStatements.map((each) => [each.name, `${folder}tools.ts`] as const),
    ]);
  const own = inFile ? [] : toolStatements.map((each) => ({ ...each, isExported: false }));
  const head = call("flow", stringCode(parts.name), ...(isEmpty(parts.head) ? [] : [parts.head]));
  return [
    ...(isLarge ? partFiles(parts, head, beside) : [chainFile(parts, head, own, beside("./"))]),
    ...moduleFile("tools.ts", inFile ? toolStatements : [], beside("./")),
    ...moduleFile("prompts.ts", exported(constants.prompts), beside("./")),
    ...moduleFile("platform.ts", exported(constants.settings), beside("./")),
  ];
}

function isEmpty(head: Code): boolean {
  return head.kind === "object" && head.entries.length === 0;
}

function moduleFile(path: string, statements: readonly Statement[], origins: Origins): readonly EjectedFile[] {
  return statements.length === 0 ? [] : [{ path, text: moduleText(statements, origins) }];
}

/** A chain of builder calls. */
function chainFile(
  { constant, nodes }: FlowParts,
  head: Code,
  tools: readonly Statement[],
  origins: Origins,
): EjectedFile {
  const calls = nodes.map(({ kind, args }, index) => ({ name: kind, args: index === 0 ? opened(args) : args }));
  const code: Code = { kind: "chain", head, calls: [...calls, { name: "compile", args: [] }] };
  return { path: "flow.ts", text: moduleText([...tools, { name: constant, code, isExported: true }], origins) };
}

/** If one call of a chain has several lines, each call starts a new line. */
function opened(args: readonly Code[]): readonly Code[] {
  return args.map((arg) => (arg.kind === "object" && arg.entries.length > 0 ? object(arg.entries, true) : arg));
}

/** A module per part, one for what they share, and one that joins them. */
function partFiles(
  { constant, nodes, names }: FlowParts,
  head: Code,
  beside: (folder: string) => Origins,
): readonly EjectedFile[] {
  const base = moduleText([{ name: "base", code: head, isExported: true }], beside("./"), {
    types: [["KitOf", "callweave"]],
    end: "/** The builder that the parts add their nodes with. */\nexport type Kit = KitOf<typeof base>;",
  });
  const files = inParts(nodes).map((part) => {
    const words = part[0]?.words ?? "";
    const [file, list] = [names.file(words), names.constant(words, "Part")];
    const items = part.map(({ kind, args }) => call(`kit.${kind}`, ...args));
    const code: Code = { kind: "arrow", params: "(kit: Kit)", body: array(items) };
    const text = moduleText([{ name: list, code, isExported: true }], beside("../"), {
      types: [["Kit", "../base.ts"]],
    });
    return { path: `parts/${file}.ts`, text, list };
  });
  const calls = [...files.map(({ list }) => ({ name: "nodes", args: [name(list)] })), { name: "compile", args: [] }];
  const code: Code = { kind: "chain", head: name("base"), calls };
  const origins = new Map([["base", "./base.ts"], ...files.map(({ list, path }) => [list, `./${path}`] as const)]);
  return [
    { path: "flow.ts", text: moduleText([{ name: constant, code, isExported: true }], origins) },
    { path: "base.ts", text: base },
    ...files.map(({ path, text }) => ({ path, text })),
  ];
}

/** Splits nodes in their order into parts of about equal length. */
function inParts<Node extends EjectedNode>(nodes: readonly Node[]): readonly (readonly Node[])[] {
  const count = Math.ceil(linesOf(nodes) / PART);
  const most = linesOf(nodes) / count;
  const parts: Node[][] = [];
  let lines = 0;
  for (const node of nodes) {
    if (parts.length === 0 || (lines >= most * parts.length && parts.length < count)) parts.push([]);
    parts.at(-1)?.push(node);
    lines += linesOf([node]);
  }
  return parts;
}

function linesOf(nodes: readonly EjectedNode[]): number {
  const list = array(nodes.map(({ kind, args }) => call(kind, ...args)));
  return moduleText([{ name: "nodes", code: list, isExported: false }], new Map()).split("\n").length;
}

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
function exported(constants: readonly Constant[]): readonly Statement[] {
  return constants.map((constant) => ({ ...constant, isExported: true }));
}

/** All names that a piece of code mentions. */
function* mentionedNames(code: Code): Generator<string> {
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

/** A file that `eject()` writes. */
export interface EjectedFile {
  /** Relative to the folder that the files are written to, such as `flow.ts` and `parts/greeting.ts`. */
  readonly path: string;
  readonly text: string;
}

/** A tool, and the code that creates it. */
export interface EjectedTool {
  readonly tool: AnyTool;
  readonly code: Code;
}

/** Writes a tool with its schema. */
export function ejectTool(definition: ToolDefinition): EjectedTool {
  const { name, description, parameters, type, url, response_variables: response } = definition;
  const options = {
    name,
    description,
    ...(parameters ? { parameters } : {}),
    ...(typeof url === "string" ? { url } : {}),
    ...(typeof type === "string" && type !== "custom" ? { type } : {}),
    ...(response ? { responseVariables: response } : {}),
    ...platformSettings("tool", definition.metadata),
  };
  const document = missingFields(tool(options).definition, definition);
  const all = Object.keys(document).length === 0 ? options : { ...options, document };
  const entries = Object.entries(all).map(([key, value]: [string, unknown]) => ({
    key: propertyKey(key),
    value: valueCode(value),
  }));
  return { tool: tool(all), code: call("tool", object(entries, true)) };
}
