import type { JsonSchema } from "@valibot/to-json-schema";
import { CHECK_KINDS } from "../../src/document/transcript/mod.ts";

const TEXT: JsonSchema = { type: "string" };
const TEXT_OR_NULL: JsonSchema = { type: ["string", "null"] };
const COUNT: JsonSchema = { type: "integer", minimum: 0 };
const SHARE: JsonSchema = { type: "number", minimum: 0, maximum: 1 };
const SHARE_OR_NULL: JsonSchema = { ...SHARE, type: ["number", "null"] };
const TIME: JsonSchema = { type: "string", description: "ISO 8601 in UTC" };
const STATE: JsonSchema = {
  enum: ["worse", "steady", "too-few"],
  description: "worse: fell by more than noise; too-few: too few calls to say",
};
const RATE = {
  passes: COUNT,
  trials: COUNT,
  rate: SHARE_OR_NULL,
  interval: { anyOf: [{ type: "null" }, closed({ low: SHARE, high: SHARE })] },
} satisfies Record<string, JsonSchema>;

/** The JSON Schema of what `callweave watch` posts to a webhook, and prints with `--json`. */
export function watchJsonSchema(): JsonSchema {
  const span = { from: TIME, to: TIME };
  const counts = closed({ added: COUNT, known: COUNT, skipped: COUNT, damaged: COUNT });
  const report = closed(
    {
      version: { const: 1 },
      from: { ...TEXT, description: "The platform" },
      environment: TEXT_OR_NULL,
      at: TIME,
      state: STATE,
      isComplete: { type: "boolean", description: "Whether new calls were read, judged and stored without an error" },
      problems: list(closed({ step: { enum: ["pull", "evaluate", "store"] }, code: TEXT, message: TEXT })),
      pulled: { anyOf: [{ type: "null" }, counts] },
      evaluated: closed({ calls: COUNT, errors: COUNT, unknown: COUNT, unmatched: COUNT, lacking: COUNT }),
      window: closed({ ...span, calls: COUNT }),
      baseline: closed({ ...span, calls: COUNT }),
      minimum: COUNT,
      level: SHARE,
      measures: list({ $ref: "#/definitions/measure" }),
      text: { ...TEXT, description: "The report for people; only in what is posted" },
    },
    ["text"],
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Report of callweave watch",
    description: "What callweave watch posts to a webhook, and prints with --json.",
    ...report,
    definitions: { measure: measure(), rate: closed(RATE), drop: drop() },
  };
}

function measure(): JsonSchema {
  return closed({
    kind: { enum: ["criterion", ...CHECK_KINDS] },
    name: { ...TEXT, description: "The criterion, the policy's name, or the expectation in one line" },
    judge: TEXT_OR_NULL,
    threshold: SHARE_OR_NULL,
    state: STATE,
    baseline: { $ref: "#/definitions/rate" },
    window: { $ref: "#/definitions/rate" },
    spans: list(closed({ from: TIME, to: TIME, ...RATE })),
    p: SHARE_OR_NULL,
    correctedP: SHARE_OR_NULL,
    drop: { anyOf: [{ type: "null" }, { $ref: "#/definitions/drop" }] },
  });
}

function drop(): JsonSchema {
  const call = closed({
    id: { ...TEXT, description: "For callweave calls to-scenario" },
    callId: { ...TEXT_OR_NULL, description: "Id on the platform" },
    startedAt: TEXT,
  });
  return closed({
    since: { ...TEXT_OR_NULL, description: "Start of the first call after the change; null when no moment stands out" },
    before: { $ref: "#/definitions/rate" },
    after: { $ref: "#/definitions/rate" },
    calls: { ...list(call), maxItems: 5 },
  });
}

function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** An object with these keys and no others. */
function closed(properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: "object", properties, required, additionalProperties: false };
}
