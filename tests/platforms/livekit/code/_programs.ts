import { emit, formatNamed } from "../../../../platforms/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";

/** A program's files by path, the document included. */
export function programOf(
  graph: AgentGraph,
  format: "livekit" | "livekit-python",
): { readonly [path: string]: string } {
  const { config, files = [] } = emit(graph, format);
  const { fileName = "" } = formatNamed(format);
  return { [fileName]: String(config), ...Object.fromEntries(files.map(({ path, text }) => [path, text])) };
}

/** A text in quotes, or a comment; both languages write texts as JSON. */
const TOKEN = /"(?:\\.|[^"\\\n])*"|\/\/.*|\/\*[\s\S]*?\*\/|#.*|[()[\]{}]/g;

const CLOSING: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" };

/** What is wrong with a program's text, without a parser of its language: brackets, texts, white space. */
export function faultsOf(code: string): readonly string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const [token] of code.matchAll(TOKEN)) {
    if (token.startsWith('"')) {
      try {
        JSON.parse(token);
      } catch {
        faults.push(`${token} is no text`);
      }
    } else if (CLOSING[token]) open.push(CLOSING[token] ?? "");
    else if (/^[)\]}]$/.test(token) && open.pop() !== token) faults.push(`${token} closes nothing`);
  }
  if (open.length > 0) faults.push(`${open} is missing`);
  if (/[ \t]+$/m.test(code)) faults.push("a line ends with white space");
  if (/\t/.test(code)) faults.push("a line has a tab");
  if (!/[^\n]\n$/.test(code)) faults.push("it does not end with one line break");
  if (/\n{4}/.test(code)) faults.push("there are three empty lines");
  return faults;
}

/** The texts in a program's code. */
export function textsIn(code: string): readonly string[] {
  return [...code.matchAll(/"(?:\\.|[^"\\\n])*"/g)].map(([text]): string => JSON.parse(text));
}
