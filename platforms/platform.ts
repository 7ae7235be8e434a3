import { type Path, PlatformError } from "../src/base/errors.ts";
import type { AgentGraph, Finding } from "../src/document/graph/mod.ts";
import type { DocumentShape, EmittedFile } from "./lens/mod.ts";

export type { EmittedFile, Finding };

/** Reports a finding of a check. Default severity: error. */
export type Report = (code: string, path: Path, message: string, hint: string, severity?: Finding["severity"]) => void;

/** A feature of the graph that the target does not support exactly. */
export interface Loss {
  /** Stable and kebab-case, listed in the format's README. */
  readonly code: string;
  /** `emulated`: expressed by other features of the target. `dropped`: not emitted. */
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
  /**
   * Further files that belong beside the document, such as the code of its tools. `callweave emit --out FOLDER` writes
   * them. Absent: the document is everything.
   */
  readonly files?: readonly EmittedFile[];
  readonly losses: readonly Loss[];
}

/** Output of a format's emitter, before it is merged into the document that the graph was imported from. */
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
 * Both directions are plain functions. Settings that the graph does not model are kept under `metadata.<owner>`
 * (those of the whole graph under `source_metadata.<owner>`) and emitted from there. For a format with a `shape`,
 * `importAgent()` and `emit()` preserve the original document, with its key order and unknown keys.
 */
export interface Format<Name extends string = string, Config = unknown> {
  /** Name on the command line and in `emit()`: `retell`, `vapi-squad`. */
  readonly name: Name;
  /** Display name: "Retell conversation flow". */
  readonly title: string;
  /** Name of the document in a folder: `flow.yaml`. Default: the format's name and `.json`. */
  readonly fileName?: string;
  /** Whether documents are YAML, too. New ones are then written as YAML. */
  readonly yaml?: boolean;
  /**
   * Returns how likely a parsed document has this format, judged by its keys: 0 (impossible) to 1 (certain). Never
   * throws. Absent if the format cannot be imported.
   */
  readonly detect?: (document: unknown) => number;
  /**
   * @param report Called for each part that could not be read as intended, such as an edited part of an emitted
   * document.
   * @throws {PlatformError} `unknown-shape` with the first problem and the expected shape.
   */
  readonly importDocument?: (document: unknown, report?: (finding: Finding) => void) => AgentGraph;
  /**
   * Absent if the format can only be imported.
   *
   * @param imported The graph before any edits, if it was imported in this format. When copies of a shared part differ,
   * the unedited copy keeps the part's id.
   */
  readonly emitGraph?: (graph: AgentGraph, options?: EmitOptions, imported?: AgentGraph) => PlainEmitted<Config>;
  /** Identity keys of list items. Present if edits are merged into the imported document. */
  readonly shape?: DocumentShape;
  /**
   * Returns what the platform would reject in the emitted config.
   *
   * @param config The `config` that `emit()` returns for the graph.
   */
  readonly checkGraph?: (graph: AgentGraph, config: unknown) => readonly Finding[];
}

/** Creates the error for a document that cannot be imported. */
export function unknownShape(title: string, state: string, path: Path, hint: string): PlatformError {
  return new PlatformError(`Cannot import ${title}: ${state}`, { code: "unknown-shape", path, hint });
}
