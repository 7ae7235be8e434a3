import type { Scenario } from "./scenario.ts";

/** How a pattern is read. */
export interface PatternReading {
  readonly kind: "re2" | "glob";
  /** The pattern without its prefix. */
  readonly body: string;
  /** Whether the text could be meant as either kind, and matches other texts as the other one. */
  readonly isUnsure: boolean;
}

/** A pattern that a file does not show to be a glob or an expression. */
export interface UnsurePattern {
  readonly scenario: string;
  readonly pattern: string;
}

/** Characters with a meaning in RE2 but not in a glob. */
const ONLY_RE2 = /[\\^$+|(){}]/;
/** Matches a `*` or `??` that has nothing to repeat before it, unlike in `.*`, `[a-z]*` and `)*`. */
const ONLY_GLOB = /(?:^|[^.\])}])(?:\*|\?\?)/;
/** A repeated `.`, which no glob needs. */
const ANY_TEXT = /\.[*+?]/;
const WILDCARD = /[*?]/;

/** Reads the kind of a pattern from its prefix, else from its text; `compilePattern()` describes the rules. */
export function readPattern(source: string): PatternReading {
  if (source.startsWith("glob:")) return { kind: "glob", body: source.slice(5), isUnsure: false };
  if (source.startsWith("re2:")) return { kind: "re2", body: source.slice(4), isUnsure: false };
  const isGlob = /^[*?]/.test(source) || (ONLY_GLOB.test(source) && !ONLY_RE2.test(source));
  const isUnsure = !isGlob && WILDCARD.test(source) && !ONLY_RE2.test(source) && !ANY_TEXT.test(source);
  return { kind: isGlob ? "glob" : "re2", body: source, isUnsure };
}

/**
 * Reads the patterns of one file in one way: those that could be globs or expressions, such as `REF-[A-Z]*` and
 * `hel?o`, are what the others are. If the others are of both kinds, or there are none, they stay as they are.
 */
export function inOneDialect(scenarios: readonly Scenario[]): {
  readonly scenarios: readonly Scenario[];
  readonly unsure: readonly UnsurePattern[];
} {
  const readings = scenarios.flatMap(({ patterns }) => patterns.map(readPattern));
  if (!readings.some(({ isUnsure }) => isUnsure)) return { scenarios, unsure: [] };
  const kinds = new Set(readings.filter(({ isUnsure, body }) => !isUnsure && isTelling(body)).map(({ kind }) => kind));
  const [kind] = kinds.size === 1 ? kinds : [];
  if (kind === undefined) {
    const unsure = scenarios.flatMap(({ name, patterns }) =>
      patterns.filter((pattern) => readPattern(pattern).isUnsure).map((pattern) => ({ scenario: name, pattern })),
    );
    return { scenarios, unsure };
  }
  const named = (pattern: string) => (readPattern(pattern).isUnsure ? `${kind}:${pattern}` : pattern);
  return { scenarios: scenarios.map((each) => ({ ...each, patterns: each.patterns.map(named) })), unsure: [] };
}

/** Whether a pattern is more than plain words, which are the same text in both kinds. */
function isTelling(body: string): boolean {
  return WILDCARD.test(body) || ONLY_RE2.test(body) || body.includes("[");
}
