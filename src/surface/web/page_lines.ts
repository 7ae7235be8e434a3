import { isRecord } from "../../base/values/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import type { PageEvent, PageLine, PageNode, PageValue } from "./page_data.ts";

/** Numbers for node ids, so that each id is in the page once. */
export interface NodeIndexes {
  readonly nodes: readonly PageNode[];
  /** The number of a node by its id or name; nodes that are not in the graph get the next free number. */
  readonly indexOf: (id: string) => number;
}

/** Converts the messages of a transcript to lines of the page. */
export function linesOf(transcript: readonly Message[], nodes: NodeIndexes): readonly PageLine[] {
  const timeOf = ({ timestamp }: Message) => (typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN);
  const first = transcript[0] ? timeOf(transcript[0]) : 0;
  return transcript.map((message) => {
    const ms = timeOf(message) - first;
    return { node: nodes.indexOf(message.node_id), ms: Number.isFinite(ms) ? ms : 0, ...eventOf(message, nodes) };
  });
}

/**
 * The arrows of the picture that a `transition` message took: `t3.0` is the first transition of node 3, `g5` the entry of
 * global node 5, `b5.0` its first go-back. If the message does not tell, `p3.5` is any arrow from node 3 to node 5.
 */
export function arrowsOf({ node_id: from, metadata }: Message, nodes: NodeIndexes): readonly string[] {
  const { kind, to, ways } = metadata;
  if (kind !== "transition" || typeof to !== "string") return [];
  const known = (Array.isArray(ways) ? ways : []).flatMap((way: unknown) => {
    if (!isRecord(way)) return [];
    if (typeof way.transition === "number") return [`t${nodes.indexOf(from)}.${way.transition}`];
    if (typeof way.go_back === "number") return [`b${nodes.indexOf(from)}.${way.go_back}`];
    return way.global === true ? [`g${nodes.indexOf(to)}`] : [];
  });
  return known.length > 0 ? known : [`p${nodes.indexOf(from)}.${nodes.indexOf(to)}`];
}

/** Values as texts, in their order. */
export function valuesOf(values: { readonly [name: string]: unknown }): readonly PageValue[] {
  return Object.entries(values).map(([name, value]) => [name, textOf(value)]);
}

function eventOf(message: Message, nodes: NodeIndexes): PageEvent {
  const { role, content, metadata } = message;
  if (role === "assistant") return { kind: "agent", text: content, ...(metadata.cut === true ? { isCut: true } : {}) };
  if (role === "user") return { kind: "caller", text: content };
  if (role === "system") return { kind: "system", text: content };
  switch (metadata.kind) {
    case "transition":
      return moveOf(message, nodes) ?? { kind: "note", text: content };
    case "decision":
    case "unusable_answer": {
      const kind = metadata.kind === "decision" ? "decision" : "unusable";
      const reasoning = reasoningOf(metadata);
      return { kind, text: content.replace(/; reasoning: [\s\S]*$/, ""), ...(reasoning ? { reasoning } : {}) };
    }
    case "extraction":
      return { kind: "values", values: isRecord(metadata.variables) ? valuesOf(metadata.variables) : [] };
    case "tool_call":
      return toolOf(metadata);
    default:
      return { kind: "note", text: content };
  }
}

function moveOf(message: Message, nodes: NodeIndexes): PageEvent | undefined {
  const { metadata } = message;
  const { to, because } = metadata;
  if (typeof to !== "string") return undefined;
  const reasoning = reasoningOf(metadata);
  return {
    kind: "move",
    to: nodes.indexOf(to),
    because: typeof because === "string" ? because : "",
    arrows: arrowsOf(message, nodes),
    ...(reasoning ? { reasoning } : {}),
  };
}

function reasoningOf({ decision }: Message["metadata"]): string {
  return isRecord(decision) && typeof decision.reasoning === "string" ? decision.reasoning.trim() : "";
}

function toolOf(metadata: Message["metadata"]): PageEvent {
  const { name, result, outcome, mocked, duration_ms: took } = metadata;
  return {
    kind: "tool",
    name: textOf(name),
    input: textOf(metadata.arguments),
    output: textOf(result),
    ...(outcome === "failed" ? { failed: true } : {}),
    ...(mocked === true ? { mocked: true } : {}),
    ...(typeof took === "number" ? { took } : {}),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}
