import { PlatformError } from "../../src/errors.ts";
import { type AgentGraph, toGraph } from "../../src/graph/mod.ts";
import { type LeftReference, restoreSecrets, withTakenOut } from "../../src/secrets/mod.ts";
import { checkOptions, didYouMean, isTooDeep, MAX_DEPTH, OPTION, shown } from "../../src/values/mod.ts";
import { originalOf, putBack, textOf, withOriginal, withoutOriginal } from "../lens/mod.ts";
import { parseJson } from "../parse_json.ts";
import type {
  AnyFormatName,
  CheckFormat,
  EmitOptions,
  Emitted,
  Finding,
  Format,
  FormatName,
  Loss,
} from "../platform.ts";
import { FORMATS } from "./formats.ts";

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
  return FORMATS.map((format) => ({
    name: format.name,
    title: format.title,
    imports: format.importDocument !== undefined,
    emits: format.emitGraph !== undefined,
    output: format.output,
  }));
}

/**
 * Finds a format among those that are registered.
 *
 * @throws {PlatformError} `unknown-format`.
 */
export function formatNamed(name: string): Format {
  const found = FORMATS.find((format) => format.name === name);
  if (found) return found;
  const names = FORMATS.map((format) => format.name);
  throw new PlatformError(`Cannot use format ${shown(name)}: there is no such format`, {
    code: "unknown-format",
    hint: didYouMean(name, names, `Use one of ${names.join(", ")}`),
  });
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
  const value = typeof document === "string" ? parseJson(document, "Cannot import agent") : document;
  if (isTooDeep(value)) {
    throw new PlatformError(`Cannot import agent: it nests deeper than ${MAX_DEPTH} levels`, {
      code: "too-deep",
      hint: "Flatten the document",
    });
  }
  const format = options.format === undefined ? detectFormat(value) : formatNamed(options.format);
  if (!format.importDocument) {
    throw new PlatformError(`Cannot import ${format.title}: it can only be emitted`, {
      code: "unknown-format",
      hint: `Use one of ${namesOf((candidate) => candidate.importDocument !== undefined)}`,
    });
  }
  const findings: Finding[] = [];
  const graph = format.importDocument(value, (finding) => findings.push(finding));
  if (!format.shape) return { graph, format: format.name, findings };
  const text = typeof document === "string" ? document : textOf(document);
  return { graph: withOriginal(graph, { format: format.name, text }), format: format.name, findings };
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
  const graph = toGraph(source, "Cannot emit graph");
  checkOptions(
    options,
    { env: OPTION.object, allowEnv: OPTION.texts, contract: OPTION.switch },
    PlatformError,
    "Cannot emit graph",
  );
  const found = formatNamed(format);
  if (!found.emitGraph) {
    throw new PlatformError(`Cannot emit ${found.title}: it can only be read`, {
      code: "format-not-emitted",
      hint: `Use one of ${namesOf((candidate) => candidate.emitGraph !== undefined)}`,
    });
  }
  // a graph's own document keeps what it says of its references; a platform has no use for it
  const kept = found.name === GRAPH_FORMAT ? graph : withTakenOut(graph, []);
  // text formats are for people to read: what is secret stays a reference there
  if (!options.env || found.output === "text") return write(found, found.emitGraph, kept, options);
  const original = originalOf(graph);
  const isKept = original?.format === found.name || found.name === GRAPH_FORMAT;
  const restored = restoreSecrets(isKept ? graph : withoutOriginal(graph), options.env, {
    allowed: options.allowEnv ?? [],
  });
  // beside a reference that is not filled in, no value may stand in the original, where nobody looks for it
  const hides = found.name === GRAPH_FORMAT && restored.left.length > 0;
  const whole = original && hides ? withOriginal(restored.graph, original) : restored.graph;
  const { losses, ...written } = write(found, found.emitGraph, whole, options);
  return { ...written, losses: [...restored.left.map(lossOf), ...losses] };
}

/**
 * What a format's platform is known to refuse in what would be emitted, and what is lost on the way.
 *
 * @param graph Without notes of secrets, as {@link emit} hands it to a format.
 */
export function checkFormat(
  name: FormatName,
  graph: AgentGraph,
): { readonly findings: readonly Finding[]; readonly losses: readonly Loss[] } {
  const format = formatNamed(name);
  if (!format.emitGraph) return { findings: [], losses: [] };
  const { config, losses } = write(format, format.emitGraph, graph, {});
  return { findings: format.checkGraph?.(withoutOriginal(graph), config) ?? [], losses };
}

function write(
  { name, shape, importDocument }: Format,
  emitGraph: NonNullable<Format["emitGraph"]>,
  graph: AgentGraph,
  options: EmitOptions,
): Emitted<unknown> {
  const mine = emitGraph(name === GRAPH_FORMAT ? graph : withoutOriginal(graph), options);
  const { config, losses } = mine;
  if (typeof config === "string") return { config, text: config, losses };
  const write = (base: AgentGraph) => emitGraph(base, options);
  const written =
    shape && importDocument ? putBack(graph, mine, { name, shape, read: importDocument, write }) : undefined;
  return written ?? { config, text: textOf(config), losses };
}

/** The format that is the graph's own document. */
const GRAPH_FORMAT = "voicetest";

function lossOf({ name, path }: LeftReference): Loss {
  return {
    code: "foreign-reference",
    kind: "dropped",
    path,
    message: `the reference {{env:${name}}} was neither put there by "import --extract-secrets" nor made by env("${name}")`,
    instead: "the reference itself",
    hint: `Allow it with --allow-env ${name} (allowEnv in code) if its value may be sent there`,
  };
}

function namesOf(wanted: (format: Format) => boolean): string {
  return FORMATS.filter(wanted)
    .map((format) => format.name)
    .join(", ");
}

function detectFormat(document: unknown): Format {
  let best: Format | undefined;
  let most = 0;
  for (const format of FORMATS) {
    const certainty = format.detect?.(document) ?? 0;
    if (certainty > most) [best, most] = [format, certainty];
  }
  if (best) return best;
  throw new PlatformError("Cannot import agent: its keys are those of no known format", {
    code: "unknown-format",
    hint: `Pass an agent as ${namesOf((format) => format.importDocument !== undefined)}, or name the format`,
  });
}
