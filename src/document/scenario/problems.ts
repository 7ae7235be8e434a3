import type { Issue, Path } from "../../base/errors.ts";
import { isRecord, isTypoOf, type JsonObject, nearestName } from "../../base/values/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES } from "../platforms/mod.ts";
import { isLanguageTag } from "./callers/mod.ts";
import { REPLY_PLACE_KEYS, REPLY_RULE_KINDS, type ReplyRule, replyPatterns } from "./reply_rules.ts";
import { mockInList, mockOf, replyRules, type Scenario, slipInAnswer } from "./scenario.ts";
import { SCENARIO_KEYS } from "./schema.ts";

const TEST_CASES = PLATFORM_NAMES.map((name) => PLATFORM_DATA[name].keys.testCases);

/** Keys of a scenario that are not expectations: those of the platforms' test cases, and notes. */
export const DESCRIPTIVE = new Set([
  ...TEST_CASES.flatMap(({ own }) => own),
  ...["id", "description", "notes", "metadata"],
]);

/** Keys of the objects in a scenario that platforms have for themselves. */
const DESCRIPTIVE_INSIDE = new Set(TEST_CASES.flatMap(({ inside }) => inside));

/** Keys of other tools' test cases, with the equivalent key or a hint. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["threshold", 'Give each criterion its own: { "criterion": "…", "threshold": 0.9 }'],
  ["check", "A check is a function: write the scenario in code"],
  ...["criteria", "criterion", "rubric", "assertions", "evaluations"].map((key) => [key, meant("metrics")] as const),
  ...["expected", "expect", "expected_output", "contains", "must_say"].map((key) => [key, meant("includes")] as const),
  ...["not_contains", "must_not_say"].map((key) => [key, meant("excludes")] as const),
  ...["script", "lines", "messages", "input"].map((key) => [key, meant("says")] as const),
  ...["path", "expected_nodes", "nodes"].map((key) => [key, meant("visits")] as const),
  ...["end_reason", "expected_end"].map((key) => [key, meant("ends")] as const),
  ...["prompt"].map((key) => [key, meant("user_prompt")] as const),
]);

/** A problem without its code. */
type Problem = Pick<Issue, "path" | "message" | "hint">;

/**
 * Finds keys that nothing reads, and blank expectations. Notes belong under `metadata` or a marked key such as `_author`,
 * `//todo` or `x_ticket`.
 */
export function scenarioProblems(item: unknown): readonly Problem[] {
  if (!isRecord(item)) return [];
  const list = (key: string): readonly unknown[] => (Array.isArray(item[key]) ? item[key] : []);
  return [
    ...unknownKeys(item, SCENARIO_KEYS.scenario, []),
    ...callerProblems(item),
    ...list("metrics").flatMap((metric, at) => [
      ...unknownKeys(metric, SCENARIO_KEYS.metric, ["metrics", at]),
      ...(isBlank(metric) || (isRecord(metric) && isBlank(metric.criterion))
        ? [
            {
              path: ["metrics", at],
              message: "the criterion is blank",
              hint: "Write what the judge should check, or remove it",
            },
          ]
        : []),
    ]),
    ...TEXT_LISTS.flatMap((key) => list(key).flatMap((text, at) => blankProblem(text, [key, at]))),
    ...list("calls").flatMap((call, at) => blankProblem(isRecord(call) && call.tool, ["calls", at, "tool"])),
    ...Object.keys(isRecord(item.extracts) ? item.extracts : {}).flatMap((name) =>
      blankProblem(name, ["extracts", name]),
    ),
    ...list("tool_mocks").flatMap((mock, at) => [
      ...unknownKeys(mock, SCENARIO_KEYS.mock, ["tool_mocks", at]),
      ...(isRecord(mock) ? ruleProblems(mock.input_match_rule, ["tool_mocks", at, "input_match_rule"]) : []),
    ]),
    ...list("checks").flatMap((name, at) =>
      list("checks").indexOf(name) === at
        ? []
        : [
            {
              path: ["checks", at],
              message: `check ${JSON.stringify(name)} exists twice`,
              hint: "Give each a different name",
            },
          ],
    ),
    ...list("calls").flatMap((call, at) => unknownKeys(call, SCENARIO_KEYS.call, ["calls", at])),
    ...list("each_reply").flatMap((rule, at) => replyProblems(rule, ["each_reply", at])),
    ...list("offline_path").flatMap((turn, at) => [
      ...unknownKeys(turn, SCENARIO_KEYS.turn, ["offline_path", at]),
      ...(isRecord(turn) && Array.isArray(turn.moves) ? turn.moves : []).flatMap((move: unknown, index) =>
        unknownKeys(move, SCENARIO_KEYS.move, ["offline_path", at, "moves", index]),
      ),
    ]),
  ];
}

/** Finds keys that a rule for each reply does not have, and turns between which there is none. */
function replyProblems(rule: unknown, at: Path): readonly Problem[] {
  if (!isRecord(rule)) return [];
  const { from_turn: from, to_turn: to } = rule;
  const kinds = REPLY_RULE_KINDS.filter((key) => Object.hasOwn(rule, key));
  return [
    ...unknownKeys(rule, [...REPLY_RULE_KINDS, ...REPLY_PLACE_KEYS], at),
    ...(kinds.length > 1
      ? [{ path: at, message: `it has the keys ${kinds.join(" and ")}`, hint: "Write a rule for each of them" }]
      : []),
    ...(typeof from === "number" && typeof to === "number" && from > to
      ? [{ path: [...at, "to_turn"], message: `no turn is from ${from} to ${to}`, hint: "Choose a later turn" }]
      : []),
  ];
}

const TAG_KEYS = ["language", "accent"];

/** Finds a text that has the form of a language's tag and is none. */
function tagProblem(tag: unknown, path: Path): readonly Problem[] {
  if (typeof tag !== "string" || isLanguageTag(tag)) return [];
  return [{ path, message: `"${tag}" is no tag of a language`, hint: 'Write a BCP 47 tag, such as "de" or "pt-BR"' }];
}

/** Finds steps of the caller that would do nothing where they stand. */
function callerProblems(item: JsonObject): readonly Problem[] {
  const { says, speaks, caller, user_prompt: persona } = item;
  if (typeof caller === "string")
    return [
      {
        path: ["caller"],
        message: "it is a text",
        hint: 'Write it as "persona"; traits are an object: { "mood": "angry" }',
      },
    ];
  if (Array.isArray(caller))
    return [{ path: ["caller"], message: "it is a list", hint: 'Write an object: { "mood": "angry" }' }];
  // the schema of objects accepts lists
  if (Array.isArray(speaks))
    return [{ path: ["speaks"], message: "it is a list", hint: 'Write an object: { "rate": 1.2 }' }];
  const tags = isRecord(caller) ? TAG_KEYS.flatMap((key) => tagProblem(caller[key], ["caller", key])) : [];
  if (!Array.isArray(says) || tags.length > 0) return tags;
  const lines: readonly unknown[] = says;
  const is = (at: number, key: string) => {
    const line = lines[at];
    return isRecord(line) && Object.hasOwn(line, key);
  };
  return lines.flatMap((line, at): readonly Problem[] => {
    const problem = (message: string, hint: string) => [{ path: ["says", at], message, hint }];
    if (!isRecord(line)) return [];
    const isNextOver = typeof lines[at + 1] === "string" || is(at + 1, "dtmf") || is(at + 1, "hangs_up");
    if (is(at, "interrupts") && !isNextOver)
      return problem("nothing interrupts the agent", "Put a line, keys or a hang-up behind it");
    if (!is(at, "hangs_up")) return [];
    if (at < lines.length - 1) return problem("nothing is said after a hang-up", "Make it the last step");
    if (typeof persona === "string" && persona.trim() !== "")
      return problem("the persona never speaks after a hang-up", "Remove the persona, or the hang-up");
    const end = line.hangs_up;
    if (Array.isArray(end)) return problem("hangs_up is a list", 'Write { "hangs_up": {} }');
    const isCut = isRecord(end) && end.mid_sentence === true;
    if (isCut && typeof lines[at - 1] !== "string")
      return problem("there is no sentence before it", "Put the line behind which the caller hangs up before it");
    return [];
  });
}

/** Expectations that are lists of texts. A blank one would always hold, or never. */
const TEXT_LISTS = ["includes", "excludes", "patterns", "visits", "avoids", "checks"] as const;
/** A pattern's kind, which is not a part of it. */
const PREFIX = /^(?:re2:|glob:)/;

function blankProblem(value: unknown, path: Path): readonly Problem[] {
  if (typeof value !== "string" || !isBlank(value.replace(path[0] === "patterns" ? PREFIX : "", ""))) return [];
  return [{ path, message: "it is blank", hint: "Write what must hold of the call, or remove it" }];
}

/** Finds keys of a scenario (at the empty path) or of an object in it that nothing reads. */
export function unknownKeys(value: unknown, known: readonly string[], at: Path): Problem[] {
  const isScenario = at.length === 0;
  const readable = isScenario ? [...known, ...Object.keys(KEY_ALIASES)] : known;
  const descriptive = isScenario ? DESCRIPTIVE : DESCRIPTIVE_INSIDE;
  return Object.keys(isRecord(value) ? value : {})
    .filter((key) => !known.includes(key) && !isMarked(key) && !descriptive.has(key))
    .map((key) => {
      const near = readable.find((each) => isTypoOf(each, key)) ?? nearestName(key, readable);
      const other = isScenario ? MEANINGS.get(key) : undefined;
      const open = isScenario ? 'Remove it, or put notes under "metadata"' : `Use one of ${known.join(", ")}`;
      const hint = other ?? (near === undefined ? open : meant(near));
      return { path: [...at, key], message: "this key is unknown and would be ignored", hint };
    });
}

/** Finds arguments that a match rule ignores. */
function ruleProblems(rule: unknown, at: Path): readonly Problem[] {
  const known = isRecord(rule) && rule.type === "partial_match" ? ["type", "args"] : ["type"];
  return unknownKeys(rule, known, at).map((problem) =>
    problem.path.at(-1) === "args"
      ? { ...problem, message: 'a rule of type "any" has no "args"', hint: 'Set "type" to "partial_match"' }
      : problem,
  );
}

/** Whether a key is marked as a note: `_author`, `$type`, `//metrics`, `x_ticket`, but not `__proto__`. */
function isMarked(key: string): boolean {
  if (key === "__proto__") return false;
  return !/^[a-z]/i.test(key) || /^x[-_]/i.test(key);
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

function meant(key: string): string {
  return `Did you mean "${key}"?`;
}

/** Aliases and their keys. */
export const KEY_ALIASES: { readonly [word: string]: string } = {
  persona: "user_prompt",
  variables: "dynamic_variables",
  mock: "tool_mocks",
  judge: "metrics",
  matches: "patterns",
  turns: "max_turns",
};

/** A scenario whose aliases are replaced by keys. */
export interface ReadWords {
  readonly document: unknown;
  /** Converts a path to aliases: `metrics.0` becomes `judge.0`. */
  readonly written: (path: Path) => Path;
  readonly issues: readonly Pick<Issue, "path" | "message" | "hint">[];
}

/** Replaces the aliases of a scenario: `{ "judge": ["…"] }` becomes `{ "metrics": ["…"] }`. */
export function readWords(item: unknown): ReadWords {
  if (!isRecord(item)) return { document: item, written: (path) => path, issues: [] };
  const issues: ReadWords["issues"][number][] = [];
  const document: { [key: string]: unknown } = { ...item };
  const wordOf = new Map<string, string>();
  for (const [word, key] of Object.entries(KEY_ALIASES)) {
    const value = item[word];
    if (!Object.hasOwn(item, word)) continue;
    delete document[word];
    if (value === undefined || value === null) continue;
    if (document[key] !== undefined && document[key] !== null) {
      const hint = `Keep one of "${word}" and "${key}"`;
      issues.push({ path: [word], message: `"${word}" and "${key}" are the same key`, hint });
      continue;
    }
    document[key] = translated(word, value);
    wordOf.set(key, word);
  }
  const tools = wordOf.has("tool_mocks") && isAnswers(item.mock) ? Object.keys(item.mock) : undefined;
  for (const tool of tools ?? []) {
    const slip = slipInAnswer(isAnswers(item.mock) ? item.mock[tool] : undefined);
    if (!slip) continue;
    const message = "this key is unknown";
    issues.push({ path: ["mock", tool, slip.key], message, hint: `Did you mean "${slip.meant}"?` });
  }
  if (Array.isArray(document.tool_mocks)) document.tool_mocks = document.tool_mocks.map(mockInList);
  const written = ([first = "", ...rest]: Path): Path => {
    const word = wordOf.get(String(first));
    if (word === "mock" && tools) return [word, tools[Number(rest[0])] ?? "", ...rest.slice(1)];
    const isAlone = word !== undefined && Array.isArray(document[first]) && !Array.isArray(item[word]);
    return word === undefined ? [first, ...rest] : [word, ...rest.slice(isAlone ? 1 : 0)];
  };
  return { document, written, issues };
}

function translated(word: string, value: unknown): unknown {
  if (word === "mock" && isAnswers(value))
    return Object.entries(value).map(([tool, answer]: [string, unknown]) => mockOf(tool, answer));
  const mayBeAlone = word === "mock" ? isRecord(value) : word === "matches" || word === "judge";
  return mayBeAlone && !Array.isArray(value) ? [value] : value;
}

/** Whether an object maps tools to answers, as opposed to being a single mock. */
function isAnswers(mock: unknown): mock is JsonObject {
  return isRecord(mock) && typeof mock.tool_name !== "string";
}

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
  const readings = scenarios.flatMap((scenario) => patternsOf(scenario).map(readPattern));
  if (!readings.some(({ isUnsure }) => isUnsure)) return { scenarios, unsure: [] };
  const kinds = new Set(readings.filter(({ isUnsure, body }) => !isUnsure && isTelling(body)).map(({ kind }) => kind));
  const [kind] = kinds.size === 1 ? kinds : [];
  if (kind === undefined) {
    const unsure = scenarios.flatMap((scenario) =>
      patternsOf(scenario)
        .filter((pattern) => readPattern(pattern).isUnsure)
        .map((pattern) => ({ scenario: scenario.name, pattern })),
    );
    return { scenarios, unsure };
  }
  const named = (pattern: string) => (readPattern(pattern).isUnsure ? `${kind}:${pattern}` : pattern);
  const namedIn = (each: Scenario): Scenario => ({
    ...each,
    patterns: each.patterns.map(named),
    ...(each.each_reply ? { each_reply: each.each_reply.map((rule) => withPatterns(rule, named)) } : {}),
  });
  return { scenarios: scenarios.map(namedIn), unsure: [] };
}

function patternsOf(scenario: Scenario): readonly string[] {
  return [
    ...scenario.patterns,
    ...replyRules(scenario).flatMap((rule) => replyPatterns(rule).map(({ source }) => source)),
  ];
}

function withPatterns(rule: ReplyRule, named: (pattern: string) => string): ReplyRule {
  const after = typeof rule.after === "string" ? { after: named(rule.after) } : {};
  if ("pattern" in rule) return { ...rule, ...after, pattern: named(rule.pattern) };
  if ("no_pattern" in rule) return { ...rule, ...after, no_pattern: named(rule.no_pattern) };
  return { ...rule, ...after };
}

/** Whether a pattern is more than plain words, which are the same text in both kinds. */
function isTelling(body: string): boolean {
  return WILDCARD.test(body) || ONLY_RE2.test(body) || body.includes("[");
}
