import type { LanguageModelMiddleware } from "ai";
import { ModelError } from "../../../base/errors.ts";
import { redact } from "../../../base/redaction/mod.ts";
import { checkOptions, OPTION, rule, sameJson } from "../../../base/values/mod.ts";
import { RECORDING_SETTINGS, ruleOf } from "../../../document/settings/mod.ts";
import type { CallShape, RequestOptions } from "../call_options.ts";
import { modelName } from "../model.ts";
import {
  type CallIdentity,
  describeNearest,
  type RecordedCallName,
  type Role,
  recordedContent,
  recordingKey,
  redacted,
  redactedRequest,
  requestLines,
  sha256Of,
} from "./recording.ts";
import {
  type CheckedStore,
  checkedStore,
  type FoundAnswer,
  isRecordingStore,
  type RecordingMode,
  type RecordingStore,
} from "./store.ts";

/** Recordings of the model calls of a run. */
export interface Recordings {
  readonly mode: RecordingMode;
  /**
   * Creates the middleware for the model calls of one role in one call.
   *
   * @param options `scenario`: its name. Equal openings of two scenarios are recorded separately.
   */
  readonly around: (
    role: Role,
    trial: number,
    options?: { readonly scenario?: string },
  ) => NonNullable<RequestOptions["around"]>;
  /**
   * Checks before the first call of a run that recordings can be read and written.
   *
   * @throws {ModelError} `recording-unreadable`, `recording-unwritable`.
   */
  readonly prepare: () => Promise<void>;
  /**
   * Returns the start time of a call. A replayed call starts at the recorded time, so that prompts with the time are
   * equal.
   */
  readonly startOf: (call: RecordedCallName, now: Date) => Promise<Date>;
  /**
   * Writes pending recordings.
   *
   * @throws The store's error, also for recordings that it rejected earlier.
   */
  readonly flush: () => Promise<void>;
}

const RECORDINGS = {
  store: rule("a store from fileRecordings() or openRecordings()", isRecordingStore),
  mode: ruleOf(RECORDING_SETTINGS.mode),
  storeTimeoutMs: OPTION.milliseconds,
};

/** Longer than a file waits for other processes that write to it. */
const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * Records and replays model calls, identified by their content and not by their time.
 *
 * @param settings `storeTimeoutMs`: time limit of each store method. Default: 120,000.
 * @throws {ModelError} `invalid-option`.
 */
export function createRecordings(
  store: RecordingStore,
  mode: RecordingMode,
  settings: { readonly storeTimeoutMs?: number } = {},
): Recordings {
  const { storeTimeoutMs = DEFAULT_TIMEOUT_MS } = settings ?? {};
  const options = { ...settings, store: store ?? null, mode: mode ?? null };
  checkOptions(options, RECORDINGS, ModelError, "Cannot use recordings");
  const checked = checkedStore(store, storeTimeoutMs);
  const failures: unknown[] = [];
  return {
    mode,
    around: (role, trial, { scenario } = {}) => {
      const counted = new Map<string, number>();
      const call = { role, trial, scenario: scenario && redact(scenario), counted };
      return (shape) =>
        mode === "off" ? [] : [recordingMiddleware({ store: checked, mode, failures, ...call, call: shape })];
    },
    prepare: async () => {
      if (mode !== "off") await checked.prepare(mode);
    },
    startOf: async ({ scenario, trial }, now) => {
      if (mode === "off") return now;
      const call = { scenario: redact(scenario), trial };
      const recorded = mode === "record" ? undefined : await checked.findClock(call);
      if (recorded) return recorded;
      try {
        if (mode !== "replay") await checked.addClock(call, now.toISOString());
      } catch (error) {
        failures.push(error);
      }
      return now;
    },
    flush: async () => {
      await checked.flush();
      if (failures.length > 0) throw failures[0];
    },
  };
}

interface Taken {
  readonly store: CheckedStore;
  readonly mode: RecordingMode;
  readonly role: Role;
  readonly trial: number;
  readonly scenario: string | undefined;
  readonly call: CallShape;
  /** Errors of recordings that the store rejected. The call continues, because its answer is there and paid for. */
  readonly failures: unknown[];
  /** Number of times that each request was made in this call. */
  readonly counted: Map<string, number>;
}

function recordingMiddleware(taken: Taken): LanguageModelMiddleware {
  const { store, mode, role, trial, scenario, call, failures, counted } = taken;
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate, params, model }) => {
      // an aborted speculative reply does not count: it is not requested when the decision is replayed
      params.abortSignal?.throwIfAborted();
      const request = redactedRequest(requestLines(params));
      const first: CallIdentity = {
        role,
        signature: call.signature,
        model: modelName(model),
        ...(scenario ? { scenario } : {}),
        trial,
        occurrence: 0,
        slice: sha256Of(call.slice).slice(0, 16),
      };
      const firstKey = recordingKey(first, request);
      const occurrence = counted.get(firstKey) ?? 0;
      counted.set(firstKey, occurrence + 1);
      const uncount = () => counted.set(firstKey, occurrence);
      params.abortSignal?.addEventListener("abort", uncount, { once: true });
      const identity = { ...first, occurrence };
      const key = recordingKey(identity, request);

      const recording = mode === "record" ? undefined : await findRecording(store, key, identity, request);
      if (recording) {
        call.onReplayed?.();
        return replayed(recording);
      }
      if (mode === "replay") throw await missing(store, identity, request);
      const result = await doGenerate();
      const { content, finishReason } = result;
      const answer = { content: recordedContent(content), finish_reason: finishReason.unified };
      const recorded = redacted({ key, ...identity, request, ...answer });
      try {
        await store.add(recorded);
      } catch (error) {
        failures.push(error);
      }
      // continue with the recorded content: if a secret was removed from it, later requests of a replay would differ
      return sameJson(recorded.content, answer.content) ? result : { ...result, content: [...recorded.content] };
    },
  };
}

/** Finds a recording. Recordings of older versions have no scenario and match every scenario. */
async function findRecording(store: CheckedStore, key: string, identity: CallIdentity, request: readonly string[]) {
  const older = async () =>
    identity.scenario ? await store.find(recordingKey({ ...identity, scenario: undefined }, request)) : undefined;
  return (await store.find(key)) ?? (await older());
}

function replayed({ content, finish_reason }: FoundAnswer) {
  return {
    content: [...content],
    // version 6 of the AI SDK does not know an interrupted answer
    finishReason: { unified: finish_reason === "interrupted" ? ("other" as const) : finish_reason, raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    warnings: [],
  };
}

async function missing(store: CheckedStore, identity: CallIdentity, request: readonly string[]): Promise<ModelError> {
  const nearest = describeNearest(await store.like(identity.role, identity.signature), identity, request);
  return new ModelError(`Cannot replay "${identity.signature}" of the ${identity.role}: it was not recorded`, {
    code: "recording-missing",
    path: [identity.role, identity.signature],
    hint: `${nearest}. Record it with mode "auto"`,
  });
}
