import { isRecord } from "../../values/mod.ts";
import type { RecordedCallName, Recording, Role } from "./recording.ts";

/**
 * What recordings are used for. `record`: every call is made and kept. `replay`: no call is made; one that was not
 * recorded is an error. `auto`: what was recorded is replayed, the rest is made and kept. `off`: neither.
 */
export type RecordingMode = "record" | "replay" | "auto" | "off";

/** Where recordings are kept. */
export interface RecordingStore {
  readonly find: (key: string) => Promise<Recording | undefined>;
  readonly add: (recording: Recording) => Promise<void>;
  /** All of a role and signature, to say what a missing one is nearest to. */
  readonly like: (role: Role, signature: string) => Promise<readonly Recording[]>;
  /** Writes what is not written yet. */
  readonly flush: () => Promise<void>;
  /** Finds out whether recordings can be read and, unless the mode is `replay`, written. */
  readonly prepare?: (mode: RecordingMode) => Promise<void>;
  /** When the recorded call began, in ISO 8601. A store without clocks replays under the clock of the run. */
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
