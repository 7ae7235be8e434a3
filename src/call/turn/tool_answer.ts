import { setTimeout as sleep } from "node:timers/promises";
import { isCallweaveError, ToolError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import {
  type Clock,
  canonicalJson,
  getAt,
  isRecord,
  type JsonObject,
  jsonOrText,
  madeOnceFor,
  own,
  readableError,
  sameJson,
  shorten,
  startTimeLimit,
  type TimeLimit,
  thrownWords,
} from "../../base/values/mod.ts";
import { endingOf, type JsonSchema, type ToolExecute } from "../../document/graph/mod.ts";
import type { ToolMock } from "../../document/scenario/mod.ts";
import type { UNMATCHED_TOOLS } from "../../document/settings/mod.ts";
import type { CallLimits } from "./budget.ts";
import { type CalledTool, callLiveTool, type LiveTools } from "./live_tool.ts";
import { type CallToolState, mergePatch } from "./tool_state.ts";

/** Default of `toolTimeoutMs`. */
const DEFAULT_TOOL_TIMEOUT_MS = 30_000;

/** Maximum length of an error message for the model, in characters: some errors contain whole pages. */
const LONGEST_FAILURE = 500;

/** The sources of tool results: a recording first, then mocks, functions, and URLs if allowed. */
export interface ToolSources {
  readonly recorded?: RecordedTools | undefined;
  readonly mocks: Mocks;
  readonly implementations: { readonly [name: string]: ToolExecute };
  /** What functions and mocks change; absent: a call without a state. */
  readonly state?: CallToolState | undefined;
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
  if (recorded) {
    if (sources.state) sources.state.isKnown = false; // what the tool changed is not in its result
    return recorded;
  }
  const mock = sources.recorded?.unmatched === "fail" ? undefined : sources.mocks.take(tool.name, args);
  try {
    if (mock) {
      if (mock.delay_ms) await sleep(mock.delay_ms, undefined, { signal });
      if (mock.state_changes && sources.state) mergePatch(sources.state.value, mock.state_changes);
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
  if (implementation) return await implementation(structuredClone(args), { signal, state: sources.state?.value ?? {} });
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

/** The result of a tool call. */
export interface ToolAnswer {
  readonly outcome: "succeeded" | "failed";
  /** Parsed JSON, else text; for a failure the error message. */
  readonly result: unknown;
  readonly mocked: boolean;
}

/**
 * The policy for tool calls that the recording does not have. `mocks`: use the scenario's mocks; without a match, the call
 * fails with `unrecorded-tool`. `fail`: always fail that way. `run`: use mocks, functions and allowed URLs, as in a run.
 */
export type UnmatchedTools = (typeof UNMATCHED_TOOLS)[number];

/** The tools of a recorded call, which take precedence over mocks, functions and URLs. */
export interface RecordedTools {
  /** Returns the recorded result of a call and marks it as used; `undefined` if no result is left. */
  answer(name: string, args: JsonObject): ToolAnswer | undefined;
  /** Returns whether the node's next transfer succeeded in the recording; `undefined` if none is left. */
  transfer(nodeId: string): ToolAnswer["outcome"] | undefined;
  readonly unmatched: UnmatchedTools;
}

/** Mocks of a call. Counts how often each one answered. */
export class Mocks {
  readonly #mocks: readonly ToolMock[];
  readonly #answered: number[];

  /** @param answered How often each mock has answered before, in the order of the mocks. */
  constructor(mocks: readonly ToolMock[], answered: readonly number[] = []) {
    this.#mocks = mocks;
    this.#answered = mocks.map((_, index) => answered[index] ?? 0);
  }

  /** How often each mock has answered. */
  get answered(): readonly number[] {
    return this.#answered;
  }

  /** Returns the first matching mock that is not used up, and counts the call. */
  take(name: string, args: JsonObject): ToolMock | undefined {
    const index = this.#mocks.findIndex((mock, at) => fits(mock, name, args) && !this.#usedUp(mock, at));
    if (index < 0) return undefined;
    this.#answered[index] = this.#uses(index) + 1;
    return this.#mocks[index];
  }

  #usedUp(mock: ToolMock, index: number): boolean {
    return typeof mock.times === "number" && this.#uses(index) >= mock.times;
  }

  #uses(index: number): number {
    return this.#answered[index] ?? 0;
  }
}

function fits(mock: ToolMock, name: string, args: JsonObject): boolean {
  if (mock.tool_name !== name) return false;
  const rule = mock.input_match_rule;
  return rule.type === "any" || Object.entries(rule.args).every(([key, want]) => holds(args, key, want));
}

/** Whether arguments contain the expected value. Objects may have more keys; scalars are compared as texts. */
function holds(args: JsonObject, key: string, want: unknown): boolean {
  if (!Object.hasOwn(args, key)) return false;
  const got = args[key];
  if (isRecord(want)) return isRecord(got) && Object.entries(want).every(([inner, value]) => holds(got, inner, value));
  return typeof want === "object" ? sameJson(got, want) : String(got) === String(want);
}

/**
 * Validates arguments against the tool's JSON Schema.
 *
 * @throws {ToolError} `tool-arguments`.
 */
export async function checkArguments({ name, parameters }: CalledTool, args: JsonObject): Promise<void> {
  if (!constrains(parameters)) return;
  const validate = await compiled(parameters);
  if (validate(args)) return;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message }) =>
      `${instancePath.slice(1).replaceAll("/", ".") || "arguments"} ${message ?? "is wrong"}`,
  );
  throw new ToolError(`Cannot call tool "${name}": ${faults.join("; ")}`, {
    code: "tool-arguments",
    path: [name],
    hint: "Call it again with arguments that match its schema",
  });
}

/** Compiles a schema, once for each: that takes a hundred times as long as a check. */
const compiled = madeOnceFor(async (parameters: JsonSchema) => {
  // ajv supports every keyword found in tool parameters; loaded on first use
  const { Ajv } = await import("ajv");
  // ignore an unknown dialect: ajv checks the keywords that it supports
  const { $schema: _, ...schema } = parameters;
  return new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false }).compile(schema);
});

/** Whether a schema restricts anything besides the type. */
function constrains(schema: JsonSchema | null | undefined): schema is JsonSchema {
  return Object.keys(schema ?? {}).some((keyword) => keyword !== "type" && keyword !== "$schema");
}

/** Returns the value at a JSON path such as `$.order.items[0].status`, or `undefined`. */
export function valueAtJsonPath(value: unknown, path: string): unknown {
  return getAt(value, path.replace(/^\$\.?/, "").match(/[^.[\]"']+/g) ?? []);
}
