import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import type { Message, ToolCall } from "../../src/document/transcript/mod.ts";
import { timeFrom } from "./fields.ts";

/** A tool call as a source describes it. */
export interface ToldToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly result: unknown;
  readonly outcome: ToolCall["outcome"];
  /** Default: 0. */
  readonly durationMs?: number | undefined;
}

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
