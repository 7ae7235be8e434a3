import { createRecordings, fileRecordings, type RecordingStore, type Recordings } from "../../../call/models/mod.ts";
import { RECORDING_MODES } from "../../../document/settings/mod.ts";
import { openRecordings } from "../../../run/store/mod.ts";
import { type Arguments, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { readChoice } from "./read_settings.ts";

/** The recordings of a run, until closed. */
export interface ChosenRecordings extends AsyncDisposable {
  /** Absent: the run has none. */
  readonly recordings?: Recordings;
}

/**
 * Opens the recordings that the flags name: a `*.json` file, or any libSQL database.
 *
 * @throws {UsageError} `usage`.
 * @throws {StoreError} `store-unavailable`.
 */
export async function chooseRecordings(args: Arguments, terminal: Terminal): Promise<ChosenRecordings> {
  const mode = readChoice(args, "mode", RECORDING_MODES);
  const target = args.text("recordings");
  if (target === undefined) {
    if (mode !== undefined) throw usage("--mode needs --recordings", "Add --recordings FILE");
    return { [Symbol.asyncDispose]: async () => {} };
  }
  if (mode === "off") return { [Symbol.asyncDispose]: async () => {} };
  const store = await openStoreOf(target, terminal);
  return {
    recordings: createRecordings(store, mode ?? "auto"),
    [Symbol.asyncDispose]: async () => {
      if (Symbol.asyncDispose in store) await store[Symbol.asyncDispose]();
    },
  };
}

async function openStoreOf(
  target: string,
  { env, signal }: Terminal,
): Promise<RecordingStore | (RecordingStore & AsyncDisposable)> {
  if (/\.json$/i.test(target) && !/^[a-z][a-z0-9+.-]+:/i.test(target)) return fileRecordings(target);
  const { CALLWEAVE_DB_URL: url, CALLWEAVE_DB_TOKEN: authToken } = env;
  // the environment's token is only for the environment's server
  return await openRecordings(target, { signal, ...(url === target && authToken ? { authToken } : {}) });
}
