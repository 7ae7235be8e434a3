import pLimit from "p-limit";
import { CallweaveError, ScenarioError } from "../../base/errors.ts";
import { cohenKappa, type VerdictPair } from "../../base/statistics/mod.ts";
import { checkOptions, isRecord, OPTION, rule, shown, wordsWithHint } from "../../base/values/mod.ts";
import { judgeMetrics } from "../../call/judges/mod.ts";
import { type CallOptions, type ModelReference, modelName, resolveModel } from "../../call/models/mod.ts";
import { DEFAULT_THRESHOLD } from "../../document/scenario/mod.ts";
import type { Calibration, Disagreement, KnownCall, KnownVerdict } from "./types.ts";

/** Options of {@link calibrateJudge}. */
export interface CalibrateOptions {
  readonly judge: ModelReference;
  /** Score needed to pass, above 0 and at most 1. Default: 0.7. */
  readonly threshold?: number;
  /** Number of judges per criterion; the majority decides. Default: 1. */
  readonly panel?: number;
  /** Maximum number of concurrent calls. Default: 8. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_CONCURRENCY = 8;

/** Shape of a call with known verdicts, for messages. */
const KNOWN_CALL = "{ name?, transcript: [{ role, content }], verdicts: [{ criterion, passed }] }";

const RULES = {
  calls: rule(`a list of calls, each ${KNOWN_CALL}`, (value) => Array.isArray(value) && value.every(isKnownCall)),
  options: rule("{ judge, … }", (value) => isRecord(value) && value.judge !== undefined && value.judge !== null),
  threshold: rule("a number above 0 and up to 1", (value) => typeof value === "number" && value > 0 && value <= 1),
  panel: rule("a whole number from 1", (value) => Number.isInteger(value) && OPTION.count.accepts(value)),
  concurrency: OPTION.count,
  signal: OPTION.signal,
};

/** A verdict of the judge with the known verdict. */
type Judged = Disagreement;

/**
 * Judges calls with known verdicts, and measures the agreement: Cohen's kappa, overall and per criterion.
 *
 * @param calls Each criterion is judged in the calls that have a known verdict on it.
 * @throws {ScenarioError} `invalid-option`, also without any known verdict.
 * @throws {ModelError} `unknown-model`, `missing-key-variable`. Calls that cannot be judged are in `errors`.
 */
export async function calibrateJudge(calls: readonly KnownCall[], options: CalibrateOptions): Promise<Calibration> {
  const { threshold = DEFAULT_THRESHOLD, panel = 1, concurrency = DEFAULT_CONCURRENCY, signal } = options ?? {};
  const given = { calls: calls ?? null, options: options ?? null, threshold, panel, concurrency, signal };
  checkOptions(given, RULES, ScenarioError, "Cannot calibrate the judge");
  if (!calls.some(({ verdicts }) => verdicts.length > 0))
    throw new ScenarioError("Cannot calibrate the judge: there is no known verdict", {
      code: "invalid-option",
      path: ["calls"],
      hint: `Pass at least one call, ${KNOWN_CALL}`,
    });
  const model = await resolveModel(options.judge);
  const limit = pLimit(concurrency);
  const requests: CallOptions = signal ? { signal } : {};
  const errors: { call: string; message: string }[] = [];
  const judged = await Promise.all(
    calls.map((call, index) =>
      limit(async (): Promise<readonly Judged[]> => {
        const name = call.name ?? `call ${index + 1}`;
        try {
          signal?.throwIfAborted();
          return await judgeCall(name, call, { threshold, panel, model, requests });
        } catch (error) {
          if (signal?.aborted) throw aborted(error);
          const message = wordsWithHint(error);
          errors.push({ call: name, message });
          return [];
        }
      }),
    ),
  );
  const all = judged.flat();
  const criteria = [...new Set(calls.flatMap(({ verdicts }) => verdicts.map(({ criterion }) => criterion)))];
  const pairs = (verdicts: readonly Judged[]) => verdicts.map((each): VerdictPair => [each.known, each.judged]);
  return {
    judge: modelName(options.judge).replace(/^callweave\//, ""),
    overall: cohenKappa(pairs(all)),
    criteria: criteria.map((criterion) => ({
      criterion,
      ...cohenKappa(pairs(all.filter((each) => each.criterion === criterion))),
    })),
    disagreements: all.filter((each) => each.known !== each.judged),
    errors,
  };
}

async function judgeCall(
  name: string,
  { transcript, verdicts }: KnownCall,
  {
    threshold,
    panel,
    model,
    requests,
  }: {
    readonly threshold: number;
    readonly panel: number;
    readonly model: Awaited<ReturnType<typeof resolveModel>>;
    readonly requests: CallOptions;
  },
): Promise<readonly Judged[]> {
  const metrics = verdicts.map(({ criterion }) => ({ criterion, threshold, panel }));
  const messages = transcript.map(({ role, content }) => ({
    role,
    content,
    node_id: "call",
    timestamp: "",
    metadata: {},
  }));
  const found = await judgeMetrics(metrics, messages, { ...requests, model });
  return verdicts.flatMap(({ criterion, passed: known }, index): readonly Judged[] => {
    const verdict = found[index];
    if (!verdict) return [];
    const { passed: judged, score, reasoning } = verdict;
    return [{ call: name, criterion, known, judged, score, reasoning }];
  });
}

function aborted(cause: unknown): CallweaveError {
  return new CallweaveError("Cannot calibrate the judge: it was aborted", {
    code: "aborted",
    hint: "Calibrate again",
    cause,
  });
}

/** Whether a value is a call with known verdicts. */
function isKnownCall(value: unknown): value is KnownCall {
  if (!isRecord(value) || (value.name !== undefined && typeof value.name !== "string")) return false;
  const { transcript, verdicts } = value;
  return (
    Array.isArray(transcript) && transcript.every(isLine) && Array.isArray(verdicts) && verdicts.every(isKnownVerdict)
  );
}

/**
 * Reads calls with known verdicts from JSON: a list, or one call. Verdicts can be a list, or an object with `true` or
 * `false` by criterion. Lines of tools and of the system are left out, as the judge does not see them.
 *
 * @throws {ScenarioError} `wrong-type`, with the path.
 */
export function parseKnownCalls(value: unknown): readonly KnownCall[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((each, index) => {
    const call = withLists(each);
    if (isKnownCall(call) && call.verdicts.length > 0) return call;
    throw new ScenarioError(`Cannot read known verdicts: entry ${index + 1} is ${shown(each)} of another shape`, {
      code: "wrong-type",
      path: [index],
      hint: `Write each call as ${KNOWN_CALL}`,
    });
  });
}

function withLists(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { transcript, verdicts } = value;
  const spoken = Array.isArray(transcript)
    ? transcript.filter((line: unknown) => !isRecord(line) || (line.role !== "tool" && line.role !== "system"))
    : transcript;
  const listed = isRecord(verdicts)
    ? Object.entries(verdicts).map(([criterion, passed]) => ({ criterion, passed }))
    : verdicts;
  return { ...value, transcript: spoken, verdicts: listed };
}

function isLine(value: unknown): boolean {
  return isRecord(value) && (value.role === "user" || value.role === "assistant") && typeof value.content === "string";
}

function isKnownVerdict(value: unknown): value is KnownVerdict {
  return isRecord(value) && typeof value.criterion === "string" && typeof value.passed === "boolean";
}
