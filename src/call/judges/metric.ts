import { defined } from "../../base/values/mod.ts";
import type { RunMetric } from "../../document/scenario/mod.ts";
import type { Message, Verdict } from "../../document/transcript/mod.ts";
import { type CallOptions, callModel, claimOf, judgeSignature, type Model, type Quotation } from "../models/mod.ts";
import { evidenceText, findEvidence } from "./evidence.ts";
import { judgedLines } from "./judged_lines.ts";
import { joinVotes } from "./panel.ts";

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
  const input = {
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
      evidence: evidenceText(quoted),
      // what did not happen cannot be quoted
      ...foundIn(transcript, quoted, { isNeeded: (claims === "presence") === passed }),
      threshold,
      passed,
    };
  });
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
