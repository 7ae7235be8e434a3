import type * as Yaml from "yaml";
import { type EditJsonOptions, isRecord, type JsonObject, matchItems, sameJson } from "../values/mod.ts";
import { editWords } from "./edit_words.ts";
import { isMerge, isOwnTag, type ParsedYaml, parseYaml, textOfKey } from "./parse_yaml.ts";
import { printYaml, type YamlStyle, yamlStyle } from "./print_yaml.ts";
import { loadYaml } from "./yaml_rules.ts";

const ACTION = "Cannot write a YAML text";

/**
 * Writes a new value into a YAML text. Unchanged parts keep their comments, quotes, line breaks, anchors and tags; new
 * parts are written in the style of the text around them.
 *
 * @param text Valid YAML, with or without a byte order mark.
 */
export function editYaml(text: string, value: unknown, options: EditJsonOptions = {}): string {
  const parsed = parseYaml(text, ACTION);
  if (sameJson(parsed.value, value)) return text;
  const mark = text.slice(0, text.length - parsed.source.length);
  // changed words first; a text that they would give another meaning is written anew, and last of all the whole value
  for (const edits of [{ byWords: true }, { byWords: false }]) {
    const edited = new Editor(parsed, { ...options, ...edits }).edit(value);
    if (edited !== undefined && means(edited, value)) return mark + edited;
  }
  const style = yamlStyle(parsed);
  return `${mark}${headComments(parsed.source)}${printYaml(value, style)}`;
}

function means(text: string, value: unknown): boolean {
  try {
    return sameJson(parseYaml(text, ACTION).value, value);
  } catch {
    return false;
  }
}

/** Comments and blank lines at the start of a text. */
function headComments(source: string): string {
  return /^(?:[ \t]*(?:#.*)?\r?\n)*/.exec(source)?.[0] ?? "";
}

/** A pair of a map, or an item of a list, in the source. */
interface Part {
  /** Where its key or its dash begins. */
  readonly start: number;
  /** After the line break of its last line. */
  readonly end: number;
  /** After its key or its dash. */
  readonly nameEnd: number;
  readonly value: unknown;
}

/** A part of the new text; `part` is its old place. */
interface NewPart {
  readonly part?: Part;
  readonly text: string;
}

interface Edits extends EditJsonOptions {
  readonly byWords: boolean;
}

class Editor {
  readonly #parsed: ParsedYaml;
  readonly #edits: Edits;
  readonly #style: YamlStyle;
  /** The new values of anchors, in the order of the source. */
  readonly #anchored = new Map<string, unknown>();

  constructor(parsed: ParsedYaml, edits: Edits) {
    this.#parsed = parsed;
    this.#edits = edits;
    this.#style = yamlStyle(parsed);
  }

  /** Returns `undefined` if the text cannot be edited in place. */
  edit(value: unknown): string | undefined {
    const { source, document } = this.#parsed;
    const root: unknown = document.contents;
    const yaml = loadYaml();
    if (!yaml.isNode(root) || !root.range) return undefined;
    const written = this.#write(root, value);
    if (written === undefined) return undefined;
    const [start, end] = this.#span(root);
    return source.slice(0, start) + written + source.slice(end);
  }

  /** The new text of a node at its place; `undefined` if it has to be written anew with its key. */
  #write(node: unknown, after: unknown): string | undefined {
    const yaml = loadYaml();
    if (!yaml.isNode(node) || !node.range) return undefined;
    const before = this.#parsed.read(node);
    const [start, end] = this.#span(node);
    const kept = this.#parsed.source.slice(start, end);
    if (yaml.isAlias(node)) return sameJson(this.#anchored.get(node.source), after) ? kept : undefined;
    if (node.anchor) this.#anchored.set(node.anchor, after);
    if (sameJson(before, after) && !this.#hasChangedAlias(node)) {
      this.#keepAnchors(node);
      return kept;
    }
    if (isOwnTag(node.tag)) return undefined;
    if (yaml.isScalar(node)) return this.#writeScalar(node, kept, after);
    if (!yaml.isCollection(node) || node.items.length === 0) return undefined;
    if (yaml.isMap(node) && isRecord(before) && isRecord(after)) return this.#writeMap(node, after);
    if (yaml.isSeq(node) && Array.isArray(before) && Array.isArray(after)) return this.#writeList(node, before, after);
    return undefined;
  }

  /** Whether the anchor of an alias inside has a new value. */
  #hasChangedAlias(node: Yaml.Node): boolean {
    const yaml = loadYaml();
    let found = false;
    yaml.visit(node, {
      Alias: (_key, alias) => {
        const now = this.#anchored.get(alias.source);
        found ||= now !== undefined && !sameJson(now, this.#parsed.read(alias));
      },
    });
    return found;
  }

  #keepAnchors(node: Yaml.Node): void {
    const yaml = loadYaml();
    yaml.visit(node, (_key, inner) => {
      if (yaml.isNode(inner) && !yaml.isAlias(inner) && inner.anchor)
        this.#anchored.set(inner.anchor, this.#parsed.read(inner));
    });
  }

  #writeScalar({ value, type = "PLAIN" }: Yaml.Scalar, kept: string, after: unknown): string | undefined {
    if (!this.#edits.byWords || typeof value !== "string" || typeof after !== "string") return undefined;
    return editWords(kept, { before: value, after, style: type });
  }

  #writeMap(map: Yaml.YAMLMap, after: JsonObject): string | undefined {
    const parts = this.#parts(map);
    if (!parts) return undefined;
    const own = new Map<string, { readonly part: Part; readonly pair: Yaml.Pair }>();
    for (const [index, pair] of map.items.entries()) {
      const part = parts[index];
      if (part && !isMerge(pair)) own.set(this.#keyOf(pair), { part, pair });
    }
    const merged = this.#merged(map);
    // a merge would bring back a key that was removed
    const merges = Object.keys(merged).every((name) => Object.hasOwn(after, name));
    const isMerged = (name: string) => merges && !own.has(name) && sameJson(merged[name], after[name]);
    const renamed = renamedKeys([...own.keys()], after, (name) => Object.hasOwn(merged, name));
    const result = map.items.flatMap((pair, index): (NewPart & { readonly name?: string })[] => {
      const part = parts[index];
      if (!part) return [];
      if (isMerge(pair)) return merges ? [{ part, text: this.#slice(part) }] : [];
      const old = this.#keyOf(pair);
      const name = renamed.get(old) ?? old;
      if (!Object.hasOwn(after, name) || after[name] === undefined) return [];
      // the last of several pairs with the same key counts
      if (own.get(old)?.pair !== pair) return [{ part, text: this.#slice(part) }];
      const text = this.#writePart(part, pair.value, after[name], map);
      if (name === old || !loadYaml().isNode(pair.key)) return [{ part, name, text }];
      const [start, end] = this.#span(pair.key);
      const key = printYaml({ [name]: 0 }, this.#style).replace(/: 0\s*$/, "");
      return [{ part, name, text: key + text.slice(end - start) }];
    });
    let at = result.findLastIndex(({ name }) => name === undefined) + 1;
    for (const name of Object.keys(after).filter((key) => after[key] !== undefined)) {
      const found = result.findLastIndex((each) => each.name === name);
      if (found >= 0) at = found + 1;
      else if (!(Object.hasOwn(merged, name) && isMerged(name)))
        result.splice(at++, 0, { name, text: this.#print([[name, after[name]]], map) });
    }
    return this.#join(map, parts, result);
  }

  /** What the merges of a map bring, with the new values of their anchors. */
  #merged(map: Yaml.YAMLMap): JsonObject {
    const yaml = loadYaml();
    const parts = map.items.filter(isMerge).flatMap(({ value }) => {
      const nodes: readonly unknown[] = yaml.isSeq(value) ? value.items : [value];
      return nodes
        .map((node) => (yaml.isAlias(node) ? this.#anchored.get(node.source) : this.#parsed.read(node)))
        .filter(isRecord)
        .toReversed();
    });
    return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
  }

  #writeList(list: Yaml.YAMLSeq, before: readonly unknown[], after: readonly unknown[]): string | undefined {
    const parts = this.#parts(list);
    if (!parts) return undefined;
    const { keys = [], kindOf } = this.#edits;
    const pairs = matchItems(before, after, keys, kindOf);
    // an item without a counterpart, at the same place in a list of the same length, is the edited one
    const isEdited = (index: number) => before.length === after.length && !pairs.includes(index);
    const matches = pairs.map((match, index) => match ?? (isEdited(index) ? index : undefined));
    const result = after.map((item, index): NewPart => {
      const match = matches[index];
      const part = match === undefined ? undefined : parts[match];
      if (match === undefined || !part) return { text: this.#print([[undefined, item]], list) };
      return { part, text: this.#writePart(part, list.items[match], item, list) };
    });
    return this.#join(list, parts, result);
  }

  #keyOf({ key }: Yaml.Pair): string {
    return loadYaml().isScalar(key) ? textOfKey(key) : JSON.stringify(this.#parsed.read(key));
  }

  /** The text of a pair or an item, from its key or dash on. */
  #writePart(part: Part, value: unknown, after: unknown, container: Yaml.Node): string {
    const { source } = this.#parsed;
    const written = this.#write(value, after);
    if (written !== undefined && loadYaml().isNode(value)) {
      const [start, end] = this.#span(value);
      return source.slice(part.start, start) + written + source.slice(end, part.end);
    }
    const name = source.slice(part.start, part.nameEnd);
    const printed = this.#printValue(value, after, container);
    const isShort = !/[\r\n]/.test(printed.trimEnd());
    return name + (isShort ? printed.trimEnd() + this.#tail(part, value) : printed);
  }

  /** The comment behind a value, with the line break. */
  #tail(part: Part, value: unknown): string {
    const { source } = this.#parsed;
    const end = loadYaml().isNode(value) ? this.#span(value)[1] : part.nameEnd;
    const rest = source.slice(end, part.end);
    return /^[ \t]*(?:#.*)?\r?\n?$/.test(rest) && rest !== "" ? rest : this.#style.newline;
  }

  /** Prints a value behind a key or a dash, in the style of the one before. */
  #printValue(value: unknown, after: unknown, container: Yaml.Node): string {
    const yaml = loadYaml();
    const scalar = yaml.isScalar(value) ? value.type : undefined;
    const flow = yaml.isCollection(value) && value.flow === true;
    const text = printYaml(yaml.isSeq(container) ? [after] : { k: after }, { ...this.#style, scalar, flow });
    return this.#indented(text.replace(yaml.isSeq(container) ? /^-/ : /^k:/, ""), container);
  }

  #print(entries: readonly (readonly [name: string | undefined, value: unknown])[], container: Yaml.Node): string {
    const values = entries.map(([name, value]) => (name === undefined ? value : ([name, value] as const)));
    const whole = loadYaml().isSeq(container)
      ? values
      : Object.fromEntries(entries.map(([name = "", value]) => [name, value]));
    return this.#indented(printYaml(whole, this.#style), container);
  }

  #indented(text: string, container: Yaml.Node): string {
    const space = " ".repeat(this.#column(this.#span(container)[0]));
    return text.replace(/\n(?=[^\r\n])/g, `\n${space}`);
  }

  /** Puts the parts of a collection together again, each with the comments above it. */
  #join(node: Yaml.Node, parts: readonly Part[], result: readonly NewPart[]): string | undefined {
    if (result.length === 0) return undefined;
    const { source } = this.#parsed;
    const [first] = parts;
    const { newline } = this.#style;
    const space = " ".repeat(this.#column(this.#span(node)[0]));
    const texts = result.map(({ part, text }, index) => {
      const previous = part ? parts[parts.indexOf(part) - 1] : undefined;
      const above = part && previous ? source.slice(previous.end, part.start) : space;
      const whole = /\n$/.test(text) ? text : text + newline;
      if (index > 0) return (part === first ? space : above) + whole;
      return whole;
    });
    const joined = texts.join("");
    const last = parts.at(-1);
    const endsOpen = last !== undefined && !this.#slice(last).endsWith("\n");
    return endsOpen ? joined.replace(/\r?\n$/, "") : joined;
  }

  /** The parts of a collection in block style; `undefined` for other collections. */
  #parts(node: Yaml.YAMLMap | Yaml.YAMLSeq): readonly Part[] | undefined {
    if (node.flow) return undefined;
    const yaml = loadYaml();
    const { source } = this.#parsed;
    const [begin] = this.#span(node);
    const column = this.#column(begin);
    let from = begin;
    const parts: Part[] = [];
    for (const item of node.items) {
      const isPair = yaml.isPair(item);
      const name: unknown = isPair ? item.key : undefined;
      const value: unknown = isPair ? item.value : item;
      if (isPair && !(yaml.isNode(name) && name.range)) return undefined;
      const nameAt = isPair && yaml.isNode(name) ? this.#span(name)[0] : nextDash(source, from);
      if (nameAt === undefined || this.#column(nameAt) !== column) return undefined;
      const colon = isPair && yaml.isNode(name) ? /^[ \t]*:/.exec(source.slice(name.range?.[1])) : undefined;
      if (isPair && !colon) return undefined;
      const nameEnd = isPair && yaml.isNode(name) ? (name.range?.[1] ?? 0) + (colon?.[0].length ?? 0) : nameAt + 1;
      const valueEnd = yaml.isNode(value) && value.range ? this.#span(value)[1] : nameEnd;
      const end = this.#lineEnd(Math.max(valueEnd, nameEnd));
      parts.push({ start: nameAt, nameEnd, end, value });
      from = end;
    }
    return parts;
  }

  /** The place of a node with its anchor and its tag. */
  #span(node: Yaml.Node): readonly [start: number, end: number] {
    const yaml = loadYaml();
    const { source } = this.#parsed;
    const [start, end] = node.range ?? [0, 0, 0];
    if (!yaml.isCollection(node) || node.flow) return [start, end];
    // a block collection ends after the line of its last value
    const last: unknown = node.items.at(-1);
    const inner: unknown = yaml.isPair(last) ? (last.value ?? last.key) : last;
    const innerEnd = yaml.isNode(inner) && inner.range ? this.#span(inner)[1] : end;
    return [start, Math.max(innerEnd, start) > start ? this.#lineEnd(Math.max(innerEnd, start)) : source.length];
  }

  #slice({ start, end }: Part): string {
    return this.#parsed.source.slice(start, end);
  }

  /** The end of the line of a place, after its break; the place itself if it is the start of a line. */
  #lineEnd(at: number): number {
    const { source } = this.#parsed;
    if (source[at - 1] === "\n") return at;
    const end = source.indexOf("\n", at);
    return end < 0 ? source.length : end + 1;
  }

  #column(at: number): number {
    return at - (this.#parsed.source.lastIndexOf("\n", at - 1) + 1);
  }
}

/** New names of keys, if as many keys are new as are gone: the first for the first. */
function renamedKeys(
  before: readonly string[],
  after: JsonObject,
  isMerged: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const names = Object.keys(after).filter((name) => after[name] !== undefined);
  const gone = before.filter((name) => !names.includes(name));
  const added = names.filter((name) => !before.includes(name) && !isMerged(name));
  return new Map(gone.length === added.length ? gone.map((name, index) => [name, added[index] ?? name]) : []);
}

/** The next dash that begins an item, behind comments and white space. */
function nextDash(source: string, from: number): number | undefined {
  const gap = /^(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*/.exec(source.slice(from))?.[0].length ?? 0;
  return source[from + gap] === "-" ? from + gap : undefined;
}
