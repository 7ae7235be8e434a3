import { Names, slug } from "../../../src/base/values/mod.ts";

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global " +
    "if import in is lambda nonlocal not or pass raise return try while with yield match case type print"
  ).split(" "),
);

/** Names of the file's own, which no function or argument may have. */
const OWN = [
  "flow_manager",
  "result",
  "self",
  "str",
  "int",
  "float",
  "bool",
  "list",
  "dict",
  "Any",
  "HANDLERS",
  "STATE",
];

/** Assigns identifiers of Python that are not used yet. */
export class PythonNames {
  readonly #names: Names;

  constructor(taken: Iterable<string> = []) {
    this.#names = new Names([...KEYWORDS, ...OWN, ...taken], { joint: "_" });
  }

  /** A leading underscore or digit would be private or no identifier. */
  take(wanted: string): string {
    const words = slug(wanted).replaceAll("-", "_").replace(/^_+/, "");
    return this.#names.take(/^[a-z]/i.test(words) ? words : `x_${words}`);
  }
}

/** A Python string. JSON's escapes mean the same in Python, except for pairs of surrogates. */
export function pythonText(text: string): string {
  const json = JSON.stringify(text);
  return json
    .replace(/\\u(d[89ab][0-9a-f]{2})/gi, (_all, code: string) => `\\u${code}`)
    .replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A JSON value as a Python expression. */
export function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return pythonText(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value).map(([key, item]) => `${pythonText(key)}: ${pythonValue(item)}`);
    return `{${entries.join(", ")}}`;
  }
  return Number.isFinite(value) ? String(value) : "None";
}

/** A text for a docstring, which no quote or backslash of it ends. */
export function docText(text: string): string {
  return text
    .replace(/\p{Cc}/gu, (each) => ("\t\n".includes(each) ? each : " "))
    .replace(/\p{Cs}/gu, "\ufffd")
    .replaceAll("\\", "\\\\")
    .replaceAll('"""', '\\"\\"\\"')
    .replace(/"$/, '\\"');
}
