import { ModelError } from "../errors.ts";
import type { Message, Metric, Verdict } from "../graph/mod.ts";
import { type CallOptions, callModel, type JudgeOutput, judgeSignature, type Model } from "../models/mod.ts";
import { findEvidence } from "./evidence.ts";

/**
 * Has a model judge a call by all criteria in one model call.
 *
 * Whether a criterion passes is computed from its score: it passes from the threshold on, the threshold included. Quoted
 * evidence is looked for in the transcript; a quotation that nobody said does not change the score, but is marked
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
  const byNumber = numbered(verdicts, metrics.length);
  return metrics.map(({ criterion, threshold }, index): Verdict => {
    const found = byNumber.get(index + 1);
    if (!found) throw new TypeError("a checked answer has every number");
    const { number: _number, ...verdict } = found;
    return {
      criterion,
      ...verdict,
      ...(verdict.evidence.trim() ? { evidence_found: findEvidence(verdict.evidence, transcript) !== undefined } : {}),
      threshold,
      passed: verdict.score >= threshold,
    };
  });
}

type NumberedVerdict = JudgeOutput["verdicts"][number];

/** The verdicts by number, when each criterion has exactly one. */
function numbered(verdicts: readonly NumberedVerdict[], count: number): ReadonlyMap<number, NumberedVerdict> {
  const byNumber = new Map<number, NumberedVerdict>();
  const problems: string[] = [];
  for (const verdict of verdicts) {
    const { number } = verdict;
    if (!Number.isInteger(number) || number < 1 || number > count) problems.push(`there is no criterion ${number}`);
    else if (byNumber.has(number)) problems.push(`criterion ${number} is judged twice`);
    else byNumber.set(number, verdict);
  }
  for (let number = 1; number <= count; number++) {
    if (!byNumber.has(number)) problems.push(`criterion ${number} is not judged`);
  }
  if (problems.length === 0) return byNumber;
  throw new ModelError(`Cannot use the model's answer to "judge": ${problems.join("; ")}`, {
    code: "model-output",
    path: ["judge", "verdicts"],
    hint: "Use a judge model that answers for every criterion once, by its number",
  });
}
