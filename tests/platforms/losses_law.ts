import assert from "node:assert/strict";
import type { EmittedFile, Loss } from "../../platforms/mod.ts";
import type { Path } from "../../src/base/errors.ts";
import { getAt, isRecord, replaceAt, sameJson } from "../../src/base/values/mod.ts";
import { snippetUses } from "../../src/document/expressions/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";
import { GraphDocument } from "../../src/document/graph/schema.ts";
import * as fc from "../fast_check.ts";
import { meaningless } from "./meaningless_settings.ts";
import { schemaGraphs } from "./schema_graphs.ts";
import { choicesIn } from "./schema_values.ts";

/** A format, as far as the law needs it. */
export interface LawFormat {
  /** Its first word is the platform, whose voice it has. */
  readonly name: string;
  readonly emit: (graph: AgentGraph) => {
    readonly config: unknown;
    /** Files beside the document are emitted, too. */
    readonly files?: readonly EmittedFile[];
    readonly losses: readonly Loss[];
  };
}

/** Options of {@link lawOfLosses}. */
export interface LawOptions {
  /** Default: 500. */
  readonly numRuns?: number;
  /** Default: graphs of the schema, with settings of the platforms that are known. */
  readonly graphs?: fc.Arbitrary<AgentGraph>;
  /** How many settings of each graph are tried by changing them. Default: all. */
  readonly probes?: number;
}

/**
 * Asserts that a format emits every setting of a graph, or names it in `losses`: its value is in the emitted document, or
 * a change of it changes the document or a loss at its place, or a loss at its place names it. Settings that mean
 * nothing are in `meaningless_settings.ts`.
 */
export function lawOfLosses(format: LawFormat, { numRuns = 500, graphs, probes }: LawOptions = {}): void {
  const property = fc.property(graphs ?? schemaGraphs(), (graph) => {
    const lost = vanishedSettings(graph, format, probes);
    const named = lost.map(({ path, value }) => `${path.join(".")} = ${JSON.stringify(value)}`);
    assert.ok(named.length === 0, `${format.name} loses settings without a word:\n${named.join("\n")}`);
  });
  // a smaller graph would say no more than the paths, and finding one takes minutes
  fc.assert(property, { numRuns, endOnFailure: true });
}

/** A setting of a graph. */
export interface Setting {
  readonly path: Path;
  readonly value: unknown;
}

/** What a format makes of a graph. */
interface Written {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/**
 * Returns the settings of a graph that a format neither emits nor names in its losses.
 *
 * @param probes How many settings are tried by changing them, spread over the graph; others count as emitted.
 */
export function vanishedSettings(graph: AgentGraph, format: LawFormat, probes = Number.POSITIVE_INFINITY): Setting[] {
  const written = write(format, graph);
  const open = leavesOf(graph).filter(
    (setting) =>
      !isFound(setting.value, written.text) &&
      meaningless(graph, setting.path, format.name) === undefined &&
      !isNamed(setting, graph, written),
  );
  const step = Math.max(1, open.length / probes);
  const tried = open.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
  return tried.filter((setting) => !isNoticed(setting, graph, written, format));
}

/** Whether a loss names a setting; of a snippet, whether losses name each text that was dropped with it. */
function isNamed(setting: Setting, graph: AgentGraph, { text, losses }: Written): boolean {
  if (losses.some((loss) => isNamedBy(loss, setting, graph, text))) return true;
  const [head, name] = setting.path;
  const uses = snippetUses(graph).filter((use) => use.name === name);
  if (head !== "snippets" || uses.length === 0) return false;
  return uses.every(({ path }) => {
    const use = { path, value: getAt(graph, path) };
    const marks = String(use.value).match(/q\d+q/g) ?? [];
    return !marks.some((mark) => text.includes(mark)) && losses.some((loss) => isNamedBy(loss, use, graph, text));
  });
}

function write({ name, emit }: LawFormat, graph: AgentGraph): Written {
  const { config, files = [], losses } = emit(graph);
  const beside = files.map(({ text }) => text).join("\n");
  return { text: JSON.stringify(name === "graph" ? config : withoutKeptGraph(config)) + beside, losses };
}

/** Emitted JSON without the graph that Callweave keeps in the metadata for importing it again. */
function withoutKeptGraph(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeptGraph);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "callweave");
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutKeptGraph(item)]));
}

function leavesOf(value: unknown, path: Path = []): readonly Setting[] {
  if (isRecord(value)) return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  return value === undefined || value === null || value === "" ? [] : [{ path, value }];
}

/** Whether a marked value, which occurs nowhere else in the graph, is part of a document. */
function isFound(value: unknown, text: string): boolean {
  if (typeof value === "number") return value >= 100 && new RegExp(`\\b${value}\\b`).test(text);
  return typeof value === "string" && /\d{3}/.test(value) && text.includes(JSON.stringify(value).slice(1, -1));
}

/**
 * Returns the settings of which no change to another value changes the document, or is named by a loss at its place.
 *
 * @param paths The settings that are changed. Default: all.
 */
export function unnoticedChanges(graph: AgentGraph, format: LawFormat, paths?: readonly Path[]): Setting[] {
  const before = write(format, graph);
  const isOld = (loss: Loss) => before.losses.some((each) => sameJson(each, loss));
  return leavesOf(graph).filter((setting) => {
    const { path } = setting;
    if (paths?.every((each) => !sameJson(each, path)) || meaningless(graph, path, format.name)) return false;
    const results = othersOf(setting, graph).map((value) => () => {
      const after = attempt(() => write(format, parseGraph(replaceAt(graph, path, value))));
      if (!after) return "refused";
      const isPlaced = ({ path: at }: Loss) => isInside(at, path) || isInside(path, at);
      const isNew = (loss: Loss) => isPlaced(loss) && (!isOld(loss) || loss.kind === "dropped");
      return after.text !== before.text || after.losses.some(isNew) ? "noticed" : "unnoticed";
    });
    // the first change that is noticed will do
    const found = new Set<string>();
    for (const result of results) if (!found.has("noticed")) found.add(result());
    return found.has("unnoticed") && !found.has("noticed");
  });
}

/** Whether a change of a setting changes the document, or a loss at its place. */
function isNoticed(setting: Setting, graph: AgentGraph, before: Written, format: LawFormat): boolean {
  return othersOf(setting, graph).some((value) => {
    const changed = attempt(() => write(format, parseGraph(replaceAt(graph, setting.path, value))));
    if (!changed) return false;
    // a loss of the other value says nothing of this one
    const own = before.losses.filter((loss) => !changed.losses.some((each) => sameJson(each, loss)));
    const { path } = setting;
    return before.text !== changed.text || own.some((loss) => isInside(loss.path, path) || isInside(path, loss.path));
  });
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined; // not every value makes a graph
  }
}

/** Other values for keys that the schema does not list the choices of. */
const OTHERS: { readonly [key: string]: readonly string[] } = {
  operator: ["==", "exists"],
  default_model: ["gpt-5-mini", "openai/gpt-4.1-mini", "anthropic/claude-opus-4-6"],
  type: ["custom", "string", "end_call", "number"],
  language: ["en-US", "fr"],
};

/** Returns other values of a setting. */
function othersOf({ path, value }: Setting, graph: AgentGraph): readonly unknown[] {
  const key = String(path.at(-1));
  const choices = choicesIn(GraphDocument, path);
  if (choices) return choices.filter((each) => each !== value);
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 7_000];
  if (key === "target_node_id" || key === "entry_node_id") return Object.keys(graph.nodes).filter((id) => id !== value);
  const text = String(value);
  return [/\d{3}/.test(text) ? text.replace(/\d{3}/, "987") : `${text} q987q`, ...(OTHERS[key] ?? [])];
}

const isInside = (path: Path, outer: Path) => outer.every((key, index) => path[index] === key);

/**
 * Whether a loss names a setting: at its place or around it, and with its value or a key that leads to it, or because
 * nothing is left of the part that was dropped.
 */
function isNamedBy({ path: at, message, kind }: Loss, { path, value }: Setting, graph: AgentGraph, text: string) {
  if (isInside(at, path)) return true;
  if (!isInside(path, at)) return false;
  if (typeof value === "string" && message.includes(value)) return true;
  const [item, ...below] = path.slice(at.length);
  const words = message.split(/[^\w-]+/);
  if ([item, ...below].some((key) => words.includes(String(key)))) return true;
  if (kind !== "dropped" || at.length < 2) return false;
  const part = typeof item === "number" ? [...at, item] : at;
  const all = JSON.stringify(graph);
  return leavesOf(getAt(graph, part)).every(({ value: each }) => {
    const [mark] = /q\d+q/.exec(String(each)) ?? [];
    // a condition can have the name of a tool that is dropped
    return mark === undefined || all.split(mark).length > 2 || !isFound(each, text);
  });
}
