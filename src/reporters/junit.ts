import type { RunReport } from "../runner/mod.ts";
import { type ResultRecord, redactedResult } from "../store/mod.ts";
import { problemsOf, warningsOf } from "./problems.ts";
import { formatTranscript } from "./result.ts";
import { checkShapes } from "./shapes.ts";
import { storageProblems } from "./storage.ts";

/**
 * Formats a run as a JUnit report: one suite for the agent, one case per call. A `fail` is a failure, an `error` an
 * error, a `cancelled` or `invalid` call a skipped case. Warnings go to the case's `system-err`, transcripts of calls that did
 * not pass to its `system-out`. The suite's properties and `system-err` report results that are not in the database.
 *
 * @throws {CallweaveError} `invalid-option`.
 */
export function formatJunit(given: RunReport): string {
  checkShapes({ report: given }, "Cannot format JUnit report");
  const report = redactedResult(given);
  const { counts, results } = report;
  const numbers = {
    tests: results.length,
    failures: counts.fail,
    errors: counts.error,
    skipped: counts.cancelled + (counts.invalid ?? 0),
    time: seconds(report.durationMs),
  };
  const storage = [...report.storeWarnings, ...storageProblems(report)];
  const properties = [
    ["run", report.id],
    ["agent-model", report.models.agent],
    ["caller-model", report.models.caller],
    ["judge-model", report.models.judge],
    ["offline", String(report.offline)],
    ["store", report.store ?? ""],
    ["stored", String(report.stored)],
    ["spooled", String(report.spooled)],
    ["lost", String(report.lost)],
  ].map(([name, value]) => `      ${element("property", { name, value })}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    opening("testsuites", { name: report.name, ...numbers }),
    `  ${opening("testsuite", { name: report.name, ...numbers, timestamp: report.startedAt.replace(/\.\d+Z?$|Z$/, "") })}`,
    "    <properties>",
    ...properties,
    "    </properties>",
    ...results.map((result) => testCase(result, report.name)),
    ...(storage.length > 0 ? [`    ${element("system-err", {}, storage.join("\n"))}`] : []),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(result: ResultRecord, classname: string): string {
  const { status, scenario, trial } = result;
  const name = trial > 1 ? `${scenario} #${trial}` : scenario;
  const problems = problemsOf(result);
  const message = problems.map(({ title, details }) => `${title}: ${details.at(-1)?.text ?? ""}`).join("; ");
  const text = problems
    .map(({ title, details }) => [title, ...details.map((detail) => `  ${detail.label}: ${detail.text}`)].join("\n"))
    .join("\n");
  const children: string[] = [];
  if (status === "fail") children.push(element("failure", { message, type: "expectation" }, text));
  if (status === "error") children.push(element("error", { message, type: "error" }, text));
  if (status === "cancelled" || status === "invalid") children.push(element("skipped", { message: status }));
  if (status !== "pass") {
    children.push(element("system-out", {}, formatTranscript(result.transcript, { color: false, width: 160 })));
  }
  const warnings = warningsOf(result).map(({ title, details }) =>
    [title, ...details.map(({ text }) => text)].join(": "),
  );
  if (warnings.length > 0) children.push(element("system-err", {}, warnings.join("\n")));
  const attributes = { classname, name, time: seconds(result.durationMs) };
  if (children.length === 0) return `    ${element("testcase", attributes)}`;
  return [
    `    ${opening("testcase", attributes)}`,
    ...children.map((child) => `      ${child}`),
    "    </testcase>",
  ].join("\n");
}

type Attributes = { readonly [name: string]: string | number | undefined };

function element(name: string, attributes: Attributes, text?: string): string {
  if (text === undefined) return opening(name, attributes).replace(/>$/, "/>");
  return `${opening(name, attributes)}${escapeXml(text)}</${name}>`;
}

function opening(name: string, attributes: Attributes): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value ?? ""))}"`);
  return `<${name}${list.join("")}>`;
}

function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', "&quot;").replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}

/** Escapes a text for XML 1.0 and replaces characters that XML cannot represent. */
function escapeXml(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
