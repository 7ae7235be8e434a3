import type { LanguageModelMiddleware } from "ai";
import { ModelError } from "../../errors.ts";
import { checkOptions, isRecord, oneOf, rule } from "../../graph/mod.ts";
import type { CallSettings, CallShape } from "../call_model.ts";
import { modelName } from "../model.ts";
import { describeNearest } from "./nearest.ts";
import {
  type CallIdentity,
  hashOf,
  type Recording,
  type Role,
  recordedContent,
  recordingKey,
  requestLines,
} from "./recording.ts";
import { redactedRequest } from "./redacted.ts";

/**
 * What recordings are used for. `record`: every call is made and kept. `replay`: no call is made; one that was not
 * recorded is an error. `auto`: what was recorded is replayed, the rest is made and kept. `off`: neither.
 */
export type CassetteMode = "record" | "replay" | "auto" | "off";

/** Where recordings are kept. */
export interface CassetteStore {
  readonly find: (key: string) => Promise<Recording | undefined>;
  readonly add: (recording: Recording) => Promise<void>;
  /** All of a role and signature, to say what a missing one is nearest to. */
  readonly like: (role: Role, signature: string) => Promise<readonly Recording[]>;
  /** Puts away what is not written yet. */
  readonly flush: () => Promise<void>;
}

/** Recordings of the model calls of a run. */
export interface Cassette {
  readonly mode: CassetteMode;
  /** What goes around the model calls of one role in one call of a scenario; made anew for each. */
  readonly around: (role: Role, trial: number) => NonNullable<CallSettings["around"]>;
  readonly flush: () => Promise<void>;
}

const CASSETTE = {
  store: rule("what fileCassette() or openRecordings() gives", isStore),
  mode: oneOf("record", "replay", "auto", "off"),
};

/**
 * Records and replays model calls by what was asked, never by when.
 *
 * @throws {ModelError} `invalid-option`.
 */
export function createCassette(store: CassetteStore, mode: CassetteMode): Cassette {
  checkOptions({ store: store ?? null, mode: mode ?? null }, CASSETTE, ModelError, "Cannot use recordings");
  return {
    mode,
    around: (role, trial) => {
      const counted = new Map<string, number>();
      return (call) => (mode === "off" ? [] : [cassetteMiddleware({ store, mode, role, trial, call, counted })]);
    },
    flush: async () => await store.flush(),
  };
}

function isStore(value: unknown): boolean {
  return isRecord(value) && ["find", "add", "like", "flush"].every((name) => typeof value[name] === "function");
}

interface Taken {
  readonly store: CassetteStore;
  readonly mode: CassetteMode;
  readonly role: Role;
  readonly trial: number;
  readonly call: CallShape;
  /** How often each call was made in this scenario. */
  readonly counted: Map<string, number>;
}

function cassetteMiddleware({ store, mode, role, trial, call, counted }: Taken): LanguageModelMiddleware {
  return {
    specificationVersion: "v4",
    wrapGenerate: async ({ doGenerate, params, model }) => {
      // what was written ahead and is thrown away does not count: it is not asked for when the decision is replayed
      params.abortSignal?.throwIfAborted();
      const request = redactedRequest(requestLines(params));
      const first: CallIdentity = {
        role,
        signature: call.signature,
        model: modelName(model),
        trial,
        occurrence: 0,
        slice: hashOf(call.slice).slice(0, 16),
      };
      const firstKey = recordingKey(first, request);
      const occurrence = counted.get(firstKey) ?? 0;
      counted.set(firstKey, occurrence + 1);
      const uncount = () => counted.set(firstKey, occurrence);
      params.abortSignal?.addEventListener("abort", uncount, { once: true });
      const identity = { ...first, occurrence };
      const key = recordingKey(identity, request);

      const recording = mode === "record" ? undefined : await store.find(key);
      if (recording) return replayed(recording);
      if (mode === "replay") throw await missing(store, identity, request);
      const result = await doGenerate();
      await store.add({
        key,
        ...identity,
        request,
        content: recordedContent(result.content),
        finish_reason: result.finishReason.unified,
      });
      return result;
    },
  };
}

function replayed({ content, finish_reason }: Recording) {
  return {
    content: [...content],
    finishReason: { unified: finish_reason, raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    warnings: [],
  };
}

async function missing(store: CassetteStore, identity: CallIdentity, request: readonly string[]): Promise<ModelError> {
  const nearest = describeNearest(await store.like(identity.role, identity.signature), identity, request);
  return new ModelError(`Cannot replay "${identity.signature}" of the ${identity.role}: it was not recorded`, {
    code: "recording-missing",
    path: [identity.role, identity.signature],
    hint: `${nearest}. Record it with the mode "auto"`,
  });
}
