import { randomUUID } from "node:crypto";
import { StudioError } from "../../../base/errors.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import type { StoredRun } from "../../../run/store/mod.ts";
import type { StudioTrial } from "../api/mod.ts";
import { errorAnswer, unknownThing } from "./answers.ts";

/** What a trial calls: the agent as it is, and with other prompts. */
export type TrialWork = { readonly prompts: { readonly [node: string]: string } } & (
  | {
      /** Stored runs with the chosen results alone. */
      readonly recordings: readonly StoredRun[];
    }
  | { readonly scenario: string; readonly repeats: number }
);

/** What a trial found. */
export type TrialFindings = Pick<StudioTrial, "offline" | "calls" | "scenario">;

/** Holds the calls of a trial, with modules as they are saved now. */
export type HoldTrial = (
  work: TrialWork,
  options: { readonly onCall: () => void; readonly signal: AbortSignal },
) => Promise<TrialFindings>;

/** The trials of a server, in its memory. Each belongs to who has started it. */
export interface Trials {
  readonly start: (agent: string, work: TrialWork, owner: string) => StudioTrial;
  readonly show: (id: string, owner: string) => StudioTrial;
  readonly end: (id: string, owner: string) => void;
  readonly close: () => void;
}

interface OpenTrial {
  readonly owner: string;
  readonly stop: AbortController;
  trial: StudioTrial;
}

/** Trials that are kept; the oldest that is over makes room. */
const MOST_TRIALS = 50;
/** Trials at one time: each is a process. */
const MOST_RUNNING = 4;

/** Creates the trials of a server. */
export function createTrials(hold: HoldTrial | undefined): Trials {
  const trials = new Map<string, OpenTrial>();

  function find(id: string, owner: string): OpenTrial {
    const found = trials.get(id);
    if (found?.owner === owner) return found;
    throw unknownThing("trial", id, "Start a trial: POST /api/v1/trials; a restarted server has none");
  }

  return {
    start: (agent, work, owner) => {
      if (!hold)
        throw new StudioError("Cannot start the trial: the project has no agent", {
          code: "unknown-agent",
          hint: "Start the studio with the agent's source",
        });
      if ([...trials.values()].filter(({ trial }) => trial.state === "running").length >= MOST_RUNNING)
        throw new StudioError(`Cannot start the trial: ${MOST_RUNNING} trials are running`, {
          code: "too-many",
          hint: "End one, or wait until one has ended",
        });
      const over = [...trials].find(([, { trial }]) => trial.state !== "running");
      if (trials.size >= MOST_TRIALS && over) trials.delete(over[0]);
      const id = randomUUID();
      const each =
        "recordings" in work ? work.recordings.reduce((sum, { results }) => sum + results.length, 0) : work.repeats;
      const begun: StudioTrial = {
        ...{ id, agent, state: "running", done: 0, total: 2 * each },
        ...{ error: null, offline: false, calls: [], scenario: null },
      };
      const open: OpenTrial = { owner, stop: new AbortController(), trial: begun };
      trials.set(id, open);
      const onCall = () => {
        open.trial = { ...open.trial, done: Math.min(open.trial.total, open.trial.done + 1) };
      };
      hold(work, { onCall, signal: open.stop.signal }).then(
        (found) => {
          open.trial = { ...open.trial, ...createRedactor().value(found), state: "done", done: open.trial.total };
        },
        (error: unknown) => {
          const { code, message, hint } = errorAnswer(error).body.error;
          open.trial = { ...open.trial, state: "failed", error: { code, message, hint } };
        },
      );
      return open.trial;
    },
    show: (id, owner) => find(id, owner).trial,
    end: (id, owner) => {
      find(id, owner).stop.abort();
      trials.delete(id);
    },
    close: () => {
      for (const { stop } of trials.values()) stop.abort();
      trials.clear();
    },
  };
}
