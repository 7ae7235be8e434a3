import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { StudioError } from "../../../base/errors.ts";
import { redact } from "../../../base/redaction/mod.ts";
import type { RunRecord } from "../../../run/store/mod.ts";
import { namesInSet } from "../../../run/summary/mod.ts";
import { eventBounds, readEventsAfter, runNamed, type StudioData } from "../data/mod.ts";

/** What a run does, as flags of `callweave run`. */
export interface RunFlags {
  readonly scenarios: readonly string[];
  readonly tags: readonly string[];
  readonly repeats?: number | undefined;
  readonly concurrency?: number | undefined;
  /** Name under which the run is found in the database. */
  readonly joinName?: string;
  /** Id of a run to resume. */
  readonly resume?: string;
}

/** A process that runs calls. */
export interface RunProcess {
  /** Resolves when the process is over, with what it wrote to standard error last. */
  readonly ended: Promise<{ readonly words: string }>;
  /** Stops it: results that are finished are kept. */
  readonly stop: () => void;
}

/** Starts processes that run calls of the project's agent. */
export type StartRun = (flags: RunFlags) => RunProcess;

/** The runs that this server has started. */
export interface RunsHere {
  readonly isRunning: (runId: string) => boolean;
  /** @returns The id of the run. */
  readonly start: (flags: Omit<RunFlags, "joinName" | "resume">, signal: AbortSignal) => Promise<string>;
  readonly resume: (run: RunRecord, signal: AbortSignal) => Promise<string>;
  readonly stop: (runId: string) => void;
  /** Stops all, and waits for them. */
  readonly close: () => Promise<void>;
}

/** Runs at one time: each is a process. */
const MOST_RUNS = 4;
/** Time until a run is in the database: its agent and scenarios are loaded first. */
const START_MS = 120_000;
const LOOK_MS = 100;
/** Time that runs have to end when the server is stopped. */
const STOP_MS = 10_000;

/** Creates the list of runs of this server. */
export function createRunsHere(data: StudioData, startRun: StartRun | undefined): RunsHere {
  const running = new Map<string, RunProcess>();
  const starting = new Set<RunProcess>();
  /** Ids of runs that are being resumed: two people may ask at the same time. */
  const resuming = new Set<string>();

  async function begin(flags: RunFlags, find: () => Promise<string | undefined>, signal: AbortSignal): Promise<string> {
    if (!startRun) throw notStarted("the project has no agent", "Start the studio with the agent's source");
    if (running.size + starting.size >= MOST_RUNS)
      throw new StudioError(`Cannot start the run: ${MOST_RUNS} runs are running`, {
        code: "too-many",
        hint: "Stop one, or wait until one has ended",
      });
    const process = startRun(flags);
    starting.add(process);
    let over: string | undefined;
    const ended = process.ended.then(({ words }) => {
      over = words;
    });
    try {
      const deadline = Date.now() + START_MS;
      for (;;) {
        const isOver = over !== undefined;
        const id = await find();
        if (id !== undefined) {
          if (!isOver) {
            running.set(id, process);
            void ended.then(() => running.delete(id));
          }
          return id;
        }
        if (isOver) throw notStarted(redact(over || "its process ended"), "Fix this, and start it again");
        if (signal.aborted || Date.now() > deadline) {
          process.stop();
          throw notStarted(`it did not begin within ${START_MS / 1000} s`, "Check the agent's source");
        }
        await Promise.race([ended, setTimeout(LOOK_MS)]);
      }
    } finally {
      starting.delete(process);
    }
  }

  async function resume(run: RunRecord, scenarios: readonly string[], signal: AbortSignal): Promise<string> {
    const { last } = await eventBounds(data);
    const repeats = typeof run.options.repeat === "number" ? run.options.repeat : undefined;
    const flags = { scenarios, tags: [], repeats, resume: run.id };
    const find = async () => {
      const events = await readEventsAfter(data, last);
      return events.some(({ document }) => isResumption(document, run.id)) ? run.id : undefined;
    };
    return await begin(flags, find, signal);
  }

  return {
    isRunning: (runId) => running.has(runId),
    start: async (flags, signal) => {
      const joinName = `studio ${randomUUID()}`;
      return await begin({ ...flags, joinName }, () => runNamed(data, joinName), signal);
    },
    resume: async (run, signal) => {
      if (running.has(run.id) || resuming.has(run.id)) throw here(run.id, "it is running", "Wait until it has ended");
      if (run.kind !== "simulated" || run.plan === undefined)
        throw here(run.id, "its calls are not simulated", "Resume a run that callweave run has started");
      resuming.add(run.id);
      try {
        return await resume(run, namesInSet(run.plan.scenarios), signal);
      } finally {
        resuming.delete(run.id);
      }
    },
    stop: (runId) => {
      const process = running.get(runId);
      if (!process) throw here(runId, "this server does not run it", "Stop it where it was started");
      process.stop();
    },
    close: async () => {
      const all = [...running.values(), ...starting];
      for (const process of all) process.stop();
      const late = setTimeout(STOP_MS, undefined, { ref: false });
      await Promise.race([Promise.all(all.map(({ ended }) => ended)), late]);
    },
  };
}

function isResumption(document: string, runId: string): boolean {
  const event: unknown = JSON.parse(document);
  return typeof event === "object" && event !== null && "run" in event && event.run === runId && "type" in event
    ? event.type === "run-resumed"
    : false;
}

function notStarted(state: string, hint: string): StudioError {
  return new StudioError(`Cannot start the run: ${state}`, { code: "run-not-started", hint });
}

function here(runId: string, state: string, hint: string): StudioError {
  return new StudioError(`Cannot do this with run "${runId}": ${state}`, { code: "run-not-here", hint });
}
