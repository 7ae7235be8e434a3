import { array, type Code, call, name, object } from "./code.ts";
import type { Constants } from "./constants.ts";
import type { EjectedNode } from "./eject_node.ts";
import type { EjectedTool } from "./eject_tool.ts";
import type { EjectedFile } from "./ejected_file.ts";
import { exported, moduleText, type Origins, type Statement } from "./module_text.ts";
import type { CodeNames } from "./names.ts";
import { stringCode } from "./text_code.ts";

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
