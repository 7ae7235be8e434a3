import { defined } from "../../base/values/mod.ts";
import type { RunMetric } from "../../document/scenario/mod.ts";
import type { Call, JudgeVote, Message, Verdict } from "../../document/transcript/mod.ts";
import {
  type CallOptions,
  callModel,
  claimOf,
  isPlainEnglish,
  judgeSignature,
  type Model,
  type Quotation,
} from "../models/mod.ts";
import { evidenceText, findEvidence, judgedLines } from "./evidence.ts";

/** A finished call, as judges receive it: its variables are texts. */
export type JudgedCall = Pick<
  Call<{ readonly [name: string]: string }>,
  "transcript" | "nodesVisited" | "toolsCalled" | "variables" | "endReason" | "endDetail" | "latency"
>;

/**
 * Judges a call by all criteria in one model call. Criteria with a panel are judged again, each time without the earlier
 * answers, and the majority decides.
 *
 * A criterion passes if its score reaches the threshold. Quoted evidence must appear in a message of the speaker it
 * names. Invented evidence, and missing evidence of something that must have been said or done, does not change the score
 * but sets `evidenceFound: false`, and reporters warn about it.
 *
 * @param transcript `tool` and `system` messages are not shown to the judge, except interruptions and silences.
 * @returns One verdict per criterion, in the same order. Calls no model when there are no criteria.
 * @throws {ModelError} `model-output` when the answer does not have exactly one verdict for each criterion.
 */
export async function judgeMetrics(
  metrics: readonly RunMetric[],
  transcript: readonly Message[],
  options: CallOptions & { readonly model: Model },
): Promise<readonly Verdict[]> {
  const votes: Verdict[][] = metrics.map(() => []);
  for (let judge = 1; judge <= judgesNeeded(metrics); judge += 1) {
    const asked = [...metrics.keys()].filter((index) => judge <= (metrics[index]?.panel ?? 1));
    const verdicts = await judgeOnce(
      asked.flatMap((index) => metrics[index] ?? []),
      transcript,
      options,
    );
    for (const [place, index] of asked.entries()) votes[index]?.push(...verdicts.slice(place, place + 1));
  }
  return votes.map(joinVotes);
}

/** Number of model calls that judge a call by these criteria: the size of the largest panel. */
export function judgesNeeded(metrics: readonly Pick<RunMetric, "panel">[]): number {
  return metrics.reduce((most, { panel }) => Math.max(most, panel ?? 1), 0);
}

async function judgeOnce(
  metrics: readonly RunMetric[],
  transcript: readonly Message[],
  { model, ...call }: CallOptions & { readonly model: Model },
): Promise<readonly Verdict[]> {
  const languages = await languagesOfCall(transcript);
  const input = {
    ...(languages.length === 0 ? {} : { languages: languages.map(englishName) }),
    criteria: metrics.map(({ criterion }, index) => ({ number: index + 1, criterion })),
    transcript: judgedLines(transcript),
  };
  const { verdicts } = await callModel(model, judgeSignature, input, call);
  return metrics.map(({ criterion, threshold }, index): Verdict => {
    const found = verdicts.find(({ number }) => number === index + 1);
    if (!found) throw new TypeError("unreachable: the judge signature rejects answers without a criterion");
    const { evidence: quoted, requirement, reasoning, score, confidence } = found;
    const passed = score >= threshold;
    const claims = found.claims ?? claimOf(criterion);
    return {
      criterion,
      requirement: requirement.trim() === "" ? criterion : requirement,
      claims,
      reasoning,
      score,
      ...defined({ confidence }),
      ...(languages.length === 0 ? {} : { languages }),
      evidence: evidenceText(quoted),
      // what did not happen cannot be quoted
      ...foundIn(transcript, quoted, { isNeeded: (claims === "presence") === passed }),
      threshold,
      passed,
    };
  });
}

/** The languages of a call as tags, the main one first; none for a call in English, which looks for no other. */
async function languagesOfCall(transcript: readonly Message[]): Promise<readonly string[]> {
  const said = transcript.flatMap(({ role, content }) => (role === "user" || role === "assistant" ? [content] : []));
  if (isPlainEnglish({ said, written: [] })) return [];
  const { languagesIn } = await import("../../base/languages/mod.ts");
  const languages = languagesIn(said);
  return languages.length === 1 && languages[0] === "en" ? [] : languages;
}

function englishName(tag: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag;
}

/** Whether the evidence was said. Without evidence, `false` where it is needed, else `undefined`. */
function foundIn(
  transcript: readonly Message[],
  quoted: string | readonly Quotation[],
  { isNeeded }: { readonly isNeeded: boolean },
): Pick<Verdict, "evidenceFound"> {
  if (evidenceText(quoted).trim() !== "") return { evidenceFound: findEvidence(quoted, transcript) !== undefined };
  return isNeeded ? { evidenceFound: false } : {};
}

/**
 * Combines the verdicts of a panel: the criterion passes if more than half of the judges pass it. Score, evidence
 * and reasoning are those of the median judge, so that the score reaches the threshold exactly when the criterion
 * passes.
 *
 * @param verdicts One per judge, on the same criterion; at least one.
 */
export function joinVotes(verdicts: readonly Verdict[]): Verdict {
  const sorted = [...verdicts].sort((a, b) => a.score - b.score);
  const middle = sorted[Math.ceil(sorted.length / 2) - 1];
  if (!middle) throw new TypeError("unreachable: a panel has at least one judge");
  if (verdicts.length === 1) return middle;
  const votes = verdicts.map(
    ({ score, passed, confidence, reasoning }): JudgeVote => ({ score, passed, reasoning, ...defined({ confidence }) }),
  );
  return { ...middle, votes };
}
