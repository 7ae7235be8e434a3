import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Terminal } from "../../../src/surface/cli/io/mod.ts";
import { runCli } from "../../../src/surface/cli/run_cli.ts";

/** The result of a command line. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Options of running a command line. */
export interface Given {
  /** The folder that it is started in: this process changes to it until the command has ended. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** Answers a question; absent: the terminal is not interactive. */
  readonly ask?: (question: string) => Promise<string>;
  /** Called with each text on standard error. */
  readonly onErr?: (text: string) => void;
}

/** Runs a command line in this process, without its environment. */
export async function callweave(argv: readonly string[], given: Given = {}): Promise<Ran> {
  return await inTerminal((terminal) => runCli(argv, terminal), given);
}

/** Runs code that writes to a terminal, and returns its output. */
export async function inTerminal(run: (terminal: Terminal) => Promise<number>, given: Given = {}): Promise<Ran> {
  const { cwd, env = {}, input = "", signal = new AbortController().signal, ask, onErr = () => {} } = given;
  let out = "";
  let err = "";
  const before = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const code = await run({
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
        onErr(text);
      },
      warn: (warning) => {
        err += `${warning}\n`;
      },
      input: async () => input,
      env,
      stdout: {},
      stderr: {},
      signal,
      ...(ask ? { ask } : {}),
      flush: async () => {},
    });
    return { code, out, err };
  } finally {
    if (cwd !== undefined) process.chdir(before);
  }
}

/** A new folder with files in it. */
export function folder(files: Readonly<Record<string, unknown>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), "callweave-cli-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return path;
}

/** A small agent as a document. */
export const GRAPH = {
  entry_node_id: "greet",
  nodes: {
    greet: {
      state_prompt: "Ask for the name.",
      transitions: [{ target_node_id: "bye", condition: { type: "llm_prompt", value: "Caller gives their name" } }],
    },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
  },
};

/** A test case that the small agent passes on the offline model. */
export const CASE = {
  name: "gives a name",
  user_prompt: "",
  says: ["My name is Anna Fischer."],
  visits: ["bye"],
  includes: ["goodbye"],
};
