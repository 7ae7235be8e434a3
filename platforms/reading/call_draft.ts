import { isRecord, type JsonObject, jsonOrText, own } from "../../src/base/values/mod.ts";
import type { Call, CallProvenance, Message, ToolCall } from "../../src/document/transcript/mod.ts";
import type { CallList, CallListOptions } from "./call_list.ts";

/** How the calls of a platform are recognised, read and listed. */
export interface CallReader {
  /** Whether a record is a call. */
  readonly isCall: (record: JsonObject) => boolean;
  /** Whether a record is an event of the platform's webhook that has a call in it. */
  readonly isEvent: (record: JsonObject) => boolean;
  /**
   * Returns the call of a webhook's event.
   *
   * @throws {NotACallError} `skipped` for events during a call.
   */
  readonly callOf: (event: JsonObject) => JsonObject;
  /**
   * Reads a call.
   *
   * @throws {NotACallError} `skipped` for a call that is not over.
   */
  readonly read: (record: JsonObject, place: RecordPlace) => RecordedCall;
  /** The calls of a workspace; `null` if the platform does not list them. */
  readonly list: ((options: CallListOptions) => CallList) | null;
}

/**
 * A call that happened, read from a platform or a file. Its `endReason` is absent if Callweave has no equivalent of the
 * platform's reason, which is in `provenance.platformEndReason`. `node_id` of a message is empty if the node is not known;
 * timestamps are the start of the call plus the platform's offsets, else the start of the call.
 */
export interface RecordedCall extends Call {
  readonly provenance: CallProvenance;
  readonly startedAt: string | null;
  readonly durationMs: number | null;
}

/** A record of a source that is not a call, or is incomplete. */
export interface UnreadableCall {
  /** `damaged`: it cannot be read. `skipped`: it is intact but has no finished call, such as an event during a call. */
  readonly problem: "damaged" | "skipped";
  /** The problem, as a sentence without a full stop. */
  readonly reason: string;
  /** Name of the file or platform. */
  readonly source: string;
  /** Number of the record in its source, from 1. */
  readonly position: number;
  /** Line of the file in which the record begins, from 1; `null` for records that do not come from a file. */
  readonly line: number | null;
}

/** Where a record was read, for messages about it. */
export interface RecordPlace {
  /** Name of the file or platform. */
  readonly source: string;
  /** Number of the record in its source, from 1. */
  readonly position: number;
  /** Line in which it begins; `null` if the source is not a file. */
  readonly line: number | null;
}

/** Thrown by readers for a record that is not a finished call. Its message is the reason. */
export class NotACallError extends Error {
  readonly problem: "damaged" | "skipped";

  constructor(reason: string, problem: "damaged" | "skipped" = "damaged") {
    super(reason);
    this.problem = problem;
  }
}

/** Removes empty values from the facts to keep. */
export function factsFrom(facts: JsonObject): JsonObject {
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || value === "" || (isRecord(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => !isEmpty(value)));
}

/** A tool call as a source describes it. */
export interface ToldToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly result: unknown;
  readonly outcome: ToolCall["outcome"];
  /** Default: 0. */
  readonly durationMs?: number | undefined;
}

/** Latest time that a `Date` holds. */
const LAST_TIME = 8.64e15;

/** Transcript, path and tool calls of a call that is being read. Its messages are like those of simulated calls. */
export class CallDraft {
  readonly transcript: Message[] = [];
  readonly nodesVisited: string[] = [];
  readonly toolsCalled: ToolCall[] = [];
  readonly #startMs: number;
  #at = "";
  #lastMs = 0;

  /** @param startMs Since 1970; 0 when it is not known. */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /** Id of the current node, as the platform names it; empty when it is not known. */
  get at(): string {
    return this.#at;
  }

  /** Milliseconds from the start of the call to its last message. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Adds an utterance, unless it is only white space. */
  say(role: "user" | "assistant" | "system", content: string, atMs?: number, metadata: JsonObject = {}): void {
    if (content.trim() !== "") this.#add(role, content.trim(), atMs, metadata);
  }

  /** Enters the first node. */
  enter(id: string): void {
    if (id === "" || this.#at !== "") return;
    this.#at = id;
    this.nodesVisited.push(id);
  }

  /** Enters the first node, or moves to another one. */
  arrive(to: string, because: string, atMs?: number): void {
    if (this.#at === "") this.enter(to);
    else this.move(to, because, atMs);
  }

  /** Moves to another node. `from` is empty if the source does not name the node that the call was at. */
  move(to: string, because: string, atMs?: number): void {
    if (to === "") return;
    const from = this.#at;
    this.#add("tool", transitionText({ from, to, because }), atMs, { kind: "transition", from, to, because });
    this.#at = to;
    this.nodesVisited.push(to);
  }

  call({ durationMs = 0, ...call }: ToldToolCall, atMs?: number): void {
    const { name, arguments: args, result, outcome } = call;
    this.toolsCalled.push({ ...call, durationMs, nodeId: this.#at, mocked: false });
    const text = typeof result === "string" ? result : JSON.stringify(result ?? null);
    this.#add("tool", `${name}(${JSON.stringify(args)}) ${outcome}: ${text}`, atMs, {
      kind: "tool_call",
      ...call,
      mocked: false,
      duration_ms: durationMs,
    });
  }

  #add(role: Message["role"], content: string, atMs: number | undefined, metadata: JsonObject): void {
    this.#lastMs = Math.max(this.#lastMs, atMs ?? 0);
    const time = timeFrom(this.#startMs + this.#lastMs) ?? 0;
    this.transcript.push({ role, content, node_id: this.#at, timestamp: new Date(time).toISOString(), metadata });
  }
}

/** The text of a transition's message; an unknown node is left out. */
export function transitionText({ from, to, because }: Readonly<Record<"from" | "to" | "because", string>>): string {
  return `${from === "" ? "" : `${from} `}-> ${to}: ${because}`;
}

/**
 * Whether a tool's result says that it failed, for sources without a status: a text that begins with "Error", or
 * an object whose only content is an error.
 */
export function outcomeOf(result: unknown): ToolCall["outcome"] {
  if (typeof result === "string") return /^\W*error\b/i.test(result) ? "failed" : "succeeded";
  return isRecord(result) && Object.keys(result).length === 1 && result.error ? "failed" : "succeeded";
}

/** Returns the text under a key; `undefined` when it is no text or empty. */
export function textAt(record: JsonObject, key: string): string | undefined {
  const value = own(record, key);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the number under a key; `undefined` when it is not a number. */
export function numberAt(record: JsonObject, key: string): number | undefined {
  const value = own(record, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Arguments of a tool call: an object, or its JSON. Anything else is kept under the key `arguments`. */
export function argumentsFrom(value: unknown): JsonObject {
  const read = jsonOrText(value);
  if (isRecord(read)) return read;
  return read === undefined || read === null || read === "" ? {} : { arguments: read };
}

/** Time from milliseconds since 1970 or ISO 8601; `undefined` when it is neither. */
export function timeFrom(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isFinite(time) && Math.abs(time) <= LAST_TIME ? time : undefined;
}
