import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { SharingOptions } from "../../../src/run/runner/mod.ts";
import { openStore, type ResultRecord } from "../../../src/run/store/mod.ts";
import { inOneFile, ownStart } from "../../surface/cli/_process.ts";

/** A run in a separate process that is killed. */
export interface KilledRun extends Pick<SharingOptions, "resume" | "joinRun" | "shard"> {
  readonly db: string;
  /** Number of scenarios. */
  readonly scenarios: number;
  readonly repeat: number;
  /** Number of the event of `onProgress` at which the process kills itself. Absent: it does not. */
  readonly killAt?: number;
  /** Duration of a call. */
  readonly callMs?: number;
}

/** The output of a run's process before it was killed or ended. */
export interface KilledOutcome {
  readonly id: string | undefined;
  /** Ids of the results that it reported as stored. */
  readonly stored: readonly string[];
  readonly isDone: boolean;
}

let script: Promise<string> | undefined;

/**
 * Runs _killed_run.ts until it is killed or ends.
 *
 * @param kill Called once with a function that kills the process.
 */
export async function runUntilKilled(
  given: KilledRun,
  kill: (now: () => void) => void = () => {},
): Promise<KilledOutcome> {
  script ??= inOneFile(fileURLToPath(new URL("_killed_run.ts", import.meta.url)));
  const [command = "", ...start] = ownStart();
  const child = spawn(command, [...start, await script, JSON.stringify(given)], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    output += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part) => {
    complaints += part;
  });
  kill(() => child.kill("SIGKILL"));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on("close", (...ended) => resolve(ended)),
  );
  if (code !== 0 && signal !== "SIGKILL") throw new Error(`the run ended with ${code ?? signal}: ${complaints}`);
  const said = (word: string) =>
    output.split("\n").flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  return { id: said("run")[0], stored: said("stored"), isDone: output.endsWith("done\n") };
}

/** Reads a run's results, as a new process does. */
export async function resultsOf(db: string, id: string): Promise<readonly ResultRecord[]> {
  await using store = await openStore(db);
  return (await store.showRun(id)).results;
}
