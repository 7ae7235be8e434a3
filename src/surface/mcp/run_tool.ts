import { fork } from "node:child_process";
import process from "node:process";
import { UsageError } from "../../base/errors.ts";
import { isRecord, startTimeLimit } from "../../base/values/mod.ts";
import { answerText, errorText } from "./answer.ts";
import type { McpSettings, ToolContext } from "./settings.ts";
import type { Tool } from "./tool.ts";

/** What the process of a tool is sent. */
export interface ToolRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly settings: McpSettings;
  readonly folder: string;
  readonly costUsd: number;
}

/** What the process of a tool sends. */
export type ChildMessage =
  | { readonly kind: "progress"; readonly done: number; readonly of: number; readonly words: string }
  | { readonly kind: "cost"; readonly costUsd: number | null }
  | { readonly kind: "answer" | "error"; readonly text: string };

/** The text of a tool's answer, or of its error. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Longest time of a tool that runs no calls. */
const LIMIT_MS = 90_000;
/** A run that was cancelled may store what its calls have said. Clients kill a server 2 s after they closed it. */
const GRACE_MS = 1_000;
const MS_OF_MINUTE = 60_000;

/** Runs a tool within its time limit. It always returns: errors are results. */
export async function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolResult> {
  const isRun = tool.name === "run_scenarios";
  const limitMs = isRun ? context.settings.limits.minutes * MS_OF_MINUTE : LIMIT_MS;
  using limit = startTimeLimit(limitMs, context.signal);
  const limited = { ...context, signal: limit.signal };
  try {
    if (tool.runsIn === "process") return await inProcess(tool, input, limited, () => timedOut(tool, limitMs));
    const work = tool.run(input, limited);
    const answer = await limit.until(work);
    return { text: answerText(tool.name, isRecord(input) ? input : {}, answer, context.env), isError: false };
  } catch (error) {
    const told = limit.expired() ? timedOut(tool, limitMs) : error;
    return { text: errorText(told, context.env), isError: true };
  }
}

function inProcess(tool: Tool, input: unknown, context: ToolContext, late: () => Error): Promise<ToolResult> {
  const { settings, folder, costUsd, signal, env } = context;
  if (signal.aborted) return Promise.reject(signal.reason);
  // the compiled package has .js files
  const script = new URL(`./tool_child.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
  const child = fork(script, [], {
    execArgv: process.execArgv.filter((argument) => !/^--(?:experimental-)?test\b/.test(argument)),
    // standard output is the protocol's; what the project's code prints could hold keys
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ...env },
    cwd: folder,
  });
  return new Promise((resolve) => {
    let grace: NodeJS.Timeout | undefined;
    // code that never ends does not hear that the server has gone
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    const end = (result: ToolResult) => {
      clearTimeout(grace);
      process.off("exit", kill);
      signal.removeEventListener("abort", cancel);
      kill();
      resolve(result);
    };
    const fail = (error: unknown) => end({ text: errorText(signal.aborted ? late() : error, env), isError: true });
    const cancel = () => {
      child.send("cancel", () => {}); // one that has ended is reported by its events
      grace = setTimeout(() => fail(late()), GRACE_MS);
    };
    signal.addEventListener("abort", cancel);
    child.on("message", (message) => {
      const told = message as ChildMessage; // of tool_child.ts
      if (told.kind === "progress") context.onProgress(told.done, told.of, told.words);
      else if (told.kind === "cost") context.onCost(told.costUsd);
      else end({ text: told.text, isError: told.kind === "error" });
    });
    child.once("error", fail);
    child.once("exit", () =>
      fail(
        new UsageError(`Cannot finish ${tool.name}: its process ended`, {
          code: "module-failed",
          hint: "Remove process.exit() from the code that it runs",
        }),
      ),
    );
    const request: ToolRequest = { tool: tool.name, input, settings, folder, costUsd };
    child.send(request, () => {});
  });
}

function timedOut(tool: Tool, limitMs: number): UsageError {
  return new UsageError(`Cannot finish ${tool.name}: it was cancelled, or took longer than ${limitMs / 1000} s`, {
    code: "limit-reached",
    hint: "Ask for less, such as fewer scenarios, or look for code that does not end",
  });
}
