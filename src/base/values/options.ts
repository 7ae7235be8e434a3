import { type CallweaveError, type ErrorDetails, type Issue, type Path, throwIssues } from "../errors.ts";
import { isRecord, isTexts, type JsonObject, own } from "./json/mod.ts";
import { shorten } from "./text.ts";

/**
 * Returns the nearest known language tag: the same tag, else the language without a region (`de` for `de-AT`), with its
 * home region (`de-DE` for `de`, `en-US` for `en`) or with any region.
 */
export function nearLanguage(known: readonly string[], tag: string): string | undefined {
  const [base = ""] = tag.toLowerCase().split(/[-_]/);
  const wanted = [tag.toLowerCase(), base, base === "en" ? "en-us" : `${base}-${base}`];
  const found = wanted.map((each) => known.find((candidate) => candidate.toLowerCase() === each));
  return found.find((each) => each !== undefined) ?? known.find((each) => each.startsWith(`${base}-`));
}

/** How one option is checked, and the words for a value that fails. */
export interface OptionRule {
  /** Continues "should be": "a whole number from 1". */
  readonly needs: string;
  readonly accepts: (value: unknown) => boolean;
  /** Rules of a group of options, for values that are objects. */
  readonly group?: OptionRules;
}

/** Rules by option. Every option is optional. */
export type OptionRules = { readonly [name: string]: OptionRule };

/** Maximum delay that timers support; longer ones fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Rules shared by many options. */
export const OPTION = {
  text: rule("a text", (value) => typeof value === "string"),
  list: rule("a list", Array.isArray),
  texts: rule("a list of texts", isTexts),
  object: rule("an object", isRecord),
  switch: rule("true or false", (value) => typeof value === "boolean"),
  function: rule("a function", (value) => typeof value === "function"),
  /** A count of at least one; `Infinity` means no limit. */
  count: rule("a whole number from 1", (value) => value === Number.POSITIVE_INFINITY || isWhole(value, 1)),
  countFromZero: rule("a whole number from 0", (value) => value === Number.POSITIVE_INFINITY || isWhole(value, 0)),
  fromZero: rule("a number from 0", (value) => typeof value === "number" && value >= 0),
  number: rule("a number", (value) => typeof value === "number"),
  milliseconds: rule(
    `a number of milliseconds above 0, at most ${LONGEST_MS}`,
    (value) => typeof value === "number" && value > 0 && value <= LONGEST_MS,
  ),
  signal: rule("an AbortSignal", (value) => value instanceof AbortSignal),
} as const satisfies OptionRules;

/** One of several texts. */
export function oneOf(...choices: readonly string[]): OptionRule {
  return rule(choices.map((choice) => `"${choice}"`).join(" or "), (value) => choices.some((each) => each === value));
}

/** A group of options in an object. */
export function groupOf(group: OptionRules): OptionRule {
  return { needs: `an object with ${Object.keys(group).join(", ")}`, accepts: isRecord, group };
}

/** An object whose values follow one rule. */
export function recordOf(each: OptionRule, what: string): OptionRule {
  return rule(what, (value) => isRecord(value) && Object.values(value).every((one) => each.accepts(one)));
}

export function rule(needs: string, accepts: OptionRule["accepts"]): OptionRule {
  return { needs, accepts };
}

/**
 * Returns issues for options with wrong types and unknown names.
 *
 * @param at Path of the options.
 * @param open Whether other keys are allowed. Then an unknown name is an issue only when it is similar to a known one.
 *   Groups are never open.
 */
export function optionIssues(
  options: unknown,
  rules: OptionRules,
  at: Path = [],
  open: boolean = at.length === 0,
): readonly Issue[] {
  if (options === undefined) return [];
  if (!isRecord(options)) {
    const message = `${at.length > 0 ? `"${at.join(".")}" is` : "the options are"} ${shown(options)}`;
    return [
      { code: "invalid-option", path: at, message, hint: `Pass an object with ${Object.keys(rules).join(", ")}` },
    ];
  }
  const wrong = Object.entries(rules).flatMap(([name, { needs, accepts, group }]): readonly Issue[] => {
    const value = options[name];
    const path = [...at, name];
    if (value === undefined) return [];
    if (accepts(value)) return group && isRecord(value) ? optionIssues(value, group, path, false) : [];
    const message = `"${path.join(".")}" is ${shown(value)}`;
    return [{ code: "invalid-option", path, message, hint: `Pass ${needs}` }];
  });
  return [...wrong, ...unknownNames(options, rules, at, open)];
}

function unknownNames(options: JsonObject, rules: OptionRules, at: Path, open: boolean): Issue[] {
  const known = Object.keys(rules);
  return Object.keys(options).flatMap((name): Issue[] => {
    if (own(rules, name) || options[name] === undefined) return [];
    const path = [...at, name];
    const near = pathIn(rules, name)?.join(".") ?? nearestName(name, known);
    if (near === undefined && open) return [];
    const hint = near === undefined ? `Use one of ${known.join(", ")}` : `Did you mean "${near}"?`;
    return [{ code: "invalid-option", path, message: `the option "${path.join(".")}" is unknown`, hint }];
  });
}

/** Where the groups of options have one of this name. */
function pathIn(rules: OptionRules, name: string): Path | undefined {
  for (const [group, { group: inner = {} }] of Object.entries(rules)) {
    const rest = own(inner, name) ? [name] : pathIn(inner, name);
    if (rest) return [group, ...rest];
  }
  return undefined;
}

/**
 * Throws an error with the issues of {@link optionIssues}, if there are any.
 *
 * @param action Start of the message: "Cannot run scenarios".
 * @param open See {@link optionIssues}. Default: true.
 */
export function checkOptions(
  options: unknown,
  rules: OptionRules,
  ErrorClass: new (message: string, details: ErrorDetails) => CallweaveError,
  action: string,
  { open = true }: { readonly open?: boolean } = {},
): void {
  throwIssues(ErrorClass, action, optionIssues(options, rules, [], open));
}

/** Describes a value in a message: short texts and numbers verbatim, other values by type. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shorten(value, 60));
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol") return "a symbol";
  if (typeof value === "object" && value !== null) return isFlow(value) ? "a flow that is not compiled" : "an object";
  return String(value);
}

/** Hint for a flow that was not compiled. */
export const COMPILE_FIRST = "Compile the flow first: call .compile() on it";

/** Whether a value is a flow that was not compiled. */
export function isFlow(value: unknown): boolean {
  return isRecord(value) && "compile" in value && typeof value.compile === "function";
}

function isWhole(value: unknown, from: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= from;
}

/** Returns the candidate most similar to a mistyped name; `undefined` when none is similar. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (typeof name !== "string") return undefined; // plain JavaScript may pass other types
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    // short names without a common letter are not similar
    if (distance < least && distance < Math.max(name.length, candidate.length)) [best, least] = [candidate, distance];
  }
  return best;
}

/** Returns a hint with the most similar candidate, else another hint. */
export function didYouMean(name: string, candidates: Iterable<string>, otherwise: string): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

/** Returns the Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Minimum length of a key to compare; shorter ones are similar to many words. */
const LONG_ENOUGH = 5;

/**
 * Whether a key of a document is a misspelling of a known one: other casing or plural (`toolMocks`, `include`), or up
 * to two wrong letters (`state_promt`, `rigth`). A leading mark, as in `_type` and `//metrics`, is intentional.
 */
export function isTypoOf(known: string, key: string): boolean {
  if (key === known || !/^[a-z]/i.test(key)) return false;
  if (bareKey(known) === bareKey(key) || isSwapped(known, key)) return true;
  const most = key.length >= LONG_ENOUGH + 2 ? 2 : 1;
  return key.length >= LONG_ENOUGH && editDistance(known.toLowerCase(), key.toLowerCase()) <= most;
}

/**
 * Returns the known key that a key of a document stands for: a misspelt one, or the only one that begins with its words,
 * or that its words begin with (`destination`, `left_side`).
 */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const akin = known.filter((each) => `${each}_`.startsWith(`${key}_`) || `${key}_`.startsWith(`${each}_`));
  const only = akin.length === 1 && key.length >= LONG_ENOUGH && (akin[0] ?? "").length >= LONG_ENOUGH - 1;
  return known.find((each) => isTypoOf(each, key)) ?? (only ? akin[0] : undefined);
}

/** Whether two neighbouring letters are swapped: `rigth`. */
function isSwapped(one: string, other: string): boolean {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  const swapped = one.slice(0, at) + (one[at + 1] ?? "") + (one[at] ?? "") + one.slice(at + 2);
  return at >= 0 && one.length > 2 && swapped === other;
}

function bareKey(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/s$/, "");
}
