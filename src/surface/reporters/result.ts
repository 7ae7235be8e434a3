import { formatSeconds, oneLine, PLAIN, paint, plural, type Style, wrap } from "../../base/values/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import { type ResultRecord, redactedResult } from "../../run/store/mod.ts";
import { callHearingLines } from "./audio.ts";
import { endOf, formatUsage, markOf, problemLines, roleLines } from "./console.ts";
import { turnLines } from "./latency.ts";
import { callWarnings, describeVerdict, divergenceProblems, notCheckedWarnings, warningsOf } from "./problems.ts";
import { checkShapes } from "./shapes.ts";

const SPEAKERS: { readonly [Role in Message["role"]]: string } = {
  assistant: "agent",
  user: "caller",
  tool: "·",
  system: "system",
};

/**
 * Formats a call's transcript, with each line under its node.
 *
 * @param style Default: without colours, 100 columns.
 * @throws {CallweaveError} `invalid-option`.
 */
export function formatTranscript(transcript: readonly Message[], style: Style = PLAIN): string {
  checkShapes({ transcript, style }, "Cannot format transcript");
  const redacted = redactedResult(transcript);
  const lines: string[] = [];
  let node: string | undefined;
  for (const { role, content, node_id, metadata } of redacted) {
    if (node_id !== node) lines.push(paint(style, "cyan", `[${oneLine(node_id)}]`));
    node = node_id;
    const speaker = SPEAKERS[role].padEnd(6);
    const spoken = role === "assistant" || role === "user";
    const head = `  ${paint(style, role === "assistant" ? "bold" : "dim", speaker)}  `;
    const text = wrap(style, metadata.cut === true ? `${content} … (cut off)` : content, 10, head);
    lines.push(...(spoken ? text : text.map((line) => paint(style, "dim", line))));
  }
  return lines.length > 0 ? `${lines.join("\n")}\n` : "(nothing was said)\n";
}

/**
 * Formats one result in full: the call, its checks and verdicts with reasons, variables and usage.
 *
 * @param style Default: without colours, 100 columns.
 * @throws {CallweaveError} `invalid-option`.
 */
export function formatResult(result: ResultRecord, style: Style = PLAIN): string {
  checkShapes({ result, style }, "Cannot format result");
  const redacted = redactedResult(result);
  const { status, checks, verdicts, toolsCalled: tools, variables, usage } = redacted;
  const heading = (text: string) => ["", paint(style, "bold", text)];
  const trial = redacted.trial > 1 ? ` #${redacted.trial}` : "";
  const lines = [
    `${markOf(status, style)} ${paint(style, "bold", oneLine(redacted.scenario))}${trial}: ${status}`,
    ...(redacted.errorMessage === null ? [] : problemLines(errorOf(redacted.errorMessage), style, "red")),
    `  ${plural(redacted.turnCount, "turn")}, ${formatSeconds(redacted.durationMs)}, ${endOf(redacted)}`,
    ...(redacted.offlinePath?.followed
      ? ["  played along the path of the scenario by the offline model, without a language model"]
      : []),
    ...wrap(style, `visited ${redacted.nodesVisited.join(" -> ") || "no node"}`, 2),
    ...heading("Transcript"),
    formatTranscript(redacted.transcript, style).trimEnd(),
  ];
  if (checks.length > 0) lines.push(...heading("Checks"));
  for (const { kind, expected, passed, reason } of checks) {
    const problem = { title: `${passed ? "✓" : "✗"} ${kind} ${expected}`, details: [{ label: "found", text: reason }] };
    lines.push(...problemLines(problem, style, passed ? "green" : "red"));
  }
  if (verdicts.length > 0) lines.push(...heading("Judged"));
  for (const verdict of verdicts) {
    const { title, details } = describeVerdict(verdict, redacted);
    const more = [
      { label: "requires", text: verdict.requirement },
      ...details,
      ...(verdict.confidence === undefined ? [] : [{ label: "certain", text: verdict.confidence.toFixed(2) }]),
    ];
    const color = verdict.passed ? (verdict.evidenceFound === false ? "yellow" : "green") : "red";
    lines.push(...problemLines({ title: `${verdict.passed ? "✓" : "✗"} ${title}`, details: more }, style, color));
  }
  if (redacted.replay)
    lines.push(
      ...heading(`Replay of ${redacted.replay.ofResult}, ${redacted.replay.mode}`),
      ...replayLines(redacted, style),
    );
  // missing evidence is already shown with the verdicts above
  for (const warning of verdicts.length === 0
    ? warningsOf(redacted)
    : [...notCheckedWarnings(redacted), ...callWarnings(redacted)])
    lines.push("", ...problemLines(warning, style, "yellow"));
  if (tools.length > 0) lines.push(...heading("Tools"));
  for (const { name, arguments: args, outcome, result: answer, mocked } of tools) {
    const text = `${name}(${JSON.stringify(args)}) ${outcome}${mocked ? " (mock)" : ""}: ${JSON.stringify(answer)}`;
    lines.push(...wrap(style, text, 4, "  · "));
  }
  if (redacted.audio) lines.push(...heading("Heard"), ...callHearingLines(redacted.audio, style));
  if (redacted.latency?.length) lines.push(...heading("First word"), ...turnLines(redacted.latency, style));
  const set = Object.entries(variables);
  if (set.length > 0) lines.push(...heading("Variables"));
  for (const [name, value] of set) {
    lines.push(...wrap(style, `${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`, 4, "  · "));
  }
  const inModels = `${formatUsage(usage)}, ${formatSeconds(usage.modelMs)} in models`;
  lines.push(
    "",
    ...[inModels, ...roleLines(usage).map((line) => `  ${line}`)].map((line) => paint(style, "dim", line)),
  );
  return `${lines.join("\n")}\n`;
}

function replayLines(result: ResultRecord, style: Style): readonly string[] {
  const problems = divergenceProblems(result);
  if (problems.length === 0) return [`  ${paint(style, "green", "✓ no difference from the recording")}`];
  return problems.flatMap((problem) => problemLines(problem, style, "red"));
}

function errorOf(message: string) {
  return { title: "error", details: [{ label: "reason", text: message }] };
}
