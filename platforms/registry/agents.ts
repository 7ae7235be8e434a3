import { PlatformError } from "../../src/errors.ts";
import type { AgentGraph } from "../../src/graph/mod.ts";
import { checkOptions, OPTION } from "../../src/values/mod.ts";
import type { EmitOptions, Emitted, Finding, Format } from "../platform.ts";
import { type AnyFormatName, type CheckFormat, FORMATS, type FormatName } from "./formats.ts";
import { type Checked, createRegistry } from "./registry.ts";

const REGISTRY = createRegistry(FORMATS);

/** What a format is and can do. */
export interface FormatInfo {
  readonly name: FormatName;
  readonly title: string;
  readonly imports: boolean;
  readonly emits: boolean;
  readonly output: "json" | "text";
}

/** A document that was read, and the format it turned out to be. */
export interface Imported {
  readonly graph: AgentGraph;
  readonly format: FormatName;
  /** What could not be read as it was meant, with the reason. Empty for almost every document. */
  readonly findings: readonly Finding[];
}

/** The formats, in the order in which they are listed to people. */
export function formats(): readonly FormatInfo[] {
  return FORMATS.map(({ name, title, importDocument, emitGraph, output }) => ({
    name,
    title,
    imports: importDocument !== undefined,
    emits: emitGraph !== undefined,
    output,
  }));
}

/**
 * Finds a format among those that are registered.
 *
 * @throws {PlatformError} `unknown-format`.
 */
export function formatNamed(name: string): Format<FormatName> {
  return REGISTRY.formatNamed(name);
}

/**
 * Reads an agent in any format that can be read. The format is told by the document's keys, never by a file's name.
 *
 * @param document JSON text (with or without a byte order mark), or what it parses to.
 * @throws {PlatformError} `invalid-json`, `too-deep`, `unknown-format`, `unknown-shape`, `invalid-option`.
 * @throws {GraphError} For an AgentGraph document with faults.
 */
export function importAgent<const Name extends AnyFormatName = FormatName>(
  document: unknown,
  options: { readonly format?: Name & CheckFormat<Name> } = {},
): Imported {
  checkOptions(options, { format: OPTION.text }, PlatformError, "Cannot import agent");
  return REGISTRY.importAgent(document, options.format);
}

/**
 * Writes a graph in a format: for a graph that was imported from it, the document it came from with the edits since.
 *
 * @returns The platform's document (of text formats, a string) and what it could not hold.
 * @throws {GraphError} `not-a-graph`, for what is no graph at all; `unknown-entry`, for Vapi.
 * @throws {PlatformError} `unknown-format`, `format-not-emitted`, `missing-variable`, `changed-secret`,
 *   `damaged-original`, `invalid-option`.
 */
export function emit<const Name extends AnyFormatName>(
  source: AgentGraph,
  format: Name & CheckFormat<Name>,
  options: EmitOptions = {},
): Emitted<unknown> {
  return REGISTRY.emit(source, format, options);
}

/**
 * What a format's platform is known to refuse in what would be emitted, and what is lost on the way.
 *
 * @param graph Without notes of secrets, as {@link emit} hands it to a format.
 */
export function checkFormat(name: string, graph: AgentGraph): Checked {
  return REGISTRY.checkFormat(name, graph);
}
