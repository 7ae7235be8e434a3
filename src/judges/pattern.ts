import { ScenarioError } from "../errors.ts";

/** A compiled pattern. */
export interface Pattern {
  /** The text in the scenario. */
  readonly source: string;
  readonly kind: "re2" | "glob";
  /** Whether it matches anywhere in a text, in linear time. */
  matches(text: string): boolean;
}

/** Characters with a meaning in RE2 but not in a glob. */
const ONLY_RE2 = /[\\^$+|(){}]/;
/** Matches a `*` or `??` that has nothing to repeat before it, unlike in `.*`, `[a-z]*` and `)*`. */
const ONLY_GLOB = /(?:^|[^.\])}])(?:\*|\?\?)/;

/**
 * Compiles a pattern of a scenario. It may match anywhere in a text. Case matters, unless an RE2 expression starts with
 * `(?i)`.
 *
 * The prefix `re2:` or `glob:` sets the kind. Without a prefix, a pattern is a glob when it starts with `*` or `?`, or
 * when it has a `*` or `??` after a letter, digit or space and none of the characters that only RE2 uses (`\ ^ $ + | (
 * ) { }`); otherwise it is an RE2 expression. `REF-*` and `your * is confirmed` are globs; `REF-[A-Z0-9]+`,
 * `order.*confirmed` and `colou?r` are expressions.
 *
 * In a glob `*` matches any text, `?` any character, and `[abc]`, `[a-z]` and `[!abc]` one character; `\` escapes the
 * next character.
 *
 * @throws {ScenarioError} `invalid-pattern`.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export async function compilePattern(source: string): Promise<Pattern> {
  const { RE2JS } = await import("re2js"); // 300 KB, loaded on first use
  const { kind, body } = kindOf(source);
  try {
    const compiled = RE2JS.compile(kind === "glob" ? globToRe2(body) : body);
    return { source, kind, matches: (text) => compiled.matcher(text).find() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScenarioError(`Cannot read pattern "${source}": ${reason.replace(/^error parsing regexp: /, "")}`, {
      code: "invalid-pattern",
      path: ["patterns"],
      hint: "Fix the RE2 expression (RE2 has no look-around and no back-references), or write glob: before a glob",
      cause: error,
    });
  }
}

function kindOf(source: string): { readonly kind: Pattern["kind"]; readonly body: string } {
  if (source.startsWith("glob:")) return { kind: "glob", body: source.slice(5) };
  if (source.startsWith("re2:")) return { kind: "re2", body: source.slice(4) };
  const glob = /^[*?]/.test(source) || (ONLY_GLOB.test(source) && !ONLY_RE2.test(source));
  return { kind: glob ? "glob" : "re2", body: source };
}

/** Translates a glob to an RE2 expression of literals, `.`, `.*` and character classes. */
function globToRe2(glob: string): string {
  const parts = glob.match(/\\[\s\S]|\*+|\?|\[!?\]?[^\]]*\]|[\s\S]/gu) ?? [];
  const translated = parts.map((part) => {
    if (part.startsWith("*")) return ".*";
    if (part === "?") return ".";
    if (part.length > 2 && part.startsWith("[")) return classToRe2(part);
    return literal(part.length > 1 && part.startsWith("\\") ? part.slice(1) : part);
  });
  return `(?s)${translated.join("")}`;
}

function classToRe2(part: string): string {
  const negated = part.startsWith("[!");
  const members = part.slice(negated ? 2 : 1, -1).replace(/[\\[\]^&]/g, "\\$&");
  return members === "" ? literal(part) : `[${negated ? "^" : ""}${members}]`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
