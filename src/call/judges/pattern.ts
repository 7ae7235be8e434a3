import { ScenarioError } from "../../base/errors.ts";
import { type PatternReading, readPattern } from "../../document/scenario/mod.ts";

/** A compiled pattern. */
export interface Pattern {
  /** The text in the scenario. */
  readonly source: string;
  readonly kind: PatternReading["kind"];
  /** Whether it matches anywhere in a text, in linear time. */
  matches(text: string): boolean;
  /** How to write the pattern so that it matches a text that it does not match: another kind, or without case. */
  spellingFor(text: string): string | undefined;
}

/**
 * Compiles a pattern of a scenario. It may match anywhere in a text. Case matters, unless the pattern starts with `(?i)`.
 *
 * The prefix `re2:` or `glob:` sets the kind. Without a prefix, a pattern is a glob when it starts with `*` or `?`, or
 * when it has a `*` or `??` after a letter, digit or space and none of the characters that only RE2 uses (`\ ^ $ + | (
 * ) { }`); otherwise it is an RE2 expression. `REF-*` and `your * is confirmed` are globs; `REF-[A-Z0-9]+`,
 * `order.*confirmed` and `colou?r` are expressions.
 *
 * `REF-[A-Z]*` and `hel?o` could be either and are expressions; a JSON file reads them as its other patterns.
 *
 * In a glob `*` matches any text, `?` any character, and `[abc]`, `[a-z]` and `[!abc]` one character; `\` escapes the
 * next character.
 *
 * @throws {ScenarioError} `invalid-pattern`.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export async function compilePattern(source: string): Promise<Pattern> {
  const { RE2JS } = await import("re2js"); // 300 KB, loaded on first use
  const { kind, body, isUnsure } = readPattern(source);
  const compile = (as: PatternReading["kind"], text: string) => RE2JS.compile(as === "glob" ? globToRe2(text) : text);
  try {
    const compiled = compile(kind, body);
    return {
      source,
      kind,
      matches: (text) => compiled.matcher(text).find(),
      spellingFor: (text) => {
        const others = [...(isUnsure ? [["glob", body] as const] : []), [kind, `(?i)${body}`] as const];
        const fitting = others.find(([as, other]) => compile(as, other).matcher(text).find());
        return fitting && (fitting[0] === readPattern(fitting[1]).kind ? fitting[1] : fitting.join(":"));
      },
    };
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

/** Translates a glob to an RE2 expression of literals, `.`, `.*` and character classes. */
function globToRe2(glob: string): string {
  const [, flag = "", plain = ""] = /^(\(\?i\))?([\s\S]*)$/.exec(glob) ?? [];
  const parts = plain.match(/\\[\s\S]|\*+|\?|\[!?\]?[^\]]*\]|[\s\S]/gu) ?? [];
  const translated = parts.map((part) => {
    if (part.startsWith("*")) return ".*";
    if (part === "?") return ".";
    if (part.length > 2 && part.startsWith("[")) return classToRe2(part);
    return literal(part.length > 1 && part.startsWith("\\") ? part.slice(1) : part);
  });
  return `${flag}(?s)${translated.join("")}`;
}

function classToRe2(part: string): string {
  const negated = part.startsWith("[!");
  const members = part.slice(negated ? 2 : 1, -1).replace(/[\\[\]^&]/g, "\\$&");
  return members === "" ? literal(part) : `[${negated ? "^" : ""}${members}]`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
