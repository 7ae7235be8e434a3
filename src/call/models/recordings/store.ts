import { isRecord } from "../../../base/values/mod.ts";
import type { RECORDING_MODES } from "../../../document/settings/mod.ts";
import type { RecordedCallName, Recording, Role } from "./recording.ts";

/**
 * How recordings are used. `record`: every call is made and recorded. `replay`: no call is made; a call without a
 * recording is an error. `auto`: recorded calls are replayed, the others are made and recorded. `off`: neither.
 */
export type RecordingMode = (typeof RECORDING_MODES)[number];

/** A store for recordings. */
export interface RecordingStore {
  readonly find: (key: string) => Promise<Recording | undefined>;
  readonly add: (recording: Recording) => Promise<void>;
  /** All recordings of a role and signature, to find the nearest one. */
  readonly like: (role: Role, signature: string) => Promise<readonly Recording[]>;
  /** Writes pending recordings. */
  readonly flush: () => Promise<void>;
  /** Checks that recordings can be read and, unless the mode is `replay`, written. */
  readonly prepare?: (mode: RecordingMode) => Promise<void>;
  /** Returns the recorded start time of a call, in ISO 8601. Absent: replays use the run's clock. */
  readonly findClock?: (call: RecordedCallName) => Promise<string | undefined>;
  readonly addClock?: (call: RecordedCallName, startedAt: string) => Promise<void>;
}

/** Whether a value has the methods of a {@link RecordingStore}. */
export function isRecordingStore(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return (
    ["find", "add", "like", "flush"].every((name) => typeof value[name] === "function") &&
    ["prepare", "findClock", "addClock"].every((name) => ["function", "undefined"].includes(typeof value[name]))
  );
}
