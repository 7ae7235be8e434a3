import { defined } from "../../../base/values/mod.ts";
import { findEvidence } from "../../../call/judges/mod.ts";
import type { ResultRecord } from "../../../run/store/mod.ts";
import type { PageCall, PageScore, PageTrial } from "../../web/mod.ts";
import { endOf } from "../console.ts";
import { problemsOf, warningsOf } from "../problems.ts";
import type { NodeIndexes } from "./node_indexes.ts";
import { heardOf } from "./page_audio.ts";
import { waitsOf } from "./page_latency.ts";
import { arrowsOf, linesOf, valuesOf } from "./page_lines.ts";

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
