import * as v from "valibot";
import { type Issue, ScenarioError, throwIssues } from "../errors.ts";
import { END_REASONS, type EndReason } from "./call.ts";
import { isRecord, type JsonObject } from "./json.ts";
import { type ScenarioKeys, slipsIn } from "./scenario_slips.ts";

/** The score from which a criterion passes, unless the criterion says otherwise. */
export const DEFAULT_THRESHOLD = 0.7;

/**
 * A call to be simulated and what must hold of it. The document is the same in the program and in JSON: the test-case
 * list that other tools write, with keys of our own for what those lists cannot say.
 */
export interface Scenario {
  readonly name: string;
  readonly type?: "llm" | "rule";
  /** Who the simulated caller is and what they want. With `says`, it only describes the script. */
  readonly user_prompt: string;
  /** The caller's lines, to the letter; none: a model plays the caller. */
  readonly says: readonly string[];
  readonly dynamic_variables: { readonly [name: string]: unknown };
  readonly tool_mocks: readonly ToolMock[];
  /** Criteria for the judge. */
  readonly metrics: readonly Metric[];
  /** Texts that the agent must say, without regard to case. */
  readonly includes: readonly string[];
  /** Texts that the agent must not say, without regard to case. */
  readonly excludes: readonly string[];
  /** RE2 expressions or globs that something the agent says must match. */
  readonly patterns: readonly string[];
  /** Nodes to be visited, in this order; others may come between. */
  readonly visits: readonly string[];
  /** Nodes never to be visited. */
  readonly avoids: readonly string[];
  readonly ends?: EndReason | null;
  /** Values that variables must have at the end, compared as text. */
  readonly extracts: { readonly [name: string]: unknown };
  /** Tools that must be called, each with at least these arguments. */
  readonly calls: readonly ExpectedToolCall[];
  /** `provider/model` for the agent, where the run lets a scenario choose. */
  readonly llm_model?: string | null;
  /** Caller turns after which the call ends with `max_turns`. */
  readonly max_turns?: number | null;
}

/** One criterion for the judge. */
export interface Metric {
  readonly criterion: string;
  /** 0 to 1; the criterion passes from here. */
  readonly threshold: number;
}

/** The answer of a tool in a simulated call. */
export interface ToolMock {
  readonly tool_name: string;
  readonly input_match_rule: MockRule;
  /** Text, or JSON as text or as a value. */
  readonly output: unknown;
  /** Whether the call succeeds. */
  readonly result: boolean;
  /** Milliseconds that the answer takes. Absent: it is there at once. */
  readonly delay_ms?: number | null;
  /** Calls that it answers before the next mock that fits takes over. Absent: all. */
  readonly times?: number | null;
}

/** Which calls a mock answers. `partial_match`: those whose arguments hold at least these. */
export type MockRule =
  | { readonly type: "any" }
  | { readonly type: "partial_match"; readonly args: { readonly [name: string]: unknown } };

/** A tool call that must happen. */
export interface ExpectedToolCall {
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
}

const texts = v.nullish(v.array(v.string()));
// a list would do for valibot's objects
const values = v.custom<JsonObject>(
  isRecord,
  ({ received }) => `Invalid type: Expected Object but received ${received}`,
);
const record = v.nullish(values);
const score = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const MetricObject = v.looseObject({ criterion: v.string(), threshold: v.nullish(score) });
const MetricDocument = v.lazy((metric) => (typeof metric === "string" ? v.string() : MetricObject));
const CallDocument = v.looseObject({ tool: v.string(), args: record });
const MockDocument = v.looseObject({
  tool_name: v.string(),
  input_match_rule: v.nullish(
    v.variant("type", [
      v.looseObject({ type: v.literal("any") }),
      v.looseObject({ type: v.literal("partial_match"), args: values }),
    ]),
  ),
  output: v.optional(v.unknown()),
  result: v.nullish(v.boolean()),
  delay_ms: v.nullish(v.pipe(v.number(), v.minValue(0))),
  times: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1))),
});
const ScenarioDocument = v.looseObject({
  name: v.pipe(v.string(), v.nonEmpty()),
  user_prompt: v.nullish(v.string()),
  says: texts,
  dynamic_variables: record,
  tool_mocks: v.nullish(v.array(MockDocument)),
  type: v.nullish(v.picklist(["llm", "rule", "simulation", "unit"])),
  metrics: v.nullish(v.array(MetricDocument)),
  includes: texts,
  excludes: texts,
  patterns: texts,
  visits: texts,
  avoids: texts,
  ends: v.nullish(v.picklist(END_REASONS)),
  extracts: record,
  calls: v.nullish(v.array(CallDocument)),
  llm_model: v.nullish(v.string()),
  max_turns: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

const KEYS: ScenarioKeys = {
  scenario: Object.keys(ScenarioDocument.entries),
  metric: Object.keys(MetricObject.entries),
  mock: Object.keys(MockDocument.entries),
  call: Object.keys(CallDocument.entries),
};

/** A scenario as a document has it, before what is absent is filled in; see {@link Scenario} for what the keys mean. */
export interface ScenarioInput {
  readonly name: string;
  /** `simulation` and `unit` are older names of `llm` and `rule`. */
  readonly type?: "llm" | "rule" | "simulation" | "unit" | null;
  readonly user_prompt?: string | null;
  readonly says?: readonly string[] | null;
  readonly dynamic_variables?: { readonly [name: string]: unknown } | null;
  readonly tool_mocks?: readonly ToolMockInput[] | null;
  readonly metrics?: readonly (string | { readonly criterion: string; readonly threshold?: number | null })[] | null;
  readonly includes?: readonly string[] | null;
  readonly excludes?: readonly string[] | null;
  readonly patterns?: readonly string[] | null;
  readonly visits?: readonly string[] | null;
  readonly avoids?: readonly string[] | null;
  readonly ends?: EndReason | null;
  readonly extracts?: { readonly [name: string]: unknown } | null;
  readonly calls?:
    | readonly { readonly tool: string; readonly args?: { readonly [name: string]: unknown } | null }[]
    | null;
  readonly llm_model?: string | null;
  readonly max_turns?: number | null;
}

/** A mock as a document has it. */
export interface ToolMockInput {
  readonly tool_name: string;
  /** Absent: any. */
  readonly input_match_rule?: MockRule | null;
  readonly output?: unknown;
  /** Absent: it succeeds. */
  readonly result?: boolean | null;
  readonly delay_ms?: number | null;
  readonly times?: number | null;
}

/** What is expected where valibot has no word for it. */
const NAMES_OF_CHECKS = new Map([
  ["custom", "Object"],
  ["integer", "a whole number"],
  ["non_empty", "a text that is not empty"],
]);

/**
 * Reads a list of test cases, or one: other tools' JSON (`user_prompt`, `type`, `metrics`, …) and our own.
 *
 * The older types `simulation` and `unit` are read as `llm` and `rule`. The type is a label: whatever a case holds, metrics
 * or texts, must hold of the call.
 *
 * @throws {ScenarioError} `invalid-scenario` or `duplicate-scenario`, with every problem in `issues`.
 */
export function parseScenarios(value: unknown): readonly Scenario[] {
  const issues: Issue[] = [];
  const scenarios = (Array.isArray(value) ? value : [value]).flatMap((item: unknown, index) => {
    issues.push(...slipsIn(item, index, KEYS));
    if (v.is(ScenarioDocument, item)) return [completeScenario(item)];
    const name = isRecord(item) && typeof item.name === "string" ? `"${item.name}"` : `number ${index}`;
    for (const issue of v.safeParse(ScenarioDocument, item).issues ?? []) {
      const path = [index, ...(issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)))];
      const message = `scenario ${name}, ${path.slice(1).join(".") || "itself"}: ${issue.message}`;
      const expected = NAMES_OF_CHECKS.get(issue.type) ?? issue.expected ?? "another value";
      issues.push({ code: "invalid-scenario", path, message, hint: `Expected ${expected}` });
    }
    return [];
  });
  const names = new Set<string>();
  for (const [index, { name }] of scenarios.entries()) {
    if (names.has(name)) {
      const message = `scenario "${name}" is there twice`;
      issues.push({ code: "duplicate-scenario", path: [index, "name"], message, hint: "Give each its own name" });
    }
    names.add(name);
  }
  throwIssues(ScenarioError, "Cannot read scenarios", issues);
  return scenarios;
}

/** Fills in what a scenario leaves out. */
export function completeScenario(input: ScenarioInput): Scenario {
  const { type, ...rest } = input;
  return {
    ...rest,
    ...(type ? { type: type === "rule" || type === "unit" ? "rule" : "llm" } : {}),
    user_prompt: input.user_prompt ?? "",
    says: input.says ?? [],
    dynamic_variables: input.dynamic_variables ?? {},
    tool_mocks: (input.tool_mocks ?? []).map((mock) => ({
      ...mock,
      output: mock.output ?? null,
      input_match_rule: mock.input_match_rule ?? { type: "any" },
      result: mock.result ?? true,
    })),
    metrics: (input.metrics ?? []).map(completeMetric),
    includes: input.includes ?? [],
    excludes: input.excludes ?? [],
    patterns: input.patterns ?? [],
    visits: input.visits ?? [],
    avoids: input.avoids ?? [],
    extracts: input.extracts ?? {},
    calls: (input.calls ?? []).map((call) => ({ ...call, args: call.args ?? {} })),
  };
}

function completeMetric(metric: NonNullable<ScenarioInput["metrics"]>[number]): Metric {
  if (typeof metric === "string") return { criterion: metric, threshold: DEFAULT_THRESHOLD };
  return { ...metric, threshold: metric.threshold ?? DEFAULT_THRESHOLD };
}
