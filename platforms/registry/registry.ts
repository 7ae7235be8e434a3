import { parseDocument, yamlText } from "../../src/base/documents/mod.ts";
import { PlatformError } from "../../src/base/errors.ts";
import { checkOptions, didYouMean, isTooDeep, jsonText, MAX_DEPTH, OPTION, shown } from "../../src/base/values/mod.ts";
import {
  type AgentGraph,
  originalOf,
  otherDocument,
  toGraph,
  unreadTool,
  withOriginal,
  withoutOriginal,
} from "../../src/document/graph/mod.ts";
import { type LeftReference, restoreSecrets, withTakenOut } from "../../src/document/secrets/mod.ts";
import { putBack } from "../lens/mod.ts";
import type { EmitOptions, Emitted, Finding, Format, Loss } from "../platform.ts";
import { type AnyFormatName, type CheckFormat, FORMATS, type FormatName } from "./formats.ts";

/** An imported graph, and the format of its document. */
export interface Imported<Name extends string = FormatName> {
  readonly graph: AgentGraph;
  readonly format: Name;
  /** Parts that could not be read as intended, with the reason. Usually empty. */
  readonly findings: readonly Finding[];
}

/** Findings and losses of an agent in a format. */
export interface Checked {
  readonly findings: readonly Finding[];
  readonly losses: readonly Loss[];
}

/** Creates the functions that import, emit and check agents, for a list of formats. */
export function createRegistry<Name extends string>(formats: readonly Format<Name>[]) {
  /** @throws {PlatformError} `unknown-format`. */
  function formatNamed(name: string): Format<Name> {
    const found = formats.find((format) => format.name === name);
    if (found) return found;
    const names = formats.map((format) => format.name);
    throw new PlatformError(`Cannot use format ${shown(name)}: the format does not exist`, {
      code: "unknown-format",
      hint: didYouMean(name, names, `Use one of ${names.join(", ")}`),
    });
  }

  /** @throws {PlatformError | GraphError} Like `importAgent()`. */
  function importAgent(document: unknown, name?: string): Imported<Name> {
    const { value, notation } =
      typeof document === "string" ? parseDocument(document, "Cannot import agent") : { value: document };
    if (isTooDeep(value)) {
      throw new PlatformError(`Cannot import agent: it nests deeper than ${MAX_DEPTH} levels`, {
        code: "too-deep",
        hint: "Flatten the document",
      });
    }
    const format = name === undefined ? detectFormat(value) : formatNamed(name);
    if (!format.detect?.(value)) refuseOther(value);
    if (!format.importDocument) {
      throw new PlatformError(`Cannot import ${format.title}: it can only be emitted`, {
        code: "unknown-format",
        hint: `Use one of ${namesOf((candidate) => candidate.importDocument !== undefined)}`,
      });
    }
    if (notation === "yaml" && !format.yaml) {
      throw new PlatformError(`Cannot import ${format.title}: the text is YAML`, {
        code: "invalid-json",
        hint: "Convert the text to JSON",
      });
    }
    const findings: Finding[] = [];
    const graph = format.importDocument(value, (finding) => findings.push(finding));
    if (!format.shape) return { graph, format: format.name, findings };
    const text = typeof document === "string" ? document : jsonText(document);
    return { graph: withOriginal(graph, { format: format.name, text }), format: format.name, findings };
  }

  /** @throws {PlatformError | GraphError} Like `emit()`. */
  function emit(source: AgentGraph, name: string, options: EmitOptions = {}): Emitted<unknown> {
    const graph = toGraph(source, "Cannot emit graph");
    checkOptions(
      options,
      { env: OPTION.object, allowEnv: OPTION.texts, contract: OPTION.switch },
      PlatformError,
      "Cannot emit graph",
    );
    const found = formatNamed(name);
    if (!found.emitGraph) {
      throw new PlatformError(`Cannot emit ${found.title}: it can only be imported`, {
        code: "format-not-emitted",
        hint: `Use one of ${namesOf((candidate) => candidate.emitGraph !== undefined)}`,
      });
    }
    // the graph's own document keeps the records of references; platforms do not need them
    const kept = found.name === GRAPH_FORMAT ? graph : withTakenOut(graph, []);
    if (!options.env) return write(found, found.emitGraph, kept, options);
    const original = originalOf(graph);
    const isKept = original?.format === found.name || found.name === GRAPH_FORMAT;
    const restored = restoreSecrets(isKept ? graph : withoutOriginal(graph), options.env, {
      allowed: options.allowEnv ?? [],
    });
    // if a reference is not restored, its value must not be emitted unnoticed as part of the original document
    const hides = found.name === GRAPH_FORMAT && restored.left.length > 0;
    const whole = original && hides ? withOriginal(restored.graph, original) : restored.graph;
    const { losses, ...written } = write(found, found.emitGraph, whole, options);
    return { ...written, losses: [...restored.left.map(lossOf), ...losses] };
  }

  /**
   * Returns what the platform rejects in the emitted document, and the losses.
   *
   * @param graph Must not contain records of secrets; `emit()` removes them.
   */
  function checkFormat(name: string, graph: AgentGraph): Checked {
    const format = formatNamed(name);
    if (!format.emitGraph) return { findings: [], losses: [] };
    const { config, losses } = write(format, format.emitGraph, graph, {});
    return { findings: format.checkGraph?.(withoutOriginal(graph), config) ?? [], losses };
  }

  function namesOf(wanted: (format: Format) => boolean): string {
    return formats
      .filter(wanted)
      .map((format) => format.name)
      .join(", ");
  }

  /** Refuses a document that is known not to be an agent in any format. */
  function refuseOther(document: unknown): void {
    const other = otherDocument(document);
    if (!other) return;
    throw new PlatformError(`Cannot import agent: it is ${other.title}`, {
      code: "other-tool",
      hint: other.hint ?? `Pass an agent as ${namesOf((format) => format.importDocument !== undefined)}`,
    });
  }

  function detectFormat(document: unknown): Format<Name> {
    if (unreadTool(document) !== undefined) refuseOther(document);
    let best: Format<Name> | undefined;
    let most = 0;
    for (const format of formats) {
      const certainty = format.detect?.(document) ?? 0;
      if (certainty > most) [best, most] = [format, certainty];
    }
    if (best) return best;
    refuseOther(document);
    throw new PlatformError("Cannot import agent: its keys match no known format", {
      code: "unknown-format",
      hint: `Pass an agent as ${namesOf((format) => format.importDocument !== undefined)}, or name the format`,
    });
  }

  return { formatNamed, importAgent, emit, checkFormat };
}

function write(
  { name, shape, yaml, importDocument }: Format,
  emitGraph: NonNullable<Format["emitGraph"]>,
  graph: AgentGraph,
  options: EmitOptions,
): Emitted<unknown> {
  const write = (alone: AgentGraph, imported?: AgentGraph) => emitGraph(alone, options, imported);
  const written = shape && importDocument ? putBack(graph, { name, shape, read: importDocument, write }) : undefined;
  if (written) return written;
  const plain = write(name === GRAPH_FORMAT ? graph : withoutOriginal(graph));
  const { config } = plain;
  return { ...plain, text: typeof config === "string" ? config : yaml ? yamlText(config) : jsonText(config) };
}

/** Name of the format of the graph's own document. */
const GRAPH_FORMAT = "graph";

function lossOf({ name, path }: LeftReference): Loss {
  return {
    code: "foreign-reference",
    kind: "dropped",
    path,
    message: `The reference {{env:${name}}} was created neither by "import --extract-secrets" nor by env("${name}")`,
    instead: "the reference itself",
    hint: `Allow it with --allow-env ${name} (allowEnv in code) if its value may be sent there`,
  };
}

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
 * @param document Text of JSON, or of YAML for formats that have it, with or without a byte order mark; or a parsed value.
 * @throws {PlatformError} `invalid-json`, `invalid-yaml`, `too-deep`, `too-large`, `unknown-format`, `other-tool`,
 *   `unknown-shape`, `invalid-option`.
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
