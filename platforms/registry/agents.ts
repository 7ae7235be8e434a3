import { PlatformError } from "../../src/base/errors.ts";
import { checkOptions, OPTION } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import type { EmitOptions, Emitted, Format } from "../platform.ts";
import { type AnyFormatName, type CheckFormat, FORMATS, type FormatName } from "./formats.ts";
import { createRegistry, type Imported } from "./registry.ts";

const REGISTRY = createRegistry(FORMATS);

export const { checkFormat } = REGISTRY;

/** Name, title and abilities of a format. */
export interface FormatInfo {
  readonly name: FormatName;
  readonly title: string;
  readonly imports: boolean;
  readonly emits: boolean;
}

/** Returns all formats. */
export function formats(): readonly FormatInfo[] {
  return FORMATS.map(({ name, title, importDocument, emitGraph }) => ({
    name,
    title,
    imports: importDocument !== undefined,
    emits: emitGraph !== undefined,
  }));
}

/**
 * Returns a registered format by name.
 *
 * @throws {PlatformError} `unknown-format`.
 */
export function formatNamed(name: string): Format<FormatName> {
  return REGISTRY.formatNamed(name);
}

/**
 * Reads an agent in any format that can be imported. The format is detected from the document's keys, not from a file
 * name.
 *
 * @param document JSON text (with or without a byte order mark), or a parsed value.
 * @throws {PlatformError} `invalid-json`, `too-deep`, `unknown-format`, `other-tool`, `unknown-shape`,
 *   `invalid-option`.
 * @throws {GraphError} For an AgentGraph document with errors.
 */
export function importAgent<const Name extends AnyFormatName = FormatName>(
  document: unknown,
  options: { readonly format?: Name & CheckFormat<Name> } = {},
): Imported {
  checkOptions(options, { format: OPTION.text }, PlatformError, "Cannot import agent");
  return REGISTRY.importAgent(document, options.format);
}

/**
 * Emits a graph in a format. For a graph imported from that format, this is the imported document with the edits.
 *
 * @returns The platform's document (a string for text formats) and its losses.
 * @throws {GraphError} `not-a-graph`; `unknown-entry` for Vapi.
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
