import type { Path } from "../src/errors.ts";
import type { AgentGraph, Finding } from "../src/graph/mod.ts";
import type { DocumentShape } from "./lens/mod.ts";

export type { Finding };

/**
 * One place where a target cannot hold what the graph says. What is held exactly is not mentioned.
 */
export interface Loss {
  /** Stable and kebab-case, listed in the format's README. */
  readonly code: string;
  /** `emulated`: something else does its work. `dropped`: nothing does. */
  readonly kind: "emulated" | "dropped";
  /** In the graph, such as `["nodes", "greet", "transitions", 0]`. */
  readonly path: Path;
  /** What the target cannot hold. */
  readonly message: string;
  /** What was emitted instead; absent where nothing was. */
  readonly instead?: string;
  /** What to change so that nothing is lost; absent where there is nothing to do. */
  readonly hint?: string;
}

/** What emitting gives: the platform's document and what it could not hold. */
export interface Emitted<Config> {
  readonly config: Config;
  /**
   * The config as the text of a file. For a graph that was imported in this format it is the text that was imported with
   * the changes since: white space, order of keys and numbers stay to the letter wherever nothing changed.
   */
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** What a format emits on its own, without the document that a graph may have come from. */
export type PlainEmitted<Config> = Omit<Emitted<Config>, "text">;

/** What emitting can be told. */
export interface EmitOptions {
  /**
   * Environment that `{{env:NAME}}` references are filled in from: those that `extractSecrets` has put in a value's place,
   * and those of `env("NAME")` in code. Others stay and are losses. Absent: all stay.
   */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Variables that may be filled in wherever the graph refers to them, also when their value has changed. */
  readonly allowEnv?: readonly string[];
  /** Merge chains of nodes that need no member of their own (squads). */
  readonly contract?: boolean;
}

/**
 * A format: how a platform's documents are read as graphs, and graphs written as documents.
 *
 * The two directions are plain. What the graph does not model stays under `metadata.<owner>` (of the graph:
 * `source_metadata.<owner>`) and is emitted from there. That a document comes back as it was, with its order of keys and
 * what nobody reads, is the work of `importAgent()` and `emit()` for every format with a `shape`.
 */
export interface Format<Name extends string = string, Config = unknown> {
  /** As it is typed on the command line: `retell`, `vapi-squad`. */
  readonly name: Name;
  /** For people: "Retell conversation flow". */
  readonly title: string;
  /** `text`: the config is a string that is written as it is; else it is written as JSON. */
  readonly output: "json" | "text";
  /**
   * How sure it is, by its keys alone, that a parsed document is of this format: 0 is not at all, 1 is certain. Absent
   * where the format cannot be read. Never throws, whatever it is given.
   */
  readonly detect?: (document: unknown) => number;
  /**
   * @param report Called with what could not be read as it was meant, such as a change to an emitted document.
   * @throws {PlatformError} `unknown-shape` with the first thing wrong and how it should look.
   */
  readonly importDocument?: (document: unknown, report?: (finding: Finding) => void) => AgentGraph;
  /**
   * Absent where the format can only be read.
   *
   * @param imported The graph as it was imported in this format: of several copies of a shared part that differ, the one
   * that is as it was keeps the part's id. Absent for a graph from elsewhere.
   */
  readonly emitGraph?: (graph: AgentGraph, options?: EmitOptions, imported?: AgentGraph) => PlainEmitted<Config>;
  /** What identifies parts of its documents; present where changes are written into the imported document. */
  readonly shape?: DocumentShape;
  /**
   * What the platform is known to refuse in what would be emitted.
   *
   * @param config What `emit()` gives for the graph: for an imported one, its document with the changes since.
   */
  readonly checkGraph?: (graph: AgentGraph, config: unknown) => readonly Finding[];
}
