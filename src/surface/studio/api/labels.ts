import * as v from "valibot";
import { CallSummary, Label } from "./calls.ts";
import { Count, Name, PageQuery, pageOf, Text, WholeNumber } from "./parts.ts";

export const LabelsQuery = v.object({ ...PageQuery, call: v.optional(Name), by: v.optional(Name) });
export const Labels = pageOf(Label);

/** Labels a call or a turn of it. It replaces the same person's label of the same place. */
export const NewLabel = v.object({
  call: Name,
  turn: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000)))),
  criterion: v.optional(v.nullable(Name)),
  verdict: v.picklist(["good", "bad"]),
  what: v.optional(v.nullable(Text)),
  words: v.optional(v.nullable(Text)),
});

const Agreed = { calls: Count, agreed: Count, kappa: v.nullable(v.number()) };

/** How far people agree with each other and with the judge. Labels of whole calls count, not those of turns. */
export const Agreement = v.object({
  people: v.array(v.object({ one: v.string(), other: v.string(), ...Agreed, disagreements: v.array(v.string()) })),
  /** By criterion; `null` is the verdict of the whole call. */
  judge: v.array(v.object({ criterion: v.nullable(v.string()), ...Agreed, disagreements: v.array(v.string()) })),
});

/** Why a call is worth a look. */
export const QUEUE_REASONS = ["failed", "low-confidence", "judge-and-rule", "new-group", "random"] as const;

export const QueueQuery = v.object({
  limit: v.optional(WholeNumber(1, 200), 50),
  run: v.optional(Name),
  agent: v.optional(Name),
  reason: v.optional(v.picklist(QUEUE_REASONS)),
});
/** Calls that the person who asks has not labelled, those with most reasons first. */
export const Queue = v.object({
  items: v.array(
    v.object({
      call: CallSummary,
      reasons: v.array(v.object({ kind: v.picklist(QUEUE_REASONS), words: v.string() })),
      /** Number of people who have labelled it. */
      labels: Count,
    }),
  ),
});
