import { setTimeout as sleep } from "node:timers/promises";
import { isCallweaveError, ToolError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import {
  type Clock,
  canonicalJson,
  isRecord,
  type JsonObject,
  jsonOrText,
  own,
  readableError,
  shorten,
  startTimeLimit,
  type TimeLimit,
  thrownWords,
} from "../../base/values/mod.ts";
import { endingOf, type ToolExecute } from "../../document/graph/mod.ts";
import { checkArguments } from "./arguments_check.ts";
import type { CallLimits } from "./call_limits.ts";
import type { CalledTool } from "./called_tool.ts";
import { callLiveTool, type LiveTools } from "./live_tool.ts";
import type { Mocks } from "./mocks.ts";
import type { RecordedTools, ToolAnswer } from "./recorded_tools.ts";

/** Default of `toolTimeoutMs`. */
export const DEFAULT_TOOL_TIMEOUT_MS = 30_000;

/** Maximum length of an error message for the model, in characters: some errors contain whole pages. */
const LONGEST_FAILURE = 500;

/** The sources of tool results: a recording first, then mocks, functions, and URLs if allowed. */
export interface ToolSources {
  readonly recorded?: RecordedTools | undefined;
  readonly mocks: Mocks;
  readonly implementations: { readonly [name: string]: ToolExecute };
  /** Absent: tools are not called by URL. */
  readonly live?: LiveTools | undefined;
  readonly limits?: Pick<CallLimits, "toolTimeoutMs"> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Clock of the time limit. Default: the machine's. */
  readonly timers?: Clock | undefined;
}

/**
 * Answers a tool call. An error becomes a `failed` outcome with a short message for the model.
 *
 * @throws {ToolError} `aborted` when the call's signal is aborted.
 */
export async function answerToolCall(tool: CalledTool, args: JsonObject, sources: ToolSources): Promise<ToolAnswer> {
  if (sources.signal?.aborted) throw aborted(tool.name);
  using limit = startTimeLimit(
    sources.limits?.toolTimeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS,
    sources.signal,
    sources.timers,
  );
  const { signal } = limit;
  const recorded = sources.recorded?.answer(tool.name, args);
  if (recorded) return recorded;
  const mock = sources.recorded?.unmatched === "fail" ? undefined : sources.mocks.take(tool.name, args);
  try {
    if (mock) {
      if (mock.delay_ms) await sleep(mock.delay_ms, undefined, { signal });
      // as in test cases: without `result` the call succeeds
      const outcome = mock.result === false ? "failed" : "succeeded";
      return { outcome, result: asJson(tool.name, jsonOrText(mock.output) ?? null), mocked: true };
    }
    const result = await limit.until(answer(tool, args, sources, signal));
    return { outcome: "succeeded", result: asJson(tool.name, jsonOrText(result) ?? null), mocked: false };
  } catch (error) {
    if (sources.signal?.aborted) throw aborted(tool.name);
    return { outcome: "failed", result: failureText(readableError(error), limit), mocked: mock !== undefined };
  }
}

/** A result as text, for models and transcripts. */
export function resultText(result: unknown): string {
  return typeof result === "string" ? result : JSON.stringify(result);
}

/** A key for a tool call; equal for equal arguments in any order. */
export function toolCallKey(name: string, args: JsonObject): string {
  return `${name}(${canonicalJson(args)})`;
}

async function answer(tool: CalledTool, args: JsonObject, sources: ToolSources, signal: AbortSignal): Promise<unknown> {
  const { name } = tool;
  // a replay repeats no side effects by default
  const isClosed = sources.recorded !== undefined && sources.recorded.unmatched !== "run";
  const implementation = isClosed ? undefined : own(sources.implementations, name);
  if (!implementation && endingOf(tool)) return "done"; // a tool that ends the call needs no implementation
  const live = isClosed || implementation || !tool.url ? undefined : sources.live;
  if (!implementation && !live) throw isClosed ? unrecorded(name) : unmocked(name);
  await checkArguments(tool, args);
  if (implementation) return await implementation(structuredClone(args), { signal });
  return live && (await callLiveTool(tool, args, live, signal));
}

function failureText(error: unknown, limit: TimeLimit): string {
  if (limit.expired()) return "it did not answer in time";
  const message = thrownWords(error) || codeOf(error) || "it gave no reason";
  // redact before clipping: the redactor would not recognize half a key
  const words = redact(isCallweaveError(error) ? `${message} (${error.hint})` : message);
  return shorten(words, LONGEST_FAILURE);
}

/** Returns the code of an error. When connecting failed at several addresses, the error has a code but no message. */
function codeOf(error: unknown): string {
  return isRecord(error) && typeof error.code === "string" ? error.code : "";
}

/** Copies a value through JSON, as models and results receive it. */
function asJson(name: string, value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch (cause) {
    throw new ToolError(`Cannot use the result of tool "${name}": JSON cannot represent it`, {
      code: "tool-failed",
      path: [name],
      hint: "Return strings, numbers, lists and plain objects, without circular references",
      cause,
    });
  }
}

function unmocked(name: string): ToolError {
  return new ToolError(`Cannot call tool "${name}": it has no mock, no function and no allowed URL`, {
    code: "unmocked-tool",
    path: [name],
    hint: `Mock "${name}" in the scenario, or give the tool an execute function`,
  });
}

function unrecorded(name: string): ToolError {
  return new ToolError(`Cannot call tool "${name}": the recording has no unused result for it, and no mock matches`, {
    code: "unrecorded-tool",
    path: [name],
    hint: `Mock "${name}" in the scenario, or let its function answer with unmatchedTools: "run"`,
  });
}

function aborted(name: string): ToolError {
  return new ToolError(`Cannot finish tool "${name}": the call was aborted`, {
    code: "aborted",
    path: [name],
    hint: "Start the call again, without the aborted signal",
  });
}
