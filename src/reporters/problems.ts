import { findEvidence, placeOf } from "../judges/mod.ts";
import type { ResultRecord } from "../store/mod.ts";
import type { Verdict } from "../transcript/mod.ts";

/** One thing that a person has to look at in a result. */
export interface Problem {
  /** What was expected. */
  readonly title: string;
  /** What was found, each with what it is. */
  readonly details: readonly { readonly label: string; readonly text: string }[];
}

/** Why a result is no `pass`, the harness's failure first. */
export function problemsOf(result: ResultRecord): readonly Problem[] {
  const { errorMessage: error, checks, verdicts, status } = result;
  return [
    ...(error === null ? [] : [{ title: "error", details: [{ label: "reason", text: error }] }]),
    ...(status === "cancelled" ? [{ title: "cancelled before the call was over and judged", details: [] }] : []),
    ...checks
      .filter(({ passed }) => !passed)
      .map(({ kind, expected, reason }) => ({
        title: `${kind} ${expected}`,
        details: [{ label: "found", text: reason }],
      })),
    ...verdicts.filter(({ passed }) => !passed).map((verdict) => describeVerdict(verdict, result)),
  ];
}

/** Warnings about a result that are not failures. */
export function warningsOf(result: ResultRecord): readonly Problem[] {
  const warnings = callWarnings(result);
  if (isUnchecked(result))
    return [{ title: "nothing was checked: the scenario expects nothing", details: [] }, ...warnings];
  const unfounded = result.verdicts.filter(({ passed, evidenceFound }) => passed && evidenceFound === false);
  const isQuoted = ({ evidence }: Verdict) => evidence.trim() !== "";
  const unquoted = unfounded.filter((verdict) => !isQuoted(verdict)).map(({ criterion }) => `"${criterion}"`);
  return [
    ...unfounded.filter(isQuoted).map((verdict) => describeVerdict(verdict, result)),
    ...(unquoted.length > 0
      ? [{ title: `the judge quoted no words of the call for ${unquoted.join(", ")}`, details: [] }]
      : []),
    ...warnings,
  ];
}

/** Answers of the agent's model that the call went on without, or with a part of. */
export function callWarnings({ transcript }: Pick<ResultRecord, "transcript">): readonly Problem[] {
  return transcript.flatMap((line): Problem[] => {
    const where = placeOf(transcript, line);
    if (line.metadata.kind === "unusable_answer") {
      const title = `the agent's model gave an unusable answer in ${where}`;
      return [{ title, details: [{ label: "found", text: line.content }] }];
    }
    if (line.role !== "assistant" || line.metadata.cut !== true) return [];
    const details = [
      { label: "found", text: `the reply ends with "…${line.content.slice(-60)}"` },
      { label: "hint", text: CUT_HINT },
    ];
    return [{ title: `a reply was cut off at the model's limit of output tokens in ${where}`, details }];
  });
}

const CUT_HINT =
  "raise the limit of output tokens: maxOutputTokens of the AI SDK, max_tokens of the model's server, num_predict in Ollama";

/** Whether a call passed only because nothing was expected of it. */
function isUnchecked({ status, verdicts, checks }: ResultRecord): boolean {
  return status === "pass" && verdicts.length === 0 && checks.length === 0;
}

/** A verdict in words, with where in the call its evidence stands. */
export function describeVerdict(verdict: Verdict, { transcript }: Pick<ResultRecord, "transcript">): Problem {
  const { criterion, score, threshold, evidence, reasoning } = verdict;
  const places = (findEvidence(evidence, transcript) ?? []).map((line) => placeOf(transcript, line));
  const where =
    verdict.evidenceFound === false ? "NOT FOUND in the transcript: look at the call yourself" : places.join("; ");
  const quoted = evidence.trim() ? `"${evidence}"${where ? ` (${where})` : ""}` : "none";
  return {
    title: `"${criterion}" scores ${formatScore(score)}, needs ${formatScore(threshold)}`,
    details: [
      { label: "evidence", text: quoted },
      { label: "reason", text: reasoning },
    ],
  };
}

/** A score with two digits, or more where fewer would hide that it is below a threshold: `0.6999`. */
export function formatScore(score: number): string {
  const short = score.toFixed(2);
  return Number(short) === score ? short : String(score);
}
