import { defined, isRecord, shorten } from "../../../base/values/mod.ts";
import { findEvidence } from "../../../call/judges/mod.ts";
import type { LatencySummary } from "../../../call/latency/mod.ts";
import { type AgentGraph, nodeNames } from "../../../document/graph/mod.ts";
import type { AudioResult, Message, TurnLatency } from "../../../document/transcript/mod.ts";
import type { ResultRecord } from "../../../run/store/mod.ts";
import type {
  PageCall,
  PageEvent,
  PageHeard,
  PageHearing,
  PageLatency,
  PageLine,
  PageNode,
  PageScore,
  PageTrial,
  PageValue,
  PageWait,
} from "../../web/mod.ts";
import { diffWords, formatChange, formatErrors, hearingsOf, lostOf } from "../audio.ts";
import { endOf } from "../console.ts";
import { formatParts, formatWait } from "../latency.ts";
import { problemsOf, warningsOf } from "../problems.ts";

/** The entry of a trial in lists. */
export function trialOf(result: ResultRecord, block: number, nodes: NodeIndexes): PageTrial {
  const { usage, status } = result;
  return {
    block,
    key: keyOf(result),
    status,
    ms: Math.round(result.durationMs),
    turns: result.turnCount,
    end: endOf(result),
    ...(usage.costUsd ? { cost: usage.costUsd } : {}),
    path: result.nodesVisited.map(nodes.indexOf),
    arrows: [...new Set(result.transcript.flatMap((message) => arrowsOf(message, nodes)))],
    problems:
      status === "pass"
        ? []
        : problemsOf(result).map(({ title, details }) =>
            title === "error" ? `error: ${details[0]?.text ?? ""}` : title,
          ),
  };
}

export function callOf(result: ResultRecord, nodes: NodeIndexes): PageCall {
  return {
    startedAt: result.startedAt,
    problems: problemsOf(result),
    warnings: warningsOf(result),
    lines: linesOf(result.transcript, nodes),
    verdicts: result.verdicts.map((verdict): PageScore => {
      const { criterion, requirement, reasoning, evidence, evidenceFound, passed, score, threshold, confidence } =
        verdict;
      const quoted = (findEvidence(evidence, result.transcript) ?? []).map((line) => result.transcript.indexOf(line));
      return {
        criterion,
        requirement,
        reason: reasoning,
        evidence,
        passed,
        score,
        threshold,
        quoted,
        ...defined({ confidence }),
        ...(evidenceFound === false ? { isUnfounded: true } : {}),
      };
    }),
    checks: result.checks,
    variables: valuesOf(result.variables),
    usage: result.usage,
    ...(result.audio ? { heard: heardOf(result.audio) } : {}),
    ...(result.latency?.length ? { waits: waitsOf(result.latency) } : {}),
  };
}

/** The trial's part of a link. */
function keyOf({ trial, attempt = 1 }: ResultRecord): string {
  return attempt === 1 ? String(trial) : `${trial}.${attempt}`;
}

/** Converts the messages of a transcript to lines of the page. */
function linesOf(transcript: readonly Message[], nodes: NodeIndexes): readonly PageLine[] {
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
function arrowsOf({ node_id: from, metadata }: Message, nodes: NodeIndexes): readonly string[] {
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
function valuesOf(values: { readonly [name: string]: unknown }): readonly PageValue[] {
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

/** The latency section of the page: a row for each node, the slowest first, and one for all turns. */
export function latencyOf({ nodes, ...all }: LatencySummary): readonly PageLatency[] {
  return [...nodes, { nodeId: "all turns", ...all }].map(({ nodeId, turns, p50Ms, p95Ms, worstMs, parts }) => ({
    name: nodeId,
    turns,
    times: [p50Ms, p95Ms, worstMs].map(formatWait),
    made: formatParts(parts),
  }));
}

/** The latency section of one call. */
function waitsOf(turns: readonly TurnLatency[]): readonly PageWait[] {
  return turns.map(({ turn, nodeId, firstWordMs, parts }) => ({
    turn: turn === 0 ? "opening" : `turn ${turn}`,
    node: nodeId,
    time: firstWordMs === null ? "nothing was said" : formatWait(firstWordMs),
    made: formatParts(parts),
  }));
}

/** Maximum length of a prompt's excerpt, in characters. */
const LONGEST_PROMPT = 1_200;

/** Numbers for node ids, so that each id is in the page once. */
export interface NodeIndexes {
  readonly nodes: readonly PageNode[];
  /** The number of a node by its id or name; nodes that are not in the graph get the next free number. */
  readonly indexOf: (id: string) => number;
}

/** Numbers the nodes of a graph in their order. Without a graph, nodes get numbers as they come. */
export function numberNodes(graph: AgentGraph | undefined): NodeIndexes {
  const nodes: PageNode[] = [];
  const indexes = new Map<string, number>();
  const add = (node: PageNode) => {
    const index = nodes.push(node) - 1;
    indexes.set(node.id, index);
    return index;
  };
  const names = graph && nodeNames(graph);
  for (const [id, node] of Object.entries(graph?.nodes ?? {})) {
    const name = names?.of(id) ?? id;
    const prompt = (node.state_prompt ?? "").trim();
    const index = add({
      id,
      ...(name === id ? {} : { name }),
      type: id === graph?.entry_node_id ? `${node.node_type}, entry` : node.node_type,
      ...(prompt === "" ? {} : { prompt: shorten(prompt, LONGEST_PROMPT) }),
      ...(node.global_node_setting ? { isGlobal: true } : {}),
    });
    indexes.set(name, index);
  }
  return { nodes, indexOf: (id) => indexes.get(id) ?? add({ id }) };
}

/** The audio section of the page: a row for each scenario. */
export function hearingOf(results: readonly ResultRecord[]): readonly PageHearing[] {
  return hearingsOf(results).map(({ scenario, wordErrorRate, lost, changes }) => ({
    scenario,
    errors: formatErrors(wordErrorRate),
    lost: lost.join(", "),
    changes: changes.join("; "),
  }));
}

/** The audio section of one call: its messages, and what audio changed. */
function heardOf({ messages, verdicts, changes = [] }: AudioResult): readonly PageHeard[] {
  return [
    ...messages.map((message) => ({
      who: message.role === "user" ? "caller" : "agent",
      written: message.written,
      heard: message.heard,
      errors: [
        formatErrors(message.wordErrorRate),
        diffWords(message),
        ...lostOf(message).map((item) => `lost ${item}`),
      ].join("; "),
    })),
    ...verdicts.map(({ criterion, passed, score, reasoning }) => ({
      who: "judge",
      written: criterion,
      heard: `${passed ? "passed" : "failed"} as heard, ${score.toFixed(2)}`,
      errors: reasoning,
    })),
    ...changes.map((change) => ({
      who: "",
      written: "differs from the scenario in text",
      heard: formatChange(change),
      errors: "",
    })),
  ];
}
