import * as v from "valibot";
import { Message } from "./calls.ts";
import { Count, Name, Status, Text } from "./parts.ts";
import { Comparison } from "./runs.ts";

/** Calls of one trial. */
const MOST_CALLS = 20;
const MOST_REPEATS = 50;
const MOST_PROMPTS = 20;

/** Other prompts, by node. */
const prompts = v.pipe(v.record(Name, Text), v.minEntries(1), v.maxEntries(MOST_PROMPTS));

/** Tries other prompts in a scratch copy beside the agent as it is. The source does not change, and nothing is stored. */
export const NewTrial = v.union([
  v.object({
    /** Id of an agent with a source. */
    agent: Name,
    prompts,
    /** Ids of stored calls: their callers' words are said to both. */
    calls: v.pipe(v.array(Name), v.minLength(1), v.maxLength(MOST_CALLS)),
  }),
  v.object({
    agent: Name,
    prompts,
    scenario: Name,
    /** Calls with each version. */
    repeats: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_REPEATS)),
  }),
]);

/** A call with one version of the agent. */
const TrialSide = v.object({
  /** `null`: its scenario expects nothing, or is not in the project any more. */
  verdict: v.nullable(v.picklist(["pass", "fail", "error"])),
  /** What failed, a line each. */
  failures: v.array(v.string()),
  endReason: v.nullable(v.string()),
  transcript: v.array(Message),
});

/** A call with both versions. */
const TriedCall = v.object({
  scenario: v.string(),
  /** Id of the stored call, and its verdict then; `null` for calls of a scenario. */
  call: v.nullable(v.string()),
  was: v.nullable(Status),
  /** With the agent as it is. */
  original: TrialSide,
  /** With the other prompts. */
  edited: TrialSide,
  /** Where the calls take another path, call another tool, extract another value or end first; `null`: nowhere. */
  divergence: v.nullable(
    v.object({
      kind: v.picklist(["path", "variable", "tool", "end"]),
      turn: Count,
      node: v.string(),
      original: v.nullable(v.string()),
      edited: v.nullable(v.string()),
      reason: v.string(),
    }),
  ),
});

export const Trial = v.object({
  id: v.string(),
  agent: v.string(),
  state: v.picklist(["running", "done", "failed"]),
  /** Calls that have ended, of all with both versions. */
  done: Count,
  total: Count,
  error: v.nullable(v.object({ code: v.string(), message: v.string(), hint: v.string() })),
  /** Whether the offline model played the agent. */
  offline: v.boolean(),
  calls: v.array(TriedCall),
  /** The rates of a scenario, as in a comparison of runs; `null` for stored calls. */
  scenario: v.nullable(Comparison.entries.scenarios.item),
});
