import { arrowsOf, linesOf, type NodeIndexes, type PageLine, type PageNode } from "../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../api/mod.ts";
import type { WaterfallTurn } from "./waterfall.tsx";
import type { WaveMark } from "./waveform.tsx";

type Call = StudioAnswer<"call">;
/** What a call, or a chat, has of these. */
type CallParts = Pick<Call, "nodes" | "transcript" | "nodesVisited" | "latency" | "recording">;

/** A call as the report's parts show it. */
export interface CallFacts {
  readonly nodes: readonly PageNode[];
  readonly lines: readonly PageLine[];
  /** Indexes of the nodes in the order of entry. */
  readonly path: readonly number[];
  /** Keys of the arrows of the picture that were taken. */
  readonly arrows: readonly string[];
  readonly waits: readonly WaterfallTurn[];
  readonly marks: readonly WaveMark[];
}

/** Makes the parts of a call's page of what the server says of it. */
export function callFactsOf({ nodes: named, transcript, nodesVisited, latency, recording }: CallParts): CallFacts {
  const indexes = numbered(named);
  const lines = linesOf(transcript, indexes);
  return {
    lines,
    nodes: indexes.nodes,
    path: nodesVisited.map(indexes.indexOf),
    arrows: [...new Set(transcript.flatMap((message) => arrowsOf(message, indexes)))],
    waits: latency.map(({ turn, nodeId, firstWordMs, parts }) => ({
      name: turnName(turn),
      node: named.find(({ id }) => id === nodeId)?.name ?? nodeId,
      totalMs: firstWordMs,
      parts: (parts ? PARTS : []).flatMap(([key, name]) => {
        const ms = parts?.[key] ?? 0;
        return ms > 0 ? [{ name, ms }] : [];
      }),
    })),
    marks: (recording?.turns ?? []).map(({ speaker, turn, fromMs }) => {
      const line = lineOfTurn(lines, turn, speaker);
      const name = turn === 0 ? "Opening" : `${speaker === "agent" ? "Agent" : "Caller"} ${turn}`;
      return { ms: fromMs, name, speaker, ...(line === undefined ? {} : { line }) };
    }),
  };
}

/** The parts of a wait, in the order in which they happen. */
const PARTS = [
  ["transition", "choosing a way"],
  ["extraction", "filling variables"],
  ["tools", "tools"],
  ["reply", "reply"],
] as const;

/** Name of a caller's turn. */
export function turnName(turn: number): string {
  return turn === 0 ? "opening" : `turn ${turn}`;
}

/** Number of the caller's turn that a line belongs to; 0 is the opening. */
export function turnOf(lines: readonly PageLine[], line: number): number {
  return lines.slice(0, line + 1).filter(({ kind }) => kind === "caller").length;
}

/** The line where somebody speaks in a turn. */
export function lineOfTurn(lines: readonly PageLine[], turn: number, speaker: "agent" | "caller"): number | undefined {
  const found = lines.findIndex(({ kind }, index) => kind === speaker && turnOf(lines, index) === turn);
  return found < 0 ? undefined : found;
}

/** Values of variables after a line, with those that the last step changed. */
export function variablesAt(
  { startVariables, steps }: Pick<Call, "startVariables" | "steps">,
  line: number,
): readonly { readonly name: string; readonly value: unknown; readonly isNew: boolean }[] {
  const values = new Map<string, unknown>(Object.entries(startVariables));
  const before = steps.filter(({ message }) => message <= line);
  for (const { changes } of before) for (const { name, value } of changes) values.set(name, value);
  const last = new Set(
    before.filter(({ message }) => message === line).flatMap(({ changes }) => changes.map(({ name }) => name)),
  );
  return [...values].map(([name, value]) => ({ name, value, isNew: last.has(name) }));
}

function numbered(named: Call["nodes"]): NodeIndexes {
  const nodes: PageNode[] = [];
  const indexes = new Map<string, number>();
  const add = (node: PageNode) => {
    const index = nodes.push(node) - 1;
    indexes.set(node.id, index);
    return index;
  };
  for (const { id, name, type } of named) {
    const index = add({ id, ...(name === id ? {} : { name }), ...(type === null ? {} : { type }) });
    if (!indexes.has(name)) indexes.set(name, index);
  }
  return { nodes, indexOf: (id) => indexes.get(id) ?? add({ id }) };
}
