import { dirname, relative, resolve } from "node:path";
import { diffGraphs } from "../../../agent/analysis/mod.ts";
import { UsageError } from "../../../base/errors.ts";
import { canonicalJson, shown } from "../../../base/values/mod.ts";
import { type AgentGraph, contentOf, parseGraph } from "../../../document/graph/mod.ts";
import {
  literalsIn,
  rewriteLiteral,
  type SourceLiteral,
  type TextChange,
  textChanges,
  withText,
} from "../../../run/diagnosis/mod.ts";
import { isModulePath, readFiles } from "../../project/mod.ts";
import { mirrorModules } from "./mirror.ts";

/** A literal that contains a text, and its module. */
interface Candidate {
  readonly file: string;
  readonly literal: SourceLiteral;
}

/** With more literals than this, candidates are not tried one by one. */
const MOST_CANDIDATES = 8;

/** A file of an agent's source, before and after a change. */
export interface ChangedFile {
  /** Absolute path. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** Loads the graph of a module; each call loads its modules afresh. */
export type LoadModuleGraph = (path: string) => Promise<AgentGraph>;

/**
 * Writes the change of a graph into the module that defines it, or into modules that it imports. Each changed text must
 * be one literal there. The changed modules are loaded from a temporary folder, and must produce exactly the changed
 * graph. The files stay as they are.
 *
 * @param path The module that gives `before`.
 * @throws {UsageError} `no-literal` when a text is not a literal, or more than texts changes; `ambiguous-literal` when its
 *   literal gives other texts too, or several literals could be meant.
 */
export async function changeModule(
  path: string,
  before: AgentGraph,
  after: AgentGraph,
  load: LoadModuleGraph,
): Promise<readonly ChangedFile[]> {
  const { texts, others } = textChanges(before, after);
  if (others.length > 0) throw notLiteral(path, `the change is not only one of texts (${others[0]?.join(".")})`);
  const known = await readFiles(path);
  const originals = new Map(
    [...known].flatMap(([file, text]) => (text !== undefined && isModulePath(file) ? [[file, text] as const] : [])),
  );
  const neighbours = [...known].flatMap(([file, text]) => (text === undefined ? [] : [file]));
  let modules: ReadonlyMap<string, string> = originals;
  for (const change of texts) {
    const expected = parseGraph(withText(before, change));
    const loadChanged = async (changed: ReadonlyMap<string, string>): Promise<AgentGraph> => {
      const copied = new Map([...changed].filter(([file]) => leadsToChange(file, changed, originals)));
      copied.set(resolve(path), changed.get(resolve(path)) ?? "");
      await using mirror = await mirrorModules(copied, neighbours);
      return await load(mirror.pathOf(resolve(path)));
    };
    modules = await withChange({ change, expected, modules, path, load: loadChanged });
    before = expected;
  }
  return [...modules].flatMap(([file, text]) => {
    const original = originals.get(file) ?? "";
    return original === text ? [] : [{ file, before: original, after: text }];
  });
}

interface Step {
  readonly change: TextChange;
  readonly expected: AgentGraph;
  readonly modules: ReadonlyMap<string, string>;
  readonly path: string;
  readonly load: (modules: ReadonlyMap<string, string>) => Promise<AgentGraph>;
}

/** Changes the one literal that produces the expected graph. */
async function withChange({ change, expected, modules, path, load }: Step): Promise<ReadonlyMap<string, string>> {
  const candidates = [...modules].flatMap(([file, text]): Candidate[] =>
    literalsIn(text).flatMap((literal) => (literal.text === change.before ? [{ file, literal }] : [])),
  );
  if (candidates.length === 0) {
    throw notLiteral(path, `it does not have the text ${shown(change.before)} as one string`);
  }
  const places = candidates.map(({ file, literal }) => placeOf(file, modules.get(file) ?? "", literal.start));
  if (candidates.length > MOST_CANDIDATES) throw ambiguous(path, places, "any of them could be meant");
  const fitting: ReadonlyMap<string, string>[] = [];
  let others = "";
  for (const { file, literal } of candidates) {
    const text = modules.get(file) ?? "";
    const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
    const raw = rewriteLiteral(literal, change.after, lineBreak);
    const end = literal.start + literal.raw.length;
    const changed = new Map(modules).set(file, text.slice(0, literal.start) + raw + text.slice(end));
    const graph = await load(changed);
    if (canonicalJson(contentOf(graph)) === canonicalJson(contentOf(expected))) fitting.push(changed);
    else others ||= diffGraphs(expected, graph)[0]?.message ?? "";
  }
  const [only] = fitting;
  if (only && fitting.length === 1) return only;
  throw ambiguous(
    path,
    places,
    only ? "several of them give the repaired agent" : `changing it alone does not give the repaired agent: ${others}`,
  );
}

/** Whether a module is changed, or imports one that is, directly or through others. */
function leadsToChange(
  file: string,
  modules: ReadonlyMap<string, string>,
  originals: ReadonlyMap<string, string>,
  seen: Set<string> = new Set(),
): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = modules.get(file);
  if (text === undefined) return false;
  if (originals.get(file) !== text) return true;
  return literalsIn(text)
    .filter((literal) => /^\.{1,2}\//.test(literal.text))
    .flatMap((literal) => modulesAt(resolve(dirname(file), literal.text)))
    .some((each) => leadsToChange(each, modules, originals, seen));
}

/** The files that an import may resolve to. */
function modulesAt(file: string): readonly string[] {
  return [file, file.replace(/js$/, "ts"), `${file}.ts`, `${file}.js`];
}

function placeOf(file: string, text: string, start: number): string {
  const lines = text.slice(0, start).split("\n");
  return `${relative(".", file)}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

function notLiteral(path: string, state: string): UsageError {
  return new UsageError(`Cannot write the repair into "${path}": ${state}`, {
    code: "no-literal",
    hint: "Save the graph with --out FILE.callweave.json, or make the change in the module by hand",
  });
}

function ambiguous(path: string, places: readonly string[], state: string): UsageError {
  return new UsageError(`Cannot write the repair into "${path}": the text is at ${places.join(", ")}, and ${state}`, {
    code: "ambiguous-literal",
    hint: "Write the text as a separate string, or save the graph with --out FILE.callweave.json",
  });
}
