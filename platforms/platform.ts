import type { Path } from "../src/errors.ts";
import type { AgentGraph, Finding } from "../src/graph/mod.ts";
import type { DocumentShape } from "./lens/mod.ts";

export type { Finding };

/** Adds a finding of a check: an error, unless the severity says otherwise. */
export type Report = (code: string, path: Path, message: string, hint: string, severity?: Finding["severity"]) => void;

/**
 * A feature of the graph that the target does not support exactly.
 */
export interface Loss {
  /** Stable and kebab-case, listed in the format's README. */
  readonly code: string;
  /** `emulated`: emitted in another way. `dropped`: not emitted. */
  readonly kind: "emulated" | "dropped";
  /** Path in the graph, such as `["nodes", "greet", "transitions", 0]`. */
  readonly path: Path;
  /** What the target does not support. */
  readonly message: string;
  /** What was emitted instead. Absent when nothing was. */
  readonly instead?: string;
  /** What to change to avoid the loss. Absent when there is nothing to change. */
  readonly hint?: string;
}

/** Result of `emit()`: the platform's document and its losses. */
export interface Emitted<Config> {
  readonly config: Config;
  /**
   * Text of the config, for a file. For a graph imported in this format, it is the imported text with your changes;
   * everything else stays verbatim: white space, order of keys and numbers.
   */
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** What a format emits by itself, without the original document of an imported graph. */
export type PlainEmitted<Config> = Omit<Emitted<Config>, "text">;

/** Options of `emit()`. */
export interface EmitOptions {
  /**
   * Environment for `{{env:NAME}}` references that `extractSecrets` made or that `env("NAME")` made in code. Other
   * references stay and are losses. Default: no reference is replaced.
   */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Variables that may be used wherever the graph refers to them, even if their value has changed. */
  readonly allowEnv?: readonly string[];
  /** Merge chains of nodes into one member (squads). */
  readonly contract?: boolean;
}

/**
 * Format of a platform's documents: how to import and emit them.
 *
 * Both directions are plain functions. Settings that the graph does not model are under `metadata.<owner>` (of the
 * graph: `source_metadata.<owner>`) and emitted from there. `importAgent()` and `emit()` preserve the original
 * document, with its order of keys and unknown keys, for every format with a `shape`.
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
