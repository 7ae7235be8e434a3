import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import type { EndReason, Message, RecordedMove, ToolCall } from "../../../document/transcript/mod.ts";

/** A step of a call, in order of time. */
export type CallStep = EnteredStep | VariableStep | ToolStep | EndStep;

interface Step {
  /** Number of the caller's turn, from 1; 0 for the opening. */
  readonly turn: number;
  /** The node of the step; empty if it is not known. */
  readonly node: string;
}

/** The call entered a node. */
export interface EnteredStep extends Step {
  readonly kind: "path";
  readonly to: string;
  readonly ways: readonly RecordedMove[];
  /** The reason, with the model's reasoning; absent for the first node, and if it is not known. */
  readonly because?: string;
}

/** Variables were extracted. */
export interface VariableStep extends Step {
  readonly kind: "variable";
  readonly values: JsonObject;
}

/** A tool was called. */
export interface ToolStep extends Step {
  readonly kind: "tool";
  readonly name: string;
  readonly arguments: JsonObject;
  readonly outcome: ToolCall["outcome"] | undefined;
}

/** The call ended. */
export interface EndStep extends Step {
  readonly kind: "end";
  readonly reason: EndReason;
}

/** A decision to stay at a node. */
export interface Stay extends Step {
  readonly because: string;
}

/** The steps of a call, and its decisions to stay. */
export interface CallSteps {
  readonly steps: readonly CallStep[];
  readonly stays: readonly Stay[];
}

/** The parts of a result that are compared. */
export interface ComparedCall {
  readonly transcript: readonly Message[];
  readonly nodesVisited: readonly string[];
  readonly endReason?: EndReason | undefined;
}

/**
 * Reads the steps of a call from its transcript. Consecutive lines of the caller count as separate turns with
 * `splitsTurns`.
 */
export function callSteps(call: ComparedCall, { splitsTurns }: { readonly splitsTurns: boolean }): CallSteps {
  const steps: CallStep[] = [];
  const stays: Stay[] = [];
  let turn = 0;
  let node = call.nodesVisited[0] ?? "";
  if (node !== "") steps.push({ kind: "path", turn, node: "", to: node, ways: [] });
  for (const [index, message] of call.transcript.entries()) {
    const { role, content, metadata } = message;
    if (role === "user" && (splitsTurns || call.transcript[index - 1]?.role !== "user")) turn += 1;
    if (role !== "tool") continue;
    const { kind, variables, name, arguments: args, outcome } = metadata;
    if (kind === "transition") {
      const step = transitionStep(message, turn, node);
      if (step) steps.push(step);
      node = step?.to ?? node;
    } else if (kind === "extraction" && isRecord(variables)) {
      steps.push({ kind: "variable", turn, node, values: variables });
    } else if (kind === "tool_call" && typeof name === "string") {
      const known = outcome === "succeeded" || outcome === "failed" ? outcome : undefined;
      steps.push({ kind: "tool", turn, node, name, arguments: isRecord(args) ? args : {}, outcome: known });
    } else if (kind === "decision" || kind === "unusable_answer") stays.push({ turn, node, because: content });
  }
  if (call.endReason) steps.push({ kind: "end", turn, node, reason: call.endReason });
  return { steps, stays };
}

function transitionStep({ content, metadata }: Message, turn: number, node: string): EnteredStep | undefined {
  const { from, to, because, ways } = metadata;
  if (typeof to !== "string" || to === "") return undefined;
  const head = `${from} -> ${to}: `;
  const text = content.startsWith(head) ? content.slice(head.length) : typeof because === "string" ? because : "";
  const taken = Array.isArray(ways) ? ways.flatMap((way: unknown) => takenWay(way) ?? []) : [];
  const left = typeof from === "string" && from !== "" ? from : node;
  return { kind: "path", turn, node: left, to, ways: taken, ...(text === "" ? {} : { because: text }) };
}

function takenWay(way: unknown): RecordedMove | undefined {
  if (!isRecord(way)) return undefined;
  const { transition, global, go_back: back } = way;
  if (typeof transition === "number") return { transition };
  if (typeof back === "number") return { go_back: back };
  return global === true ? { global } : undefined;
}
