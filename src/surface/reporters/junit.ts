import { escapeContent, xmlCharacters } from "../../base/values/mod.ts";
import type { RunReport } from "../../run/runner/mod.ts";
import { redactedResult } from "../../run/store/mod.ts";
import { callNumber, casesOf, MOST_IN_MESSAGE, messageOf, problemLinesOf, type ScenarioCase } from "./cases.ts";
import { warningsOf } from "./problems.ts";
import { formatTranscript } from "./result.ts";
import { checkShapes } from "./shapes.ts";
import { noticesOf, storageProblems } from "./storage.ts";

/**
 * Formats a run as a JUnit report: one suite for the agent, one case per scenario. The gate decides whether a case
 * failed, so a scenario with repeated calls that passes its gate is green. Scenarios that are undecided because of
 * errors are an `error`, those whose calls were cancelled are `skipped`.
 *
 * A failure has the expectations that did not hold, and the transcripts of up to three calls. The suite's `system-out`
 * has the pass rates; its `system-err` has warnings, and results that are not in the database.
 *
 * @throws {CallweaveError} `invalid-option`.
 * @see https://github.com/jenkinsci/xunit-plugin (`junit-10.xsd`)
 * @see https://github.com/windyroad/JUnit-Schema
 */
export function formatJunit(report: RunReport): string {
  checkShapes({ report }, "Cannot format JUnit report");
  const redacted = redactedResult(report);
  const cases = casesOf(redacted);
  const count = (outcome: ScenarioCase["outcome"]) => cases.filter((each) => each.outcome === outcome).length;
  const name = redacted.name || "agent";
  const skipped = count("skipped");
  const suite = {
    name,
    package: "",
    id: 0,
    timestamp: redacted.startedAt.replace(/\.\d+Z?$|Z$/, ""),
    hostname: "localhost",
    tests: cases.length,
    failures: count("fail"),
    errors: count("error"),
    ...(skipped > 0 ? { skipped } : {}),
    time: seconds(redacted.durationMs),
  };
  const warnings = [...noticesOf(redacted), ...storageProblems(redacted), ...cases.flatMap(warningLines)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  ${opening("testsuite", suite)}`,
    "    <properties>",
    ...properties(redacted).map(([key = "", value = ""]) => `      ${element("property", { name: key, value })}`),
    "    </properties>",
    ...cases.map((each) => testCase(each, name)),
    `    ${element("system-out", {}, cases.map(rateLine).join("\n"))}`,
    `    ${element("system-err", {}, warnings.join("\n"))}`,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function properties(report: RunReport): readonly (readonly string[])[] {
  return [
    ["run", report.id],
    ["agent-model", report.models.agent],
    ["caller-model", report.models.caller],
    ["judge-model", report.models.judge],
    ["offline", String(report.offline)],
    ["store", report.store ?? ""],
    ["stored", String(report.stored)],
    ["spooled", String(report.spooled)],
    ["lost", String(report.lost)],
  ];
}

function testCase(each: ScenarioCase, classname: string): string {
  const { outcome, summary, durationMs } = each;
  const attributes = { classname, name: summary.scenario, time: seconds(durationMs) };
  const content = contentOf(each);
  if (content === undefined) return `    ${element("testcase", attributes)}`;
  const tag = outcome === "fail" ? "failure" : outcome === "error" ? "error" : "skipped";
  const type = outcome === "fail" ? "expectation" : outcome === "error" ? "error" : undefined;
  return [
    `    ${opening("testcase", attributes)}`,
    `      ${element(tag, { message: messageOf(each), type }, content)}`,
    "    </testcase>",
  ].join("\n");
}

function contentOf(each: ScenarioCase): string | undefined {
  return each.outcome === "pass" || each.outcome === "imported" ? undefined : formatCase(each);
}

function rateLine({ summary, isFlaky }: ScenarioCase): string {
  return `${summary.scenario}: ${summary.verdict}. ${summary.reason}${isFlaky ? " (flaky)" : ""}`;
}

function warningLines(each: ScenarioCase): readonly string[] {
  return each.results.flatMap((result) => {
    const name = callNumber(result, each);
    return warningsOf(result).map(({ title, details }) =>
      [`${each.summary.scenario}${name && `, ${name}`}`, title, ...details.map(({ text }) => text)].join(": "),
    );
  });
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Attributes of an element; `undefined` leaves one out. */
export type XmlAttributes = { readonly [name: string]: string | number | undefined };

/** Formats an element with a text, or an empty one. */
function element(name: string, attributes: XmlAttributes, text?: string): string {
  if (text === undefined) return opening(name, attributes).replace(/>$/, "/>");
  return `${opening(name, attributes)}${escapeXml(text)}</${name}>`;
}

/** Formats the start tag of an element. */
function opening(name: string, attributes: XmlAttributes): string {
  const list = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeAttribute(String(value))}"`],
  );
  return `<${name}${list.join("")}>`;
}

function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', "&quot;").replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}

/** Escapes a text for XML 1.0 and replaces characters that XML cannot represent. */
function escapeXml(text: string): string {
  return escapeContent(xmlCharacters(text.replaceAll("\r\n", "\n")));
}

const WIDE = { color: false, width: 160 };

/** Formats why a scenario did not pass: its problems, and the transcripts of up to three calls. */
export function formatCase(each: ScenarioCase): string {
  const transcripts = each.failed
    .filter(({ transcript }) => transcript.length > 0)
    .slice(0, MOST_IN_MESSAGE)
    .map((result) => {
      const name = callNumber(result, each);
      return `\nTranscript${name && ` of ${name}`}:\n${formatTranscript(result.transcript, WIDE)}`;
    });
  return [...problemLinesOf(each), ...transcripts].join("\n");
}
