import type { AudioResult } from "../../../document/transcript/mod.ts";
import type { ResultRecord } from "../../../run/store/mod.ts";
import type { PageHeard, PageHearing } from "../../web/mod.ts";
import { diffWords, formatChange, formatErrors, hearingsOf, lostOf } from "../audio.ts";

/** The audio section of the page: a row for each scenario. */
export function hearingOf(results: readonly ResultRecord[]): readonly PageHearing[] {
  return hearingsOf(results).map(({ scenario, wordErrorRate, lost, changes }) => ({
    scenario,
    errors: formatErrors(wordErrorRate),
    lost: lost.join(", "),
    changes: changes.join("; "),
  }));
}

/** The audio section of one call: its messages, and what audio changed. */
export function heardOf({ messages, verdicts, changes = [] }: AudioResult): readonly PageHeard[] {
  return [
    ...messages.map((message) => ({
      who: message.role === "user" ? "caller" : "agent",
      written: message.written,
      heard: message.heard,
      errors: [
        formatErrors(message.wordErrorRate),
        diffWords(message),
        ...lostOf(message).map((item) => `lost ${item}`),
      ].join("; "),
    })),
    ...verdicts.map(({ criterion, passed, score, reasoning }) => ({
      who: "judge",
      written: criterion,
      heard: `${passed ? "passed" : "failed"} as heard, ${score.toFixed(2)}`,
      errors: reasoning,
    })),
    ...changes.map((change) => ({
      who: "",
      written: "differs from the scenario in text",
      heard: formatChange(change),
      errors: "",
    })),
  ];
}
