import type { Recordings } from "../../../call/models/mod.ts";
import type { RunSetup } from "./run_setup.ts";

/** Gives recordings of repetitions another name: under the same name they would replay the first answers. */
export function renamed(setup: RunSetup, label: string): RunSetup {
  const { recordings } = setup.options;
  if (!recordings) return setup;
  const named: Recordings = {
    mode: recordings.mode,
    around: (role, trial, { scenario = "" } = {}) =>
      recordings.around(role, trial, { scenario: `${scenario} (${label})` }),
    prepare: () => recordings.prepare(),
    startOf: (call, now) => recordings.startOf(call, now),
    flush: () => recordings.flush(),
  };
  return { ...setup, options: { ...setup.options, recordings: named } };
}
