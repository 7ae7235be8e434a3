import * as v from "valibot";
import { CallweaveError, type Issue, throwIssues } from "../../base/errors.ts";
import { isTooDeep, shown } from "../../base/values/mod.ts";
import { RESULT_STATUSES } from "../../run/store/mod.ts";

const texts = v.array(v.string());
const nullableText = v.nullable(v.string());
const object = v.record(v.string(), v.unknown());

const Total = v.looseObject({
  calls: v.number(),
  inputTokens: v.number(),
  outputTokens: v.number(),
  modelMs: v.number(),
  costUsd: v.optional(v.number()),
});
const Usage = v.looseObject({
  ...Total.entries,
  byRole: v.optional(v.looseObject({ agent: Total, caller: Total, judge: Total })),
});

const Message = v.looseObject({
  role: v.picklist(["user", "assistant", "tool", "system"]),
  content: v.string(),
  node_id: v.string(),
  metadata: object,
});

const Check = v.looseObject({ kind: v.string(), expected: v.string(), passed: v.boolean(), reason: v.string() });

const Verdict = v.looseObject({
  criterion: v.string(),
  requirement: v.string(),
  evidence: v.string(),
  evidenceFound: v.optional(v.boolean()),
  languages: v.optional(v.array(v.string())),
  reasoning: v.string(),
  score: v.number(),
  confidence: v.optional(v.number()),
  threshold: v.number(),
  passed: v.boolean(),
});

const ToolCall = v.looseObject({ name: v.string(), arguments: object, outcome: v.string(), mocked: v.boolean() });

const Parts = v.looseObject({ transition: v.number(), extraction: v.number(), tools: v.number(), reply: v.number() });

const Turn = v.looseObject({
  turn: v.number(),
  nodeId: v.string(),
  firstWordMs: v.nullable(v.number()),
  parts: v.optional(Parts),
});

const Latency = v.looseObject({
  turns: v.number(),
  p50Ms: v.number(),
  p95Ms: v.number(),
  worstMs: v.number(),
  parts: v.optional(Parts),
});

const Divergence = v.looseObject({
  kind: v.picklist(["path", "variable", "tool", "end"]),
  turn: v.number(),
  nodeId: v.string(),
  recorded: nullableText,
  replayed: nullableText,
  reason: v.string(),
  graphChanges: v.optional(texts),
});

const Result = v.looseObject({
  scenario: v.string(),
  trial: v.number(),
  attempt: v.optional(v.number()),
  status: v.picklist(RESULT_STATUSES),
  id: v.string(),
  startedAt: v.string(),
  turnCount: v.number(),
  durationMs: v.number(),
  endReason: v.optional(v.string()),
  errorMessage: nullableText,
  transcript: v.array(Message),
  verdicts: v.array(Verdict),
  checks: v.array(Check),
  nodesVisited: texts,
  toolsCalled: v.array(ToolCall),
  variables: object,
  usage: Usage,
  latency: v.optional(v.array(Turn)),
  audio: v.optional(
    v.looseObject({
      messages: v.array(
        v.looseObject({
          written: v.string(),
          heard: v.string(),
          wordErrorRate: v.number(),
          lost: v.array(v.looseObject({ kind: v.string(), written: v.string() })),
          diff: v.optional(v.array(v.looseObject({ kind: v.string(), words: v.string() }))),
        }),
      ),
      wordErrorRate: v.number(),
      verdicts: v.array(Verdict),
      changes: v.optional(v.array(v.looseObject({ kind: v.string() }))),
    }),
  ),
  replay: v.optional(v.looseObject({ ofResult: v.string(), mode: v.string(), divergences: v.array(Divergence) })),
});

const Models = v.looseObject({ agent: v.string(), caller: v.string(), judge: v.string() });

const Counts = v.looseObject({
  pass: v.number(),
  fail: v.number(),
  error: v.number(),
  imported: v.number(),
  cancelled: v.number(),
  invalid: v.optional(v.number()),
});

const ScenarioSummary = v.looseObject({
  scenario: v.string(),
  planned: v.number(),
  counts: Counts,
  trials: v.number(),
  passRate: v.nullable(v.number()),
  interval: v.nullable(v.looseObject({ low: v.number(), high: v.number() })),
  passHat: v.array(v.number()),
  gate: object,
  verdict: v.picklist(["pass", "fail", "undecided"]),
  reason: v.string(),
  variance: v.optional(v.looseObject({ reason: v.string() })),
});

const CallerRate = v.looseObject({
  trials: v.number(),
  passes: v.number(),
  passRate: v.nullable(v.number()),
  invalid: v.number(),
});

const Report = v.looseObject({
  id: v.string(),
  name: v.string(),
  models: Models,
  offline: v.boolean(),
  store: nullableText,
  storeError: nullableText,
  storeWarnings: texts,
  modelNotices: v.optional(texts),
  stored: v.number(),
  spooled: v.number(),
  lost: v.number(),
  spoolFile: nullableText,
  recordingsError: nullableText,
  telemetryError: v.optional(v.string()),
  startedAt: v.string(),
  durationMs: v.number(),
  counts: Counts,
  scenarios: v.array(ScenarioSummary),
  callers: v.optional(
    v.looseObject({
      callers: texts,
      rows: v.array(v.looseObject({ scenario: v.string(), cells: v.array(v.nullable(CallerRate)) })),
      totals: v.array(CallerRate),
    }),
  ),
  passed: v.boolean(),
  stopped: v.optional(v.string()),
  results: v.array(Result),
  usage: Usage,
  latency: v.optional(
    v.looseObject({ ...Latency.entries, nodes: v.array(v.looseObject({ nodeId: v.string(), ...Latency.entries })) }),
  ),
});

/** Schemas of the fields that formatters read. Other fields are ignored. */
const FORMATTER_SHAPES = {
  report: Report,
  result: Result,
  transcript: v.array(Message),
  style: v.looseObject({ color: v.boolean(), width: v.pipe(v.number(), v.finite(), v.minValue(1)) }),
} as const;

/**
 * Validates a formatter's arguments at run time, for callers without type checks.
 *
 * @param action Start of the message, such as "Cannot format report".
 * @throws {CallweaveError} `invalid-option`; the path starts with the argument's name.
 */
export function checkShapes(
  inputs: { readonly [Name in keyof typeof FORMATTER_SHAPES]?: unknown },
  action: string,
): void {
  const issues = Object.entries(FORMATTER_SHAPES).flatMap(([name, schema]): readonly Issue[] => {
    if (!(name in inputs)) return [];
    const value = Reflect.get(inputs, name);
    const hint = `Pass the ${name} that run(), reportOf(), styleFor() or a store returned`;
    if (isTooDeep(value))
      return [{ code: "invalid-option", path: [name], message: `"${name}" is circular or nested too deeply`, hint }];
    return (v.safeParse(schema, value).issues ?? []).map(({ path = [], input, expected }) => {
      const keys = [name, ...path.map(({ key }) => (typeof key === "number" ? key : String(key)))];
      const message = `"${keys.join(".")}" is ${shown(input)}${expected ? ` where ${expected} is needed` : ""}`;
      return { code: "invalid-option", path: keys, message, hint };
    });
  });
  throwIssues(CallweaveError, action, issues);
}
