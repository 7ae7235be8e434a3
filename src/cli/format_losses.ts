import type { Finding, Loss } from "../../platforms/mod.ts";

/** What a platform cannot hold, for people: what is dropped first. */
export function formatLosses(title: string, losses: readonly Loss[]): string {
  const dropped = losses.filter(({ kind }) => kind === "dropped");
  const emulated = losses.filter(({ kind }) => kind === "emulated");
  const counts = [
    dropped.length > 0 ? `${dropped.length} not held` : "",
    emulated.length > 0 ? `${emulated.length} held in another way` : "",
  ];
  const lines = [...dropped, ...emulated].flatMap(({ kind, code, path, message, instead, hint }) => [
    `  ${kind} ${code} at ${path.join(".") || "the graph"}`,
    `    ${oneLine(message)}`,
    `    instead: ${oneLine(instead)}`,
    `    hint: ${oneLine(hint)}`,
  ]);
  return `${title}: ${counts.filter(Boolean).join(", ")}\n${lines.join("\n")}\n`;
}

const ORDER = ["error", "warning", "info"] as const;

/** Findings for people, the worst first, with a last line that counts them. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = ORDER.flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity)
      .flatMap(({ code, path, message, hint }) => [
        `${severity}[${code}] ${oneLine(message)}`,
        `  at ${path.join(".") || "the graph"}`,
        ...(hint ? [`  hint: ${oneLine(hint)}`] : []),
      ]),
  );
  const counts = ORDER.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return `${count} ${severity}${count === 1 || severity === "info" ? "" : "s"}`;
  });
  return [
    ...lines,
    ...(lines.length > 0 ? [""] : []),
    findings.length === 0 ? "no findings" : counts.join(", "),
    "",
  ].join("\n");
}

function oneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "\ufffd")
    .trim();
}
