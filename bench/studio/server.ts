import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import * as v from "valibot";
import { bundle, PROGRAMS } from "../../scripts/bundle.ts";
import { javascript } from "../javascript.ts";

/** What a process has used. */
export interface Usage {
  readonly cpuMs: number;
  /** Memory now, and the most that it ever was. */
  readonly memoryMb: number;
  readonly peakMb: number;
}

/** A server in a process of its own. */
export interface ServerProcess {
  /** Without a slash at the end. */
  readonly address: string;
  readonly usage: () => Promise<Usage>;
  readonly stop: () => Promise<void>;
}

const Answer = v.object({ cpuMs: v.number(), rssBytes: v.number(), peakKb: v.number() });

/** Starts `callweave studio` with a database, as Node runs the package, with the scripts that it starts as processes. */
export async function startStudio(db: string, folder: string): Promise<ServerProcess> {
  const compiled = resolve("node_modules/.cache/callweave/studio");
  await bundle(PROGRAMS, compiled);
  return await startServer([join(compiled, "src/surface/cli/main.js"), "studio", "--no-open", "--db", db], folder);
}

/** Starts a server that answers given answers, and does nothing else. */
export async function startBare(answers: string, folder: string): Promise<ServerProcess> {
  return await startServer([await javascript("bench/studio/bare.ts"), answers], folder);
}

async function startServer(args: readonly string[], folder: string): Promise<ServerProcess> {
  const probe = pathToFileURL(await javascript("bench/studio/probe.ts")).href;
  const child = spawn("node", ["--import", probe, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const address = await addressOf(child);
  return {
    address,
    usage: async () => {
      const answered = once(child, "message");
      child.send("usage");
      const { cpuMs, rssBytes, peakKb } = v.parse(Answer, (await answered)[0]);
      return { cpuMs, memoryMb: rssBytes / 2 ** 20, peakMb: peakKb / 2 ** 10 };
    },
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The address that a server prints. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk) => {
        out += chunk;
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? [];
        if (address !== undefined) resolve(address);
      });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${out}`)));
  });
}
