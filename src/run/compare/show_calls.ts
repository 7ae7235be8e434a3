import { diffArrays } from "diff";
import { cut, oneLine, PLAIN, pad, paint, type Style, wrap } from "../../base/values/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import { type ResultRecord, redactedResult } from "../store/mod.ts";
import type { RateChange } from "./types.ts";

/** The calls to choose from. */
type Trial = Pick<ResultRecord, "status" | "trial">;

/**
 * Chooses a call of each run that shows a change: a passed and a failed one, of the same trial if there is such a pair.
 *
 * @returns `undefined` when one run has no calls.
 */
export function pairOfCalls<Call extends Trial>(
  base: readonly Call[],
  head: readonly Call[],
  change: RateChange,
): { readonly base: Call; readonly head: Call } | undefined {
  const [from, to] = change === "better" ? (["fail", "pass"] as const) : (["pass", "fail"] as const);
  const wanted = (calls: readonly Call[], status: string) => {
    const found = calls.filter((call) => call.status === status);
    return found.length > 0 ? found : calls.filter((call) => call.status === "pass" || call.status === "fail");
  };
  const [before, after] = [wanted(base, from), wanted(head, to)];
  const partnerOf = (call: Call) => after.find(({ trial }) => trial === call.trial);
  const first = before.find((call) => partnerOf(call) !== undefined) ?? before[0];
  const partner = first && (partnerOf(first) ?? after[0]);
  return first && partner ? { base: first, head: partner } : undefined;
}

/**
 * Formats two calls side by side from the first message that differs, followed by what each failed.
 *
 * @param style Default: without colours, 100 columns.
 */
export function showCalls(base: ResultRecord, head: ResultRecord, style: Style = PLAIN): string {
  const column = (run: string, { status, trial, transcript }: ResultRecord) => ({
    title: `${run}: trial ${trial}, ${status}`,
    transcript,
  });
  const failures = [
    ...failuresOf(base).map((line) => `base: ${line}`),
    ...failuresOf(head).map((line) => `head: ${line}`),
  ];
  const shown = failures.flatMap((line) => wrap(style, line, 2).map((each) => paint(style, "red", each)));
  return `${sideBySide(column("base", base), column("head", head), style)}${shown.map((line) => `${line}\n`).join("")}`;
}

function failuresOf(result: ResultRecord): readonly string[] {
  const { checks, verdicts, errorMessage } = redactedResult(result);
  return [
    ...checks
      .filter(({ passed }) => !passed)
      .map(({ kind, expected, reason }) => `✗ ${kind} ${oneLine(expected)}: ${reason}`),
    ...verdicts
      .filter(({ passed }) => !passed)
      .map(({ criterion, score, threshold, reasoning }) => `✗ ${criterion} (${score} of ${threshold}): ${reasoning}`),
    ...(errorMessage === null ? [] : [`! ${errorMessage}`]),
  ];
}

/** Two columns side by side. */
export interface Column {
  readonly title: string;
  readonly transcript: readonly Message[];
}

const SPEAKERS: { readonly [Role in Message["role"]]: string } = {
  assistant: "agent",
  user: "caller",
  tool: "·",
  system: "system",
};

/** Number of messages to show before the first difference, as context. */
const CONTEXT = 1;

/** Index of the first message that differs; the length of both when they are equal. */
export function firstDivergence(base: readonly Message[], head: readonly Message[]): number {
  const first = head.findIndex((message, index) => !isSame(base[index], message));
  return first === -1 ? Math.min(base.length, head.length) : first;
}

/**
 * Formats two transcripts side by side from the first message that differs. Rows that differ are marked.
 *
 * @param style Default: without colours, 100 columns.
 */
export function sideBySide(base: Column, head: Column, style: Style = PLAIN): string {
  const [before, after] = redactedResult([base.transcript, head.transcript]);
  if (!before || !after) throw new TypeError("unreachable: there are two transcripts");
  const column = Math.floor((style.width - 3) / 2);
  const row = (left: string, mark: string, right: string) =>
    `${pad(left, column)} ${mark} ${cut(right, column)}`.trimEnd();
  const divergence = firstDivergence(before, after);
  const lines = [paint(style, "bold", row(base.title, "│", head.title))];
  if (divergence === before.length && divergence === after.length)
    return `${[...lines, `the transcripts are equal (${divergence} messages)`].join("\n")}\n`;
  const skipped = Math.max(0, divergence - CONTEXT);
  if (skipped > 0) lines.push(paint(style, "dim", `the first ${skipped} messages are equal`));
  let nodes: readonly (string | undefined)[] = [];
  for (const { left, right } of rowsOf(before.slice(skipped), after.slice(skipped))) {
    const same = isSame(left, right);
    const mark = same ? "│" : "≠";
    const [one, other] = [cellOf(left, column, nodes[0]), cellOf(right, column, nodes[1])];
    nodes = [left?.node_id ?? nodes[0], right?.node_id ?? nodes[1]];
    for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
      const line = row(one[index] ?? "", mark, other[index] ?? "");
      lines.push(same ? paint(style, "dim", line) : line);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Pairs messages: equal ones face each other, and others in their order. */
function rowsOf(
  before: readonly Message[],
  after: readonly Message[],
): readonly { readonly left: Message | undefined; readonly right: Message | undefined }[] {
  const rows: { left: Message | undefined; right: Message | undefined }[] = [];
  let [from, to] = [0, 0];
  let [removed, added] = [0, 0];
  const flush = () => {
    for (let index = 0; index < Math.max(removed, added); index += 1)
      rows.push({
        left: index < removed ? before[from + index] : undefined,
        right: index < added ? after[to + index] : undefined,
      });
    [from, to, removed, added] = [from + removed, to + added, 0, 0];
  };
  for (const part of diffArrays(before.map(keyOf), after.map(keyOf))) {
    if (part.removed) removed += part.count;
    else if (part.added) added += part.count;
    else {
      flush();
      for (let index = 0; index < part.count; index += 1, from += 1, to += 1)
        rows.push({ left: before[from], right: after[to] });
    }
  }
  flush();
  return rows;
}

/** Lines of one message, below its node's name if the node changed. */
function cellOf(message: Message | undefined, width: number, node: string | undefined): readonly string[] {
  if (!message) return [];
  const { role, content, node_id: id } = message;
  const place = id === node ? [] : [`[${oneLine(id)}]`];
  return [...place, ...wrap({ color: false, width }, content, 8, `${SPEAKERS[role].padEnd(6)}  `)];
}

function isSame(one: Message | undefined, other: Message | undefined): boolean {
  return one !== undefined && other !== undefined && keyOf(one) === keyOf(other);
}

function keyOf({ role, content, node_id: node }: Message): string {
  return JSON.stringify([role, node, content]);
}
