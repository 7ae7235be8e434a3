import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import process from "node:process";

/** The repository. */
export const ROOT = resolve(import.meta.dirname ?? ".", "..", "..", "..");

const bin = (name: string) => join(ROOT, "node_modules", ".bin", name);

/** How each runtime starts a TypeScript file. */
export const RUNTIMES: { readonly [runtime: string]: readonly string[] } = {
  node: [process.versions.bun || process.versions.deno ? "node" : process.execPath, "--import", tsx()],
  bun: [bin("bun")],
  deno: [bin("deno"), "run", "-A", "--no-check", "--quiet"],
};

/**
 * How the runtime that the test runs on starts a TypeScript file. Under `npm test`, Node's test process loads compiled
 * sources, and what it starts does too: the command line and `mod.ts` in a few files, unless each file is wanted.
 */
export function ownStart(modules: "bundled" | "each file" = "bundled"): readonly string[] {
  const loader = process.execArgv.find((argument) => argument.includes("/load_compiled.js?"));
  if (ownRuntime() !== "node" || !loader) return RUNTIMES[ownRuntime()] ?? [];
  const chosen = modules === "bundled" ? `${loader}&bundled` : loader;
  return [process.execPath, "--disable-warning=ExperimentalWarning", "--import", chosen];
}

/** Found from any folder that a test starts a program in. */
function tsx(): string {
  return new URL(`file://${join(ROOT, "node_modules", "tsx", "dist", "loader.mjs")}`).href;
}

/** The runtime that the test runs on. */
export function ownRuntime(): string {
  if (process.versions.bun) return "bun";
  return process.versions.deno ? "deno" : "node";
}

/** Whether a runtime is installed here. */
export function isInstalled(runtime: string): boolean {
  const [command = ""] = RUNTIMES[runtime] ?? [];
  return runtime === "node" || existsSync(command);
}

/** The result of a process. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Options of starting a process. */
export interface StartOptions {
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
  /** Default: the runtime that the test runs on, see {@link ownStart}. */
  readonly runtime?: string;
  /** Sends a Ctrl-C to the program as soon as it has printed this on standard error, or when this is resolved. */
  readonly interruptAt?: string | Promise<void>;
  /** When the program is stopped, if it hangs. Default: {@link LIMIT_MS}. */
  readonly limitMs?: number;
}

/** A program that hangs is stopped after this, so that the test fails. Some take two minutes on a busy machine. */
const LIMIT_MS = 600_000;

/** Runs a TypeScript file to its end, with nothing of the environment that could name a model, a key or a database. */
export function runFile(file: string, args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  const [command = "", ...rest] = options.runtime ? (RUNTIMES[options.runtime] ?? []) : ownStart();
  return runProgram(command, [...rest, file, ...args], options);
}

/**
 * The file to start for a script that a test starts many times: on Bun, which compiles hundreds of modules at each
 * start, all of them in one file.
 */
export async function inOneFile(script: string): Promise<string> {
  if (ownRuntime() !== "bun") return script;
  const folder = mkdtempSync(join(tmpdir(), "callweave-bundle-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  const file = join(folder, basename(script).replace(/\.ts$/, ".js"));
  const args = ["build", script, "--target=bun", "--packages=external", "--outfile", file];
  const { code, out, err } = await runProgram(bin("bun"), args);
  if (code !== 0) throw new Error(`Cannot bundle ${script}: ${err}${out}`);
  return file;
}

/** npm, started by a test, asks no registry for anything, newer versions of npm included. */
const OFFLINE = { npm_config_offline: "true", npm_config_update_notifier: "false" };

/** Runs any program to its end. */
export function runProgram(command: string, args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:OPENAI|CALLWEAVE|NODE_OPTIONS|NODE_TEST)/.test(name),
  );
  return new Promise((done, failed) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? ROOT,
      env: { ...Object.fromEntries(kept), NO_COLOR: "1", ...OFFLINE, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8"); // chunks may end within a character
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    const { interruptAt } = options;
    let isInterrupted = false;
    const interrupt = () => {
      // not child.kill(): Deno then says that the signal ended it, whatever its exit code
      if (child.pid !== undefined && !isInterrupted) process.kill(child.pid, "SIGINT");
      isInterrupted = true;
    };
    child.stderr.on("data", (chunk) => {
      err += chunk;
      if (typeof interruptAt === "string" && err.includes(interruptAt)) interrupt();
    });
    if (typeof interruptAt === "object") void interruptAt.then(interrupt);
    const limit = setTimeout(() => child.kill("SIGKILL"), options.limitMs ?? LIMIT_MS);
    child.on("error", failed);
    child.on("close", (code) => {
      isInterrupted = true; // there is nothing left to interrupt
      clearTimeout(limit);
      done({ code, out, err });
    });
  });
}
