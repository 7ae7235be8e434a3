import { fork } from "node:child_process";
import process from "node:process";
import { changedFiles } from "../../../project/mod.ts";
import { type Arguments, type ArgumentsSpec, type ExitCode, usage } from "../../arguments.ts";
import type { Terminal } from "../../io/mod.ts";
import type { PlainArguments, WatchAnswer, Watched, WatchRequest } from "./messages.ts";

/** Flags that select a stored run or only inspect one. */
const OTHER_RUNS = ["estimate", "resume", "join", "shard"];

/**
 * Runs all selected scenarios, then after every change of the agent's, the scenarios' or the policies' files those that
 * the change can affect, until Ctrl-C. Each run has its own process, so that all modules are loaded afresh.
 *
 * @returns The exit code of the last run.
 * @throws {UsageError} `usage`.
 */
export async function watchRun(args: Arguments, spec: ArgumentsSpec, terminal: Terminal): Promise<ExitCode> {
  const source = args.at("SOURCE");
  if (source === "-") throw usage("standard input cannot be watched", "Name a file, or leave out --watch");
  const other = OTHER_RUNS.find((flag) => args.has(flag) || args.text(flag) !== undefined);
  if (other !== undefined) throw usage(`--watch and --${other} exclude each other`, "Pass one of them");
  const plain = plainArguments(args, spec);
  const files = [source, ...["scenarios", "tests", "policies"].flatMap((flag) => args.texts(flag))];
  let watched: Watched | undefined;
  let code: ExitCode = 0;
  terminal.share?.();
  for await (const _ of changedFiles(files, terminal.signal)) {
    const answer = await runOnce({ args: plain, ...(watched ? { watched } : {}) }, terminal);
    ({ code } = answer);
    watched = answer.watched ?? watched;
    if (!terminal.signal.aborted) terminal.err("watching for changes; Ctrl-C ends\n");
  }
  return code;
}

function plainArguments(args: Arguments, { positionals, flags }: ArgumentsSpec): PlainArguments {
  const names = Object.entries(flags);
  return {
    positionals: Object.fromEntries(positionals.map(({ name }) => [name, args.at(name)])),
    values: Object.fromEntries(
      names.flatMap(([name, { value, repeats }]) => {
        const text = value === undefined ? undefined : args.text(name);
        const texts = repeats ? args.texts(name) : text === undefined ? [] : [text];
        return texts.length > 0 ? [[name, texts]] : [];
      }),
    ),
    switches: names.flatMap(([name, { value }]) => (value === undefined && args.has(name) ? [name] : [])),
  };
}

/** Runs in a new process, which writes to this terminal itself. */
function runOnce(request: WatchRequest, { signal, err }: Terminal): Promise<WatchAnswer> {
  // the compiled package has .js files
  const script = new URL(`./watch_child.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
  const child = fork(script, [], {
    execArgv: process.execArgv.filter((argument) => !/^--(?:experimental-)?test\b/.test(argument)),
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return new Promise((resolve) => {
    let answer: WatchAnswer | undefined;
    const interrupt = () => void child.send("interrupt", () => {});
    const end = (problem: string) => {
      signal.removeEventListener("abort", interrupt);
      if (!answer) err(`error: Cannot run "${request.args.positionals.SOURCE}": ${problem}\n`);
      resolve(answer ?? { code: 3 });
    };
    signal.addEventListener("abort", interrupt, { once: true });
    child.on("message", (message) => {
      answer = message as WatchAnswer; // of watch_child.ts
    });
    child.once("error", (error) => end(error.message));
    child.once("exit", () => end("the process ended; remove process.exit() from the code that it runs"));
    child.send(request, () => {}); // a process that did not start or has ended is reported by its events
  });
}
