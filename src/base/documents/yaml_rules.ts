import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import { madeOnce } from "../values/mod.ts";

/**
 * Loads the package `yaml` when a text is YAML. It takes as long as the rest of the program, and `importAgent()` is
 * synchronous.
 */
export const loadYaml = madeOnce((): typeof Yaml => createRequire(import.meta.url)("yaml"));

/**
 * The plain texts that are no texts, as PyYAML reads them (YAML 1.1): `yes` is a truth value, `1_000` a number, `1e5` and
 * `y` are texts. Programs in Python read these documents.
 */
const PLAIN = {
  null: /^(?:~|null|Null|NULL|)$/,
  true: /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/,
  bool: /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  int: /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
  float:
    /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  // a date is no JSON; it stays the text that is written
  timestamp:
    /^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9]{2})?))?)$/,
  value: /^=$/,
  merge: /^<<$/,
} as const;

const tag = (name: string) => `tag:yaml.org,2002:${name}`;

function scalarTag(name: keyof typeof PLAIN, resolve: (text: string) => unknown, more = {}): Yaml.ScalarTag {
  return { tag: tag(name), default: true, test: PLAIN[name], resolve, ...more };
}

/** The tags of all scalars but texts. */
const TAGS: readonly Yaml.ScalarTag[] = [
  scalarTag("null", () => null, { identify: (value: unknown) => value === null, stringify: () => "null" }),
  scalarTag("bool", (text) => PLAIN.true.test(text), {
    identify: (value: unknown) => typeof value === "boolean",
    stringify: ({ value }: Yaml.Scalar) => String(value),
  }),
  scalarTag("int", readInteger, { identify: () => false }),
  scalarTag("float", readFloat, {
    identify: (value: unknown) => typeof value === "number",
    // PyYAML reads "1e+21" as a text
    stringify: ({ value }: Yaml.Scalar) => String(value).replace(/^(-?\d+)e/, "$1.0e"),
  }),
  scalarTag("timestamp", (text) => text),
  scalarTag("value", (text) => text),
  scalarTag("merge", (text) => text),
];

/** Options of every document that is read or written. */
export const YAML_OPTIONS = {
  version: "1.1",
  schema: "failsafe",
  customTags: [...TAGS],
  compat: "yaml-1.1",
  resolveKnownTags: false,
  // comparing the keys takes quadratic time; the last of several keys counts, as in PyYAML
  uniqueKeys: false,
  // with "silent", further documents are left out without an error
  logLevel: "error",
} satisfies Yaml.ParseOptions & Yaml.DocumentOptions & Yaml.SchemaOptions;

/** Reads base 2, 8, 10, 16 and 60. */
function readInteger(text: string): number {
  const sign = text.startsWith("-") ? -1 : 1;
  const digits = text.replace(/^[-+]/, "").replaceAll("_", "");
  if (digits.includes(":")) return sign * readSixty(digits);
  if (digits.startsWith("0b")) return sign * Number.parseInt(digits.slice(2), 2);
  if (digits.startsWith("0x")) return sign * Number.parseInt(digits.slice(2), 16);
  return sign * Number.parseInt(digits, digits.length > 1 && digits.startsWith("0") ? 8 : 10);
}

/** A number that JSON does not have stays the text that is written. */
function readFloat(text: string): number | string {
  const plain = text.replaceAll("_", "");
  if (/[nf]$/i.test(plain)) return text;
  const sign = plain.startsWith("-") ? -1 : 1;
  return plain.includes(":") ? sign * readSixty(plain.replace(/^[-+]/, "")) : Number.parseFloat(plain);
}

function readSixty(digits: string): number {
  return digits.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
