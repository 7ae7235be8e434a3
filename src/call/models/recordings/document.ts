import * as v from "valibot";
import { SIGNATURE_NAMES } from "../signature.ts";

const Content = v.variant("type", [
  v.object({ type: v.literal("text"), text: v.string() }),
  v.object({ type: v.literal("tool-call"), toolCallId: v.string(), toolName: v.string(), input: v.string() }),
]);

/** The part of a recording that a replay returns. */
export const RecordedAnswer = v.object({
  content: v.array(Content),
  finish_reason: v.picklist(["stop", "length", "content-filter", "tool-calls", "error", "interrupted", "other"]),
});

/** One recording, as stored in files and databases. */
export const RecordingDocument = v.object({
  key: v.string(),
  role: v.picklist(["agent", "caller", "judge"]),
  signature: v.picklist(SIGNATURE_NAMES),
  model: v.string(),
  /** Absent in recordings of older versions. */
  scenario: v.optional(v.string()),
  trial: v.number(),
  occurrence: v.number(),
  slice: v.string(),
  request: v.array(v.string()),
  ...RecordedAnswer.entries,
});

const Time = v.pipe(v.string(), v.isoTimestamp());

/** The start time of a recorded call. */
export const ClockDocument = v.object({ scenario: v.string(), trial: v.number(), started_at: Time });

/** A file of recordings. Version 1 had neither scenarios nor clocks. */
export const RecordingsDocument = v.variant("version", [
  v.pipe(
    v.object({ version: v.literal(1), recordings: v.array(RecordingDocument) }),
    v.transform(({ recordings }) => ({ version: 2 as const, clocks: [], recordings })),
  ),
  v.object({ version: v.literal(2), clocks: v.array(ClockDocument), recordings: v.array(RecordingDocument) }),
]);

/** The start time of a recorded call. */
export type RecordedClock = v.InferOutput<typeof ClockDocument>;
