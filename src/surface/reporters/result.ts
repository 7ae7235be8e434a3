import { formatSeconds, oneLine, PLAIN, paint, plural, type Style, wrap } from "../../base/values/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import { type ResultRecord, redactedResult } from "../../run/store/mod.ts";
import { callHearingLines } from "./audio.ts";
import { endOf, markOf, problemLines } from "./console.ts";
import { turnLines } from "./latency.ts";
import { callWarnings, describeVerdict, divergenceProblems, warningsOf } from "./problems.ts";
import { checkShapes } from "./shapes.ts";
import { formatUsage, roleLines } from "./usage.ts";

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
export function formatTranscript(given: readonly Message[], style: Style = PLAIN): string {
  checkShapes({ transcript: given, style }, "Cannot format transcript");
  const transcript = redactedResult(given);
  const lines: string[] = [];
  let node: string | undefined;
  for (const { role, content, node_id, metadata } of transcript) {
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
export function formatResult(given: ResultRecord, style: Style = PLAIN): string {
  checkShapes({ result: given, style }, "Cannot format result");
  const result = redactedResult(given);
  const { status, checks, verdicts, toolsCalled: tools, variables, usage } = result;
  const heading = (text: string) => ["", paint(style, "bold", text)];
  const trial = result.trial > 1 ? ` #${result.trial}` : "";
  const lines = [
    `${markOf(status, style)} ${paint(style, "bold", oneLine(result.scenario))}${trial}: ${status}`,
    ...(result.errorMessage === null ? [] : problemLines(errorOf(result.errorMessage), style, "red")),
    `  ${plural(result.turnCount, "turn")}, ${formatSeconds(result.durationMs)}, ${endOf(result)}`,
    ...(result.offlinePath?.followed
      ? ["  played along the path of the scenario by the offline model, without a language model"]
      : []),
    ...wrap(style, `visited ${result.nodesVisited.join(" -> ") || "no node"}`, 2),
    ...heading("Transcript"),
    formatTranscript(result.transcript, style).trimEnd(),
  ];
  if (checks.length > 0) lines.push(...heading("Checks"));
  for (const { kind, expected, passed, reason } of checks) {
    const problem = { title: `${passed ? "✓" : "✗"} ${kind} ${expected}`, details: [{ label: "found", text: reason }] };
    lines.push(...problemLines(problem, style, passed ? "green" : "red"));
  }
  if (verdicts.length > 0) lines.push(...heading("Judged"));
  for (const verdict of verdicts) {
    const { title, details } = describeVerdict(verdict, result);
    const more = [
      { label: "requires", text: verdict.requirement },
      ...details,
      ...(verdict.confidence === undefined ? [] : [{ label: "certain", text: verdict.confidence.toFixed(2) }]),
    ];
    const color = verdict.passed ? (verdict.evidenceFound === false ? "yellow" : "green") : "red";
    lines.push(...problemLines({ title: `${verdict.passed ? "✓" : "✗"} ${title}`, details: more }, style, color));
  }
  if (result.replay)
    lines.push(...heading(`Replay of ${result.replay.ofResult}, ${result.replay.mode}`), ...replayLines(result, style));
  // missing evidence is already shown with the verdicts above
  for (const warning of verdicts.length === 0 ? warningsOf(result) : callWarnings(result))
    lines.push("", ...problemLines(warning, style, "yellow"));
  if (tools.length > 0) lines.push(...heading("Tools"));
  for (const { name, arguments: args, outcome, result: answer, mocked } of tools) {
    const text = `${name}(${JSON.stringify(args)}) ${outcome}${mocked ? " (mock)" : ""}: ${JSON.stringify(answer)}`;
    lines.push(...wrap(style, text, 4, "  · "));
  }
  if (result.audio) lines.push(...heading("Heard"), ...callHearingLines(result.audio, style));
  if (result.latency?.length) lines.push(...heading("First word"), ...turnLines(result.latency, style));
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
