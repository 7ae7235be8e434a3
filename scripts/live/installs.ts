import { spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A vendor's software that live tests run against. It is too large to be a dependency. */
export interface Software {
  readonly name: string;
  /** Folder in the cache; it names the versions. */
  readonly folder: string;
  /** Environment variable by which tests get the folder. */
  readonly variable: string;
  /** Commands that install it into the folder that they run in. */
  readonly commands: readonly (readonly string[])[];
  /** Files that are written before. */
  readonly files?: { readonly [name: string]: string };
  /** Environment variables of the commands, by the folder in which they run. */
  readonly env?: (folder: string) => { readonly [name: string]: string };
}

/** What became of an installation. */
export interface Installation {
  readonly software: Software;
  readonly folder: string;
  /** Why it is not there, in one line. */
  readonly missing?: string;
}

/** Time limit of an installation. */
const LIMIT_MS = 20 * 60_000;

const { npm_execpath: npmFile } = process.env;
const npm = npmFile ? [process.execPath, npmFile] : ["npm"];
const PYTHON = process.platform === "win32" ? "python" : "python3";
const PIP = ["install", "--quiet", "--disable-pip-version-check"];

export const SOFTWARE: readonly Software[] = [
  {
    name: "LiveKit Agents",
    folder: "livekit-agents-1.9.0",
    variable: "CALLWEAVE_LIVE_LIVEKIT",
    files: { "package.json": '{ "private": true, "type": "module" }\n' },
    commands: [[...npm, "install", "--no-audit", "--no-fund", "@livekit/agents@1.9.0", "zod@4.6.7"]],
    // its ONNX runtime would load a library for GPUs from somewhere else than the registry
    env: () => ({ ONNXRUNTIME_NODE_INSTALL_CUDA: "skip" }),
  },
  {
    name: "LiveKit's server",
    folder: "livekit-server-1.9.11",
    variable: "CALLWEAVE_LIVE_LIVEKIT_SERVER",
    // later versions replace modules of theirs, which "go install" refuses
    commands: [["go", "install", "-ldflags=-s -w", "github.com/livekit/livekit-server/cmd/server@v1.9.11"]],
    env: (folder) => ({ GOBIN: folder }),
  },
  {
    name: "LiveKit Agents for Python",
    folder: "livekit-agents-python-1.8.9",
    variable: "CALLWEAVE_LIVE_LIVEKIT_PYTHON",
    commands: pythonPackages(10, "livekit-agents==1.8.9", "pytest==9.0.2", "pytest-asyncio==1.3.0"),
  },
  {
    name: "Pipecat",
    // with WebRTC
    folder: "pipecat-1.14.0-webrtc",
    variable: "CALLWEAVE_LIVE_PIPECAT",
    commands: pythonPackages(11, "pipecat-ai[openai,runner,webrtc,websocket]==1.14.0"),
  },
  {
    name: "Schemathesis",
    folder: "schemathesis-4.32.5",
    variable: "CALLWEAVE_LIVE_SCHEMATHESIS",
    commands: pythonPackages(10, "schemathesis==4.32.5"),
  },
];

/** Installs packages into a virtual environment, for which Python 3 needs at least this minor version. */
function pythonPackages(minor: number, ...packages: readonly string[]): Software["commands"] {
  const isThere = `import sys, venv, ensurepip; assert sys.version_info >= (3, ${minor}), 'Python 3.${minor} is needed'`;
  return [
    [PYTHON, "-c", isThere],
    [PYTHON, "-m", "venv", "."],
    [pythonIn("."), "-m", "pip", ...PIP, ...packages],
  ];
}

/** The Python of a virtual environment. */
export function pythonIn(folder: string): string {
  return process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}

/** The folder of all installations, outside of the repository. */
function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "callweave-tests");
}

/** Installs software, unless the cache has it. An installation that fails leaves nothing behind. */
export async function install(software: Software): Promise<Installation> {
  const folder = join(cacheFolder(), software.folder);
  if (existsSync(folder)) return { software, folder };
  const started = Date.now();
  const parts = `${folder}.${process.pid}`;
  try {
    mkdirSync(parts, { recursive: true });
    for (const [name, text] of Object.entries(software.files ?? {})) writeFileSync(join(parts, name), text);
    for (const command of software.commands) {
      const failure = await execute(command, { cwd: parts, env: software.env?.(parts) ?? {}, started });
      if (failure !== undefined) return { software, folder, missing: `${command.join(" ")}: ${failure}` };
    }
    // another process may have been faster
    if (!existsSync(folder)) renameSync(parts, folder);
    console.log(`installed ${software.name} in ${Math.round((Date.now() - started) / 1000)} s`);
    return { software, folder };
  } catch (error) {
    return { software, folder, missing: error instanceof Error ? error.message : "no reason is given" };
  } finally {
    rmSync(parts, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Runs a command; returns its last words if it fails. */
async function execute(
  [command = "", ...args]: readonly string[],
  { cwd, env, started }: { readonly cwd: string; readonly env: object; readonly started: number },
): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: Math.max(1, started + LIMIT_MS - Date.now()),
      killSignal: "SIGKILL",
    });
    let output = "";
    const take = (part: string) => {
      output = (output + part).slice(-2_000);
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => {
      const how = signal ? `it was stopped after ${LIMIT_MS / 60_000} minutes` : `exit code ${code}`;
      resolve(code === 0 ? undefined : [how, ...output.trim().split("\n").slice(-3)].join("; "));
    });
  });
}
