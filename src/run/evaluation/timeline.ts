import * as v from "valibot";
import { ScenarioError, throwIssues } from "../../base/errors.ts";
import { formatSeconds } from "../../base/values/mod.ts";
import { type Call, END_REASONS, type EndReason, type Message, type ToolCall } from "../../document/transcript/mod.ts";

const at_ms = v.optional(v.pipe(v.number(), v.minValue(0)), 0);
const object = v.optional(v.record(v.string(), v.unknown()), {});
const node = v.optional(v.string());

/** Schema of an event. Times count from the start of the call, in milliseconds. */
const Event = v.variant("type", [
  v.strictObject({
    type: v.literal("message"),
    at_ms,
    role: v.picklist(["agent", "caller", "assistant", "user"]),
    text: v.string(),
    node,
  }),
  v.strictObject({
    type: v.literal("tool_call"),
    at_ms,
    name: v.string(),
    arguments: object,
    result: v.optional(v.unknown(), null),
    outcome: v.optional(v.picklist(["succeeded", "failed"]), "succeeded"),
    duration_ms: v.optional(v.number(), 0),
    node,
  }),
  v.strictObject({
    type: v.literal("transition"),
    at_ms,
    from: v.optional(v.string(), ""),
    to: v.string(),
    because: v.optional(v.string(), ""),
  }),
  v.strictObject({ type: v.literal("extraction"), at_ms, variables: v.record(v.string(), v.unknown()), node }),
  v.strictObject({ type: v.literal("interruption"), at_ms, by: v.optional(v.picklist(["agent", "caller"]), "caller") }),
  v.strictObject({ type: v.literal("silence"), at_ms, duration_ms: v.pipe(v.number(), v.minValue(0)) }),
  v.strictObject({ type: v.literal("end"), at_ms, reason: v.picklist(END_REASONS) }),
]);

const Document = v.strictObject({
  name: v.optional(v.string(), "timeline"),
  started_at: v.optional(v.string(), "1970-01-01T00:00:00.000Z"),
  events: v.pipe(v.array(Event), v.minLength(1)),
});

/**
 * An event of a call: speech, a tool call, a transition, an interruption, a silence, the end. `at_ms` is in
 * milliseconds from the start of the call; 0 by default.
 */
export type TimelineEvent = { readonly at_ms?: number } & (
  | {
      readonly type: "message";
      readonly role: "agent" | "caller" | "assistant" | "user";
      readonly text: string;
      readonly node?: string;
    }
  | {
      readonly type: "tool_call";
      readonly name: string;
      readonly arguments?: { readonly [name: string]: unknown };
      readonly result?: unknown;
      /** Default: `succeeded`. */
      readonly outcome?: "succeeded" | "failed";
      readonly duration_ms?: number;
      readonly node?: string;
    }
  | { readonly type: "transition"; readonly from?: string; readonly to: string; readonly because?: string }
  | { readonly type: "extraction"; readonly variables: { readonly [name: string]: unknown }; readonly node?: string }
  | { readonly type: "interruption"; readonly by?: "agent" | "caller" }
  | { readonly type: "silence"; readonly duration_ms: number }
  | { readonly type: "end"; readonly reason: EndReason }
);

/** A call as the events of a voice agent, in chronological order. */
export interface Timeline {
  /** Default: `timeline`. */
  readonly name?: string;
  /** ISO 8601. Default: 1970. */
  readonly started_at?: string;
  readonly events: readonly TimelineEvent[];
}

/**
 * Parses a timeline into a call. Interruptions and silences become `system` messages, which the judge sees after the words
 * that they follow.
 *
 * @throws {ScenarioError} `invalid-option` if the document is not a timeline.
 */
export function readTimeline(document: Timeline): Call {
  const read = v.safeParse(Document, document);
  if (!read.success)
    throwIssues(
      ScenarioError,
      "Cannot read the timeline",
      read.issues.map((issue) => ({
        code: "invalid-option",
        path: (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key))),
        message: issue.message,
        hint: 'Write { "events": [{ "at_ms": 0, "type": "message", "role": "agent", "text": "Hello" }] }',
      })),
    );
  const { name, started_at, events } = v.parse(Document, document);
  const startMs = Date.parse(started_at);
  const transcript: Message[] = [];
  const toolsCalled: ToolCall[] = [];
  const visited: string[] = [];
  const variables = new Map<string, unknown>();
  let at = "";
  let endReason: EndReason | undefined;
  const enter = (id: string) => {
    if (id !== "" && id !== visited.at(-1)) visited.push(id);
    at = id || at;
  };
  for (const event of events) {
    const timestamp = new Date((Number.isNaN(startMs) ? 0 : startMs) + event.at_ms).toISOString();
    const add = (role: Message["role"], content: string, metadata: Message["metadata"] = {}) =>
      transcript.push({ role, content, node_id: at, timestamp, metadata });
    if ("node" in event && event.node) enter(event.node);
    if (event.type === "message")
      add(event.role === "agent" || event.role === "assistant" ? "assistant" : "user", event.text);
    if (event.type === "tool_call") {
      const { name: tool, arguments: args, result, outcome, duration_ms: durationMs } = event;
      toolsCalled.push({ name: tool, arguments: args, result, outcome, durationMs, nodeId: at, mocked: false });
      const metadata = { kind: "tool_call", name: tool, arguments: args, result, outcome, duration_ms: durationMs };
      add("tool", `${tool}(${JSON.stringify(args)}) ${outcome}: ${JSON.stringify(result)}`, metadata);
    }
    if (event.type === "transition") {
      const { from, to, because } = event;
      if (visited.length === 0) enter(from);
      add("tool", `${from || at} -> ${to}: ${because}`, {
        kind: "transition",
        from: from || at,
        to,
        because,
        ways: [],
      });
      visited.push(to);
      at = to;
    }
    if (event.type === "extraction") {
      for (const [key, value] of Object.entries(event.variables)) variables.set(key, value);
      add("tool", `extracted ${JSON.stringify(event.variables)}`, { kind: "extraction", variables: event.variables });
    }
    if (event.type === "interruption")
      add("system", `the ${event.by} interrupts`, { kind: "interruption", by: event.by });
    if (event.type === "silence") {
      const { duration_ms } = event;
      add("system", `${formatSeconds(duration_ms)} of silence`, { kind: "silence", duration_ms });
    }
    if (event.type === "end") endReason = event.reason;
  }
  return {
    scenario: name,
    startedAt: started_at,
    durationMs: events.reduce((last, { at_ms: ms }) => Math.max(last, ms), 0),
    transcript,
    nodesVisited: visited,
    toolsCalled,
    variables: Object.fromEntries(variables),
    endReason,
  };
}
