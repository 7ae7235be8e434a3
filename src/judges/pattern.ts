import { ScenarioError } from "../errors.ts";

/** A pattern that has been read. */
export interface Pattern {
  /** As the scenario has it. */
  readonly source: string;
  readonly kind: "re2" | "glob";
  /** Whether it matches anywhere in a text, in time linear to the text's length. */
  matches(text: string): boolean;
}

/** Characters that mean something to RE2 and nothing to a glob. */
const ONLY_RE2 = /[\\^$+|(){}]/;
/** A `*` or `??` that nothing repeatable stands before, as it does in `.*`, `[a-z]*` and `)*`. */
const ONLY_GLOB = /(?:^|[^.\])}])(?:\*|\?\?)/;

/**
 * Reads a pattern of a scenario. It is looked for anywhere in a text, and to the letter: case counts (`(?i)` at the
 * start of an RE2 expression switches that off).
 *
 * `re2:` and `glob:` at the start say what it is. Without them it is an RE2 expression, except that it is a glob when it
 * begins with `*` or `?`, where no expression can, or when it has a `*` or `??` after a letter, a digit, a space or the
 * like, and none of the characters that only RE2 knows (`\ ^ $ + | ( ) { }`): `REF-*` and `your * is confirmed` are
 * globs, `REF-[A-Z0-9]+`, `order.*confirmed` and `colou?r` are expressions.
 *
 * In a glob `*` is any text, `?` any character, `[abc]`, `[a-z]` and `[!abc]` one character, and `\` takes the next
 * character to the letter.
 *
 * @throws {ScenarioError} `invalid-pattern`
 * @see https://github.com/google/re2/wiki/Syntax
 */
export async function compilePattern(source: string): Promise<Pattern> {
  const { RE2JS } = await import("re2js"); // 300 KB that most runs do without
  const { kind, body } = kindOf(source);
  try {
    const compiled = RE2JS.compile(kind === "glob" ? globToRe2(body) : body);
    return { source, kind, matches: (text) => compiled.matcher(text).find() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScenarioError(`Cannot read pattern "${source}": ${reason.replace(/^error parsing regexp: /, "")}`, {
      code: "invalid-pattern",
      path: ["patterns"],
      hint: "Mend the RE2 expression (it has no look-around and no back-references), or put glob: before a glob",
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

/** The RE2 expression of a glob, which is built of nothing but literals, `.`, `.*` and character classes. */
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
