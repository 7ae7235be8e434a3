import type * as Yaml from "yaml";
import { isRecord } from "../values/mod.ts";
import type { ParsedYaml } from "./parse_yaml.ts";
import { loadYaml, YAML_OPTIONS } from "./yaml_rules.ts";

/** How a text is written. */
export interface YamlStyle {
  readonly newline: string;
  readonly indent: number;
  /** Whether lists in maps are indented. */
  readonly indentSeq: boolean;
  /** Whether there are spaces inside of braces and brackets. */
  readonly padding: boolean;
  /** Style of the value itself, if it is a text: `QUOTE_DOUBLE`. */
  readonly scalar?: Yaml.Scalar.Type | undefined;
  /** Whether the value itself is in braces or brackets. */
  readonly flow?: boolean;
}

/** The style of new documents. */
export const NEW_STYLE: YamlStyle = { newline: "\n", indent: 2, indentSeq: true, padding: true };

/** Finds the style of a text by its first nested collections. */
export function yamlStyle({ source, document }: ParsedYaml): YamlStyle {
  const yaml = loadYaml();
  const column = (at: number) => at - (source.lastIndexOf("\n", at - 1) + 1);
  let indent: number | undefined;
  let indentSeq: boolean | undefined;
  let padding: boolean | undefined;
  yaml.visit(document, {
    Collection: (_key, { flow, items, range }) => {
      if (flow && items.length > 0 && range) padding ??= source[range[0] + 1] === " ";
    },
    Pair: (_key, pair) => {
      const { key, value } = pair;
      if (!yaml.isNode(key) || !yaml.isCollection(value) || value.flow || !key.range || !value.range) return;
      const more = column(value.range[0]) - column(key.range[0]);
      if (yaml.isSeq(value)) indentSeq ??= more > 0;
      if (more > 0) indent ??= more;
    },
  });
  const newline = /\r\n/.test(source) ? "\r\n" : "\n";
  return {
    newline,
    indent: Math.min(8, indent ?? NEW_STYLE.indent),
    indentSeq: indentSeq ?? NEW_STYLE.indentSeq,
    padding: padding ?? NEW_STYLE.padding,
  };
}

/** Characters that YAML does not allow as they are. Only texts in double quotes may have escapes. */
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{effff}]/gu;

/** Prints a value. Texts of several lines become blocks, and an object with one key such as `!include` becomes a tag. */
export function printYaml(value: unknown, style: YamlStyle = NEW_STYLE): string {
  const yaml = loadYaml();
  const document = new yaml.Document(null, { ...YAML_OPTIONS, aliasDuplicateObjects: false });
  const escapes = new Map<string, string>();
  const isFlow = (size: number, depth: number) => size === 0 || (depth === 1 && style.flow === true);
  const node = (inner: unknown, depth: number): unknown => {
    if (typeof inner === "string") return scalarOf(inner, depth === 1 ? style.scalar : undefined);
    if (Array.isArray(inner)) {
      const list = new yaml.YAMLSeq();
      list.items = inner.map((item) => node(item ?? null, depth + 1));
      if (isFlow(inner.length, depth)) list.flow = true;
      return list;
    }
    if (!isRecord(inner)) return document.createNode(inner ?? null);
    const [[tag, only] = ["", undefined], ...more] = Object.entries(inner);
    if (more.length === 0 && /^![\w-]+$/.test(tag)) {
      const tagged = node(only, depth);
      if (yaml.isNode(tagged)) tagged.tag = tag;
      return tagged;
    }
    const map = new yaml.YAMLMap();
    const pairs = Object.entries(inner).filter(([, item]) => item !== undefined);
    map.items = pairs.map(([key, item]) => new yaml.Pair(scalarOf(key), node(item, depth + 1)));
    if (isFlow(pairs.length, depth)) map.flow = true;
    return map;
  };
  const scalarOf = (text: string, type?: Yaml.Scalar.Type): Yaml.Scalar => {
    const hidden = text.replace(UNPRINTABLE, (character) => {
      const code = character.codePointAt(0) ?? 0;
      // stands for an escape until the text is written
      const stand = String.fromCodePoint(0xf0000 + escapes.size);
      const digits = code.toString(16);
      escapes.set(stand, code > 0xffff ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`);
      return stand;
    });
    const scalar = new yaml.Scalar(hidden);
    if (type && type !== "PLAIN") scalar.type = type;
    // blocks that begin or end with white space are hard to read, and easy to break
    if (hidden !== text || /[\r\t]|^\s*\n|\n\s*\n$|^\s.*\n/.test(text)) scalar.type = "QUOTE_DOUBLE";
    return scalar;
  };
  const contents = node(value, 0);
  if (!yaml.isNode(contents)) return "";
  document.contents = contents;
  const { indent, indentSeq, newline, padding } = style;
  const text = document.toString({
    indent,
    indentSeq,
    lineWidth: 0,
    minContentWidth: 0,
    flowCollectionPadding: padding,
  });
  const shown =
    escapes.size === 0 ? text : text.replace(/[\u{f0000}-\u{fffff}]/gu, (stand) => escapes.get(stand) ?? stand);
  return newline === "\n" ? shown : shown.replaceAll("\n", newline);
}
