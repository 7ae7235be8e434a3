import { defined, shorten } from "../../../base/values/mod.ts";
import { findEvidence } from "../../../call/judges/mod.ts";
import type { LatencySummary } from "../../../call/latency/mod.ts";
import { type AgentGraph, nodeNames } from "../../../document/graph/mod.ts";
import type { AudioResult, TurnLatency } from "../../../document/transcript/mod.ts";
import type { ResultRecord } from "../../../run/store/mod.ts";
import {
  arrowsOf,
  linesOf,
  type NodeIndexes,
  type PageCall,
  type PageHeard,
  type PageHearing,
  type PageLatency,
  type PageNode,
  type PageScore,
  type PageTrial,
  type PageWait,
  valuesOf,
} from "../../web/mod.ts";
import { diffWords, formatChange, formatErrors, hearingsOf, lostOf } from "../audio.ts";
import { endOf } from "../console.ts";
import { formatParts, formatWait } from "../latency.ts";
import { problemsOf, warningsOf } from "../problems.ts";
import { voiceOf } from "./page_voice.ts";

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

/**
 * The call of a trial.
 *
 * @param isWhole Whether it has its transcript.
 */
export function callOf(result: ResultRecord, nodes: NodeIndexes, isWhole = true): PageCall {
  return {
    ...(isWhole ? {} : { isWithoutTranscript: true }),
    startedAt: result.startedAt,
    problems: problemsOf(result),
    warnings: warningsOf(result),
    lines: isWhole ? linesOf(result.transcript, nodes) : [],
    verdicts: result.verdicts.map((verdict): PageScore => {
      const { criterion, requirement, reasoning, evidence, evidenceFound, passed, score, threshold, confidence } =
        verdict;
      const quoted = (isWhole ? (findEvidence(evidence, result.transcript) ?? []) : []).map((line) =>
        result.transcript.indexOf(line),
      );
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
    ...(result.connection ? voiceOf(result.connection, result.transcript) : {}),
  };
}

/** The trial's part of a link. */
function keyOf({ trial, attempt = 1 }: ResultRecord): string {
  return attempt === 1 ? String(trial) : `${trial}.${attempt}`;
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
