import * as v from "valibot";
import { Message } from "./calls.ts";
import { Count, Counts, Document, Name, PageQuery, pageOf, Rate, Status } from "./parts.ts";

export const RunSummary = v.object({
  id: v.string(),
  kind: v.picklist(["simulated", "imported", "replay"]),
  agent: v.string(),
  /**
   * `running`: this server has started it, and it is not over. `stopped`: it has ended, and calls of it were cancelled.
   * `unfinished`: it runs elsewhere, or its process was killed.
   */
  state: v.picklist(["running", "finished", "stopped", "unfinished"]),
  startedAt: v.string(),
  finishedAt: v.nullable(v.string()),
  fingerprint: v.string(),
  models: v.object({ agent: v.string(), caller: v.string(), judge: v.string() }),
  counts: Counts,
  passRate: Rate,
  /** Commit and branch of the project when the run started; `null` outside of Git. */
  commit: v.nullable(v.string()),
  branch: v.nullable(v.string()),
  environment: v.nullable(v.string()),
  /** Agent where it runs that was called; `null` for calls with a graph. */
  connection: v.nullable(v.string()),
  tags: v.array(v.string()),
  /** Names of baselines that are this run. */
  baselines: v.array(v.string()),
});

export const RunsQuery = v.object({
  ...PageQuery,
  agent: v.optional(Name),
  kind: v.optional(v.picklist(["simulated", "imported", "replay"])),
  branch: v.optional(Name),
  tag: v.optional(Name),
  environment: v.optional(Name),
  connection: v.optional(Name),
});
export const Runs = pageOf(RunSummary);

export const NewRun = v.object({
  /** Id of an agent with a source. */
  agent: Name,
  /** Names of scenarios; absent: all. */
  scenarios: v.optional(v.pipe(v.array(Name), v.minLength(1), v.maxLength(500))),
  /** Scenarios with one of these tags; absent: all. */
  tags: v.optional(v.pipe(v.array(Name), v.minLength(1), v.maxLength(50))),
  repeats: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))),
  concurrency: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
});
/** A run that was started, resumed or stopped. */
export const StartedRun = v.object({ id: v.string() });

export const RunTrial = v.object({
  call: v.string(),
  trial: v.number(),
  attempt: v.nullable(v.number()),
  status: Status,
  score: v.nullable(v.number()),
  durationMs: v.number(),
});

export const RunScenario = v.object({
  scenario: v.string(),
  /** `undecided`: calls are missing. `imported`: nobody has judged them. */
  verdict: v.picklist(["pass", "fail", "undecided", "imported"]),
  reason: v.string(),
  planned: Count,
  counts: Counts,
  passRate: Rate,
  /** The first calls of the scenario, in order; the list of calls has them all. */
  trials: v.array(RunTrial),
  /** How many calls `trials` leaves out. */
  more: Count,
});

export const Run = v.object({
  ...RunSummary.entries,
  options: Document,
  store: v.string(),
  scenarios: v.array(RunScenario),
  /** Mean scores of the judge's criteria, by scenario. */
  criteria: v.array(
    v.object({ scenario: v.string(), criterion: v.string(), passRate: Rate, meanScore: v.nullable(v.number()) }),
  ),
});

/** Another run: its id, the first characters of it, or the name of a baseline. */
export const CompareQuery = v.object({ with: Name });

const Side = v.looseObject({
  passes: Count,
  trials: Count,
  passRate: v.nullable(v.number()),
  interval: v.nullable(v.looseObject({ low: v.number(), high: v.number() })),
});

/** A comparison of two runs, as the SDK's `RunComparison`. The base is the run that `with` names. */
export const Comparison = v.object({
  base: v.looseObject({ id: v.string(), agent: v.string(), finished: v.boolean(), counts: Counts }),
  head: v.looseObject({ id: v.string(), agent: v.string(), finished: v.boolean(), counts: Counts }),
  summary: v.string(),
  worse: v.array(v.string()),
  better: v.array(v.string()),
  onlyInBase: v.array(v.string()),
  onlyInHead: v.array(v.string()),
  untested: v.array(v.string()),
  scenarios: v.array(
    v.looseObject({
      scenario: v.string(),
      change: v.picklist(["worse", "better", "none"]),
      reason: v.string(),
      base: Side,
      head: Side,
      criteria: v.array(
        v.looseObject({ criterion: v.string(), change: v.picklist(["worse", "better", "none"]), reason: v.string() }),
      ),
    }),
  ),
  /** A call of each run, where they diverge first: for the first 20 scenarios that changed, and for others up to five. */
  pairs: v.array(
    v.object({
      scenario: v.string(),
      base: v.string(),
      head: v.string(),
      /** Index of the first message that differs, and the messages there; `null`: the calls are equal. */
      divergence: v.nullable(v.object({ message: Count, base: v.nullable(Message), head: v.nullable(Message) })),
    }),
  ),
});

export const TrendQuery = v.object({ ...PageQuery, agent: v.optional(Name) });
/** A scenario over runs, newest first. */
export const Trend = pageOf(
  v.object({
    run: v.string(),
    startedAt: v.string(),
    agent: v.string(),
    fingerprint: v.string(),
    commit: v.nullable(v.string()),
    branch: v.nullable(v.string()),
    passRate: Rate,
    meanScore: v.nullable(v.number()),
  }),
);
