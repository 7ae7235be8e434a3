import { isRecord } from "../../../../../base/values/mod.ts";
import type { StudioChat } from "../../../api/mod.ts";

/** A line of a turn: what the agent said, or what happened. */
export interface TurnLine {
  readonly kind: "agent" | "event";
  readonly text: string;
}

/** One turn of two calls: what the caller said, and what each version of the agent made of it. */
export interface TwoTurns {
  /** Empty for the opening. */
  readonly said: string;
  readonly original: readonly TurnLine[];
  readonly edited: readonly TurnLine[];
  /** What differs: `node`, `tool`, `variable`. Other words of the agent are no difference. */
  readonly differs: readonly ("node" | "tool" | "variable")[];
}

type Messages = StudioChat["transcript"];

interface Turn {
  readonly said: string;
  readonly messages: Messages;
}

/** Two transcripts, turn by turn. */
export function twoTurns(original: Messages, edited: Messages): readonly TwoTurns[] {
  const [one, other] = [turnsIn(original), turnsIn(edited)];
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const [left, right] = [one[index], other[index]];
    const kinds = ["node", "tool", "variable"] as const;
    return {
      said: left?.said ?? right?.said ?? "",
      original: linesOf(left),
      edited: linesOf(right),
      differs: kinds.filter((kind) => factsOf(left, kind) !== factsOf(right, kind)),
    };
  });
}

/** The names of variables that have another value in one of two calls. */
export function otherVariables(original: StudioChat["variables"], edited: StudioChat["variables"]): readonly string[] {
  const names = new Set([...Object.keys(original), ...Object.keys(edited)]);
  return [...names].filter((name) => JSON.stringify(original[name]) !== JSON.stringify(edited[name]));
}

function turnsIn(messages: Messages): readonly Turn[] {
  const turns: { said: string; messages: Messages }[] = [{ said: "", messages: [] }];
  for (const message of messages) {
    if (message.role === "user") turns.push({ said: message.content, messages: [] });
    else turns.at(-1)?.messages.push(message);
  }
  // without an opening, the first turn is the caller's
  return turns[0]?.messages.length === 0 && turns.length > 1 ? turns.slice(1) : turns;
}

function linesOf(turn: Turn | undefined): readonly TurnLine[] {
  return (turn?.messages ?? []).map(({ role, content }) => ({
    kind: role === "assistant" ? "agent" : "event",
    text: content,
  }));
}

/** The facts of a turn that are compared, as a text. */
function factsOf(turn: Turn | undefined, kind: "node" | "tool" | "variable"): string {
  if (!turn) return "no turn";
  if (kind === "node") return JSON.stringify(turn.messages.map(({ node_id }) => node_id).filter(isChange));
  const found = turn.messages.flatMap(({ metadata }) => {
    if (kind === "tool" && metadata.kind === "tool_call") return [[metadata.name, metadata.arguments]];
    if (kind === "variable" && metadata.kind === "extraction" && isRecord(metadata.variables))
      return Object.entries(metadata.variables);
    return [];
  });
  return JSON.stringify(found);
}

function isChange(node: string, index: number, nodes: readonly string[]): boolean {
  return node !== nodes[index - 1];
}
