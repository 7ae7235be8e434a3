import type { Message, Verdict } from "../graph/mod.ts";
import { type CallOptions, callModel, judgeSignature, type Model } from "../models/mod.ts";
import type { Metric } from "../scenario/mod.ts";
import { evidenceText, findEvidence } from "./evidence.ts";

/**
 * Has a model judge a call by all criteria in one model call.
 *
 * Whether a criterion passes is computed from its score: it passes from the threshold on, the threshold included. Quoted
 * evidence is looked for in the lines of the speaker whom it names; one that nobody said does not change the score, but is marked
 * (`evidence_found: false`), and reporters warn of it next to the verdict, also where the criterion passes.
 *
 * @param transcript Lines of tools and of the system are not shown to the judge.
 * @returns One verdict for each criterion, in their order; none, and no model call, for no criteria.
 * @throws {ModelError} `model-output` when the answer does not have exactly one verdict for each criterion.
 */
export async function judgeMetrics(
  metrics: readonly Metric[],
  transcript: readonly Message[],
  options: CallOptions & { readonly model: Model },
): Promise<readonly Verdict[]> {
  if (metrics.length === 0) return [];
  const { model, ...call } = options;
  const input = {
    criteria: metrics.map(({ criterion }, index) => ({ number: index + 1, criterion })),
    transcript: transcript.flatMap(({ role, content }) =>
      role === "user" || role === "assistant" ? [{ role, content }] : [],
    ),
  };
  const { verdicts } = await callModel(model, judgeSignature, input, call);
  return metrics.map(({ criterion, threshold }, index): Verdict => {
    const found = verdicts.find(({ number }) => number === index + 1);
    if (!found) throw new TypeError("the judge signature lets no answer through that leaves a criterion out");
    const { number: _number, evidence: quoted, ...verdict } = found;
    const evidence = evidenceText(quoted);
    return {
      criterion,
      ...verdict,
      evidence,
      ...(evidence.trim() ? { evidence_found: findEvidence(quoted, transcript) !== undefined } : {}),
      threshold,
      passed: verdict.score >= threshold,
    };
  });
}
