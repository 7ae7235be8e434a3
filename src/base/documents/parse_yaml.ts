import type * as Yaml from "yaml";
import { PlatformError } from "../errors.ts";
import { isRecord, MAX_DEPTH } from "../values/mod.ts";
import { loadYaml, YAML_OPTIONS } from "./yaml_rules.ts";

/** Largest text in characters. Flows that people write stay under a tenth of it. */
const MOST_CHARACTERS = 1_000_000;
/** Largest number of values, with those that aliases stand for. */
const MOST_VALUES = 500_000;

/** A YAML text with its syntax. */
export interface ParsedYaml {
  /** Without a byte order mark. */
  readonly source: string;
  readonly document: Yaml.Document.Parsed;
  readonly value: unknown;
  /** The value of a node. */
  readonly read: (node: unknown) => unknown;
}

/**
 * Parses a YAML text as PyYAML does. A value with a tag of its own, such as `!include greeting.txt`, becomes an object
 * with the tag as its key: `{ "!include": "greeting.txt" }`. Keys that are no texts become the text that is written.
 *
 * @param action Start of the error message, such as "Cannot import agent".
 * @throws {PlatformError} `invalid-yaml`, `too-deep`, `too-large`.
 */
export function parseYaml(text: string, action: string): ParsedYaml {
  const source = text.replace(/^\uFEFF/, "");
  if (source.length > MOST_CHARACTERS)
    throw new PlatformError(`${action}: the YAML text has more than ${MOST_CHARACTERS} characters`, {
      code: "too-large",
      hint: "Pass the document of one agent",
    });
  try {
    if (looksTooDeep(source)) throw tooDeep(action);
    const document = loadYaml().parseDocument(source, YAML_OPTIONS);
    const [error] = document.errors;
    if (error) throw /call stack/.test(error.message) ? tooDeep(action, error) : syntaxError(action, error);
    const read = createReader(document, action);
    return { source, document, value: read(document.contents), read };
  } catch (error) {
    // the parser calls itself for each level
    if (error instanceof RangeError) throw tooDeep(action, error);
    throw error;
  }
}

/** Whether a text seems to nest so deep that the parser would take minutes. Texts in it may look like nesting, too. */
function looksTooDeep(source: string): boolean {
  let open = 0;
  for (const [bracket] of source.matchAll(/[[\]{}]/g)) {
    open = "[{".includes(bracket) ? open + 1 : Math.max(0, open - 1);
    if (open > 5 * MAX_DEPTH) return true;
  }
  const columns: number[] = [];
  for (const [, spaces = ""] of source.matchAll(/^( *)[^\s#]/gm)) {
    while ((columns.at(-1) ?? -1) >= spaces.length) columns.pop();
    columns.push(spaces.length);
    if (columns.length > 2 * MAX_DEPTH) return true;
  }
  return /^ *(?:[-?] ){201}/m.test(source);
}

function tooDeep(action: string, cause?: unknown): PlatformError {
  return new PlatformError(`${action}: it nests deeper than ${MAX_DEPTH} levels`, {
    code: "too-deep",
    hint: "Flatten the document",
    cause,
  });
}

function syntaxError(action: string, error: Yaml.YAMLParseError): PlatformError {
  const [message = ""] = error.message.split("\n");
  const [place] = error.linePos ?? [];
  const state =
    error.code === "MULTIPLE_DOCS"
      ? "Remove the documents after the first"
      : message.replace(/(?: at line \d+, column \d+)?:?$/, "");
  return new PlatformError(
    `${action}: the text is not YAML${place ? `, line ${place.line}, column ${place.col}` : ""}`,
    {
      code: "invalid-yaml",
      hint: state === "" ? "Check that the file is complete" : state,
      cause: error,
    },
  );
}

/** Converts syntax to values. Counts them, because an alias stands for a copy. */
function createReader(document: Yaml.Document.Parsed, action: string): (node: unknown) => unknown {
  const yaml = loadYaml();
  const targets = aliasTargets(document);
  const open = new Set<unknown>();
  let count = 0;
  const wrong = (state: string, hint: string, code: "invalid-yaml" | "too-large" = "invalid-yaml") =>
    new PlatformError(`${action}: ${state}`, { code, hint });

  const read = (node: unknown): unknown => {
    if (++count > MOST_VALUES) throw wrong(`it has more than ${MOST_VALUES} values`, "Use fewer aliases", "too-large");
    if (yaml.isAlias(node)) {
      const target = targets.get(node);
      if (!target) throw wrong(`the alias "${node.source}" has no anchor`, `Add &${node.source} to a value before it`);
      return read(target);
    }
    if (yaml.isScalar(node)) return tagged(node, node.value);
    if (!yaml.isCollection(node)) return null;
    if (open.has(node)) throw wrong("an anchor contains an alias of itself", "Remove the alias");
    open.add(node);
    try {
      return tagged(node, yaml.isMap(node) ? readMap(node) : node.items.map(read));
    } finally {
      open.delete(node);
    }
  };

  const readMap = (map: Yaml.YAMLMap): unknown => {
    const merged = map.items.filter(isMerge).flatMap(({ value }) => {
      const parts = [read(value)].flat();
      if (!parts.every(isRecord))
        throw wrong('"<<" is followed by a value that is no map', "Name a map, or a list of maps");
      return parts.toReversed();
    });
    const own = map.items.filter((pair) => !isMerge(pair)).map(({ key, value }) => [keyText(key), read(value)]);
    return Object.fromEntries([...merged.flatMap((part) => Object.entries(part)), ...own]);
  };

  const keyText = (key: unknown): string => {
    const target = yaml.isAlias(key) ? targets.get(key) : key;
    if (yaml.isScalar(target)) return textOfKey(target);
    throw wrong("a key is no text", "Write a text as the key");
  };

  return (node) => read(node);
}

/** The node of each alias: the last one before it with its anchor. */
function aliasTargets(document: Yaml.Document.Parsed): ReadonlyMap<Yaml.Alias, Yaml.Node> {
  const { visit, isAlias, isNode } = loadYaml();
  const anchors = new Map<string, Yaml.Node>();
  const targets = new Map<Yaml.Alias, Yaml.Node>();
  visit(document, (_key, node) => {
    if (!isNode(node)) return;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target) targets.set(node, target);
    } else if (node.anchor) anchors.set(node.anchor, node);
  });
  return targets;
}

/** The text of a key: of `1` and `true` what is written. */
export function textOfKey({ value, source }: Yaml.Scalar): string {
  return typeof value === "string" ? value : (source ?? String(value));
}

/** Whether a pair merges another map into its own: `<<: *base`. */
export function isMerge({ key }: Yaml.Pair): boolean {
  return loadYaml().isScalar(key) && key.type === "PLAIN" && key.value === "<<";
}

/** Whether a tag is the document's own, and not one of YAML's types. */
export const isOwnTag = (tag: string | undefined): tag is string => tag?.startsWith("!") === true && tag !== "!";

function tagged(node: Yaml.Node, value: unknown): unknown {
  const { tag } = node;
  return isOwnTag(tag) ? Object.fromEntries([[tag, value]]) : value;
}
