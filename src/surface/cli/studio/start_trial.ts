import { fork } from "node:child_process";
import process from "node:process";
import { StudioError } from "../../../base/errors.ts";
import type { AgentQuestion, HoldTrial, TrialFindings, TrialWork } from "../../studio/mod.ts";

/** What the process of a trial is asked. */
export interface TrialQuestion {
  readonly agent: AgentQuestion;
  readonly model: string | undefined;
  readonly work: TrialWork;
}

/** What the process of a trial tells: each call that has ended, and then what it found. */
export type TrialNews =
  | { readonly kind: "call" }
  | { readonly kind: "found"; readonly found: TrialFindings }
  | { readonly kind: "failed"; readonly message: string; readonly hint: string };

/** A trial that takes longer is stopped. */
const LIMIT_MS = 60 * 60_000;

/** Holds trials in a process each, so that the agent, its tools and its scenarios are loaded as they are saved now. */
export function trialHolder(agent: AgentQuestion, model: string | undefined): HoldTrial {
  return async (work, { onCall, signal }) => {
    const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const child = fork(new URL(`./trial_child.${ending}`, import.meta.url), [], {
      execArgv: process.execArgv.filter((argument) => !/^--(?:experimental-)?test\b/.test(argument)),
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const stop = () => child.kill("SIGKILL");
    const limit = setTimeout(stop, LIMIT_MS);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await new Promise<TrialFindings>((resolve, reject) => {
        child.on("message", (message) => {
          const news = message as TrialNews; // of trial_child.ts
          if (news.kind === "call") onCall();
          else if (news.kind === "found") resolve(news.found);
          else reject(new StudioError(news.message, { code: "trial-failed", hint: news.hint }));
        });
        child.once("error", (cause) => reject(failed(cause.message)));
        child.once("exit", () => reject(failed(signal.aborted ? "it was ended" : "its process ended")));
        if (signal.aborted) stop();
        else child.send({ agent, model, work } satisfies TrialQuestion, () => {}); // one that ended says so by "exit"
      });
    } finally {
      clearTimeout(limit);
      signal.removeEventListener("abort", stop);
      stop();
    }
  };
}

function failed(state: string): StudioError {
  return new StudioError(`Cannot hold the trial: ${state}`, {
    code: "trial-failed",
    hint: "Try the same with callweave run",
  });
}
