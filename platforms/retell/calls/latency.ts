import { type JsonObject, own, recordAt } from "../../../src/base/values/mod.ts";
import type { TurnLatency } from "../../../src/document/transcript/mod.ts";
import type { TurnAnswer } from "./turns.ts";

/**
 * Returns how long the caller waited in each turn: Retell's end-to-end figures where it has one for each answer, else
 * the silence between the words.
 */
export function retellLatency(answers: readonly TurnAnswer[], latency: JsonObject): readonly TurnLatency[] {
  const replies = answers.filter(({ turn }) => turn > 0);
  const values = own(recordAt(latency, "e2e"), "values");
  const measured = Array.isArray(values) && values.length === replies.length ? values : [];
  return replies.flatMap(({ turn, nodeId, gapMs }, index) => {
    const value: unknown = measured[index] ?? gapMs;
    return typeof value === "number" && Number.isFinite(value) ? [{ turn, nodeId, firstWordMs: value }] : [];
  });
}
