import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../surface/cli/_process.ts";

/** A block of code in a Markdown file. */
export interface Snippet {
  readonly language: string;
  readonly text: string;
  /** Its file, from `// name.ts` in its first line or `<!-- file: name -->` above it. */
  readonly file: string | undefined;
  /** `<!-- in: name -->` above it: it is a part of that file. */
  readonly partOf: string | undefined;
}

/** The blocks of a Markdown file, in order. */
export function snippetsOf(path: string): readonly Snippet[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const blocks = text.matchAll(/(?:<!-- (file|in): (\S+) -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, kind, name, language = "", code = ""]) => ({
    language,
    text: code,
    file: kind === "file" ? name : /^\/\/ (\S+\.ts)\n/.exec(code)?.[1],
    partOf: kind === "in" ? name : undefined,
  }));
}

/** The commands of shell blocks, line by line, without comments. */
export function commandsOf(snippets: readonly Snippet[]): readonly string[] {
  return snippets
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** Whether a JSON value has at least what another one has, wherever in it. */
export function holds(value: unknown, part: unknown): boolean {
  if (matches(value, part)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some((item) => holds(item, part));
}

function matches(value: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return value === part;
  if (typeof value !== "object" || value === null || Array.isArray(part) !== Array.isArray(value)) return false;
  if (Array.isArray(part) && Array.isArray(value) && part.length !== value.length) return false;
  const given = new Map<string, unknown>(Object.entries(value));
  return Object.entries(part).every(([key, item]) => given.has(key) && matches(given.get(key), item));
}
