import { type CallOptions, callModel, judgeSignature, type Model, type Quotation } from "../models/mod.ts";
import type { Metric } from "../scenario/mod.ts";
import type { Message, Verdict } from "../transcript/mod.ts";
import { evidenceText, findEvidence } from "./evidence.ts";

/**
 * Judges a call by all criteria in one model call.
 *
 * A criterion passes if its score reaches the threshold. Quoted evidence must appear in a message of the speaker it
 * names. Missing or invented evidence does not change the score but sets `evidenceFound: false`, and reporters warn
 * about it.
 *
 * @param transcript `tool` and `system` messages are not shown to the judge.
 * @returns One verdict per criterion, in the same order. Calls no model when there are no criteria.
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
    if (!found) throw new TypeError("unreachable: the judge signature rejects answers without a criterion");
    const { number: _number, evidence: quoted, ...verdict } = found;
    const passed = verdict.score >= threshold;
    return {
      criterion,
      ...verdict,
      evidence: evidenceText(quoted),
      ...foundIn(transcript, quoted, passed),
      threshold,
      passed,
    };
  });
}

/**
 * Returns whether the evidence was said; `undefined` for a failure without evidence, because something that did not
 * happen cannot be quoted.
 */
function foundIn(
  transcript: readonly Message[],
  quoted: string | readonly Quotation[],
  passed: boolean,
): Pick<Verdict, "evidenceFound"> {
  if (evidenceText(quoted).trim() !== "") return { evidenceFound: findEvidence(quoted, transcript) !== undefined };
  return passed ? { evidenceFound: false } : {};
}
