import { fork } from "node:child_process";
import process from "node:process";
import type { AgentQuestion, StartRun } from "../../studio/mod.ts";

/** What runs have in common. */
export interface RunPlace {
  readonly db: string | undefined;
  readonly model: string | undefined;
}

/** Characters of standard error that are kept: the error of a run that does not begin. */
const MOST_WORDS = 4_000;

/** Time that a process has to end after it was asked to. */
const STOP_MS = 8_000;

/** Starts `callweave run` in a process of its own, so that modules are loaded afresh, and a crash ends only the run. */
export function runStarter(agent: AgentQuestion, { db, model }: RunPlace): StartRun {
  return ({ scenarios, tags, repeats, concurrency, joinName, resume }) => {
    const flag = (name: string, value: string | number | undefined) =>
      value === undefined ? [] : [`--${name}=${value}`];
    const argv = [
      "run",
      agent.path,
      ...flag("export", agent.exportName),
      ...flag("from", agent.format),
      ...agent.scenarioFiles.flatMap((file) => flag("scenarios", file)),
      ...scenarios.flatMap((name) => flag("scenario", name)),
      ...tags.flatMap((tag) => flag("tag", tag)),
      ...flag("repeat", repeats),
      ...flag("concurrency", concurrency),
      ...flag("model", model),
      ...flag("db", db),
      ...flag("join", joinName),
      ...flag("resume", resume),
    ];
    const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const child = fork(new URL(`./run_child.${ending}`, import.meta.url), argv, {
      execArgv: process.execArgv.filter((argument) => !/^--(?:experimental-)?test\b/.test(argument)),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let words = "";
    child.stderr?.on("data", (data) => {
      words = (words + String(data)).slice(-MOST_WORDS);
    });
    const ended = new Promise<{ readonly words: string }>((resolve) => {
      child.once("error", (error) => resolve({ words: error.message }));
      child.once("close", () => resolve({ words: words.trim() }));
    });
    return {
      ended,
      stop: () => {
        child.kill("SIGINT");
        const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
        void ended.then(() => clearTimeout(timer));
      },
    };
  };
}
