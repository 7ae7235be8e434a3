import { findEvidence, messagePlace } from "../../call/judges/mod.ts";
import type { AuditFinding, Divergence, NotChecked, Verdict } from "../../document/transcript/mod.ts";
import type { ResultRecord } from "../../run/store/mod.ts";

/** A problem of a result that a person should look at. */
export interface ResultProblem {
  /** What was expected. */
  readonly title: string;
  /** The findings, each with a label. */
  readonly details: readonly { readonly label: string; readonly text: string }[];
}

/** Returns the reasons why a result did not pass, errors first. */
export function problemsOf(result: ResultRecord): readonly ResultProblem[] {
  const { errorMessage: error, checks, verdicts, status, audit, offlinePath } = result;
  return [
    ...(error === null ? [] : [{ title: "error", details: [{ label: "reason", text: error }] }]),
    ...(status === "cancelled" ? [{ title: "cancelled before the call was finished and judged", details: [] }] : []),
    ...(status === "invalid"
      ? [{ title: "invalid: the simulated caller was unreliable", details: (audit?.findings ?? []).map(foundBy) }]
      : []),
    ...(offlinePath?.followed === false && status !== "pass"
      ? [{ title: "left the path of the scenario", details: [{ label: "reason", text: offlinePath.reason ?? "" }] }]
      : []),
    ...checks
      .filter(({ passed }) => !passed)
      .map(({ kind, expected, reason }) => ({
        title: `${kind} ${expected}`,
        details: [{ label: "found", text: reason }],
      })),
    ...verdicts.filter(({ passed }) => !passed).map((verdict) => describeVerdict(verdict, result)),
    ...divergenceProblems(result),
  ];
}

/** Describes how a replay differs from its recording: differences that may follow from others are one line each. */
export function divergenceProblems({ replay }: Pick<ResultRecord, "replay">): readonly ResultProblem[] {
  const divergences = replay?.divergences ?? [];
  const own = divergences.filter(({ follows }) => !follows).map(describeDivergence);
  const following = divergences.filter(({ follows }) => follows);
  if (following.length === 0) return own;
  const details = following.map(({ turn, reason }) => ({
    label: turn === 0 ? "opening" : `turn ${turn}`,
    text: reason,
  }));
  return [...own, { title: "differences after that, which may follow from it", details }];
}

function describeDivergence(divergence: Divergence): ResultProblem {
  const { turn, nodeId, reason, recorded, replayed, recordedReason, replayedReason, graphChanges = [] } = divergence;
  const where = `${turn === 0 ? "in the opening" : `in turn ${turn}`}${nodeId === "" ? "" : ` at "${nodeId}"`}`;
  const told = (what: string | null, why: string | undefined) =>
    `${what ?? "nothing"}${why === undefined || what?.includes(why) ? "" : `; because: ${why}`}`;
  return {
    title: `diverged from the recording ${where}: ${WHAT_DIVERGED[divergence.kind]}`,
    details: [
      { label: "recorded", text: told(recorded, recordedReason) },
      { label: "replayed", text: told(replayed, replayedReason) },
      ...(recorded === null || replayed === null ? [{ label: "that is", text: reason }] : []),
      ...graphChanges.map((text) => ({ label: "changed", text })),
    ],
  };
}

const WHAT_DIVERGED = { path: "the path", variable: "a variable", tool: "a tool call", end: "the end" } as const;

const AUDIT_LABELS = {
  "invented-fact": "invented",
  "ended-early": "hung up",
  "trait-not-shown": "not shown",
} as const satisfies { readonly [Kind in AuditFinding["kind"]]: string };

function foundBy({ kind, reason }: AuditFinding): ResultProblem["details"][number] {
  return { label: AUDIT_LABELS[kind], text: reason };
}

/** Returns warnings about a result that are not failures. */
export function warningsOf(result: ResultRecord): readonly ResultProblem[] {
  const warnings = [...unseenTraits(result), ...notCheckedWarnings(result), ...callWarnings(result)];
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

/** A warning for a call that showed none of its caller's traits, because it gave no occasion. */
function unseenTraits({ caller }: ResultRecord): readonly ResultProblem[] {
  const unseen = caller?.unseen ?? [];
  const traits = Object.values(caller?.traits ?? {}).filter((value) => value !== null);
  if (unseen.length === 0 || unseen.length < traits.length) return [];
  const text = "the call passes or fails as it would with a caller without traits";
  return [{ title: `no occasion for ${unseen.join(", ")}`, details: [{ label: "so", text }] }];
}

/** Returns a warning for each expectation that the call did not show, and for each step that it approximated. */
export function notCheckedWarnings(
  result: Pick<ResultRecord, "connection" | "notChecked" | "approximations">,
): readonly ResultProblem[] {
  return [
    ...notCheckedIn(result).map(({ kind, expected, reason }) => ({
      title: `not checked: ${kind} ${expected}`,
      details: [{ label: "because", text: reason }],
    })),
    ...(result.approximations ?? []).map(({ step, instead }) => ({
      title: `approximated: the caller ${step}`,
      details: [{ label: "instead", text: instead }],
    })),
  ];
}

/** The expectations that a call did not show. */
export function notCheckedIn({
  connection,
  notChecked = [],
}: Pick<ResultRecord, "connection" | "notChecked">): readonly NotChecked[] {
  return [...(connection?.notChecked ?? []), ...notChecked];
}

/** Returns warnings about unusable or truncated answers of the agent's model. */
export function callWarnings({ transcript }: Pick<ResultRecord, "transcript">): readonly ResultProblem[] {
  return transcript.flatMap((line): ResultProblem[] => {
    const where = messagePlace(transcript, line);
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

/** Whether a call passed only because the scenario expects nothing. */
function isUnchecked({ status, verdicts, checks, replay }: ResultRecord): boolean {
  return status === "pass" && replay === undefined && verdicts.length === 0 && checks.length === 0;
}

/** Describes a failed verdict and where its evidence is in the call. */
export function describeVerdict(verdict: Verdict, { transcript }: Pick<ResultRecord, "transcript">): ResultProblem {
  const { criterion, score, threshold, evidence, reasoning } = verdict;
  const places = (findEvidence(evidence, transcript) ?? []).map((line) => messagePlace(transcript, line));
  const where =
    verdict.evidenceFound === false ? "NOT FOUND in the transcript: check the call yourself" : places.join("; ");
  const quoted = evidence.trim() ? `"${evidence}"${where ? ` (${where})` : ""}` : "none";
  return {
    title: `"${criterion}" scores ${formatScore(score)}, needs ${formatScore(threshold)}${votesOf(verdict)}`,
    details: [
      { label: "evidence", text: quoted },
      { label: "reason", text: reasoning },
    ],
  };
}

/** Says how a panel voted: `; 1 of 3 judges passed it`. */
function votesOf({ votes = [] }: Verdict): string {
  return votes.length === 0
    ? ""
    : `; ${votes.filter(({ passed }) => passed).length} of ${votes.length} judges passed it`;
}

/** Formats a score with two digits, or with more where two would hide that it is below a threshold: `0.6999`. */
function formatScore(score: number): string {
  const short = score.toFixed(2);
  return Number(short) === score ? short : String(score);
}
