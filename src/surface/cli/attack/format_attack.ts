import { formatDollars, oneLine, paint, plural, type Style, wrap } from "../../../base/values/mod.ts";
import type { AttackFinding, AttackReport } from "../../../run/attack/mod.ts";

const LIMITS = {
  calls: "the limit of calls was reached",
  costUsd: "the limit of cost was reached",
  wallMs: "the time was up",
  aborted: "it was stopped",
} as const;

/** Formats what an attack found and what it tried. */
export function formatAttack(report: AttackReport, style: Style): string {
  const { findings, known, targets, untried, calls, stopped, offline, usage } = report;
  const tried = targets.filter(({ attempts }) => attempts > 0);
  const withstood = tried.filter(({ isBroken, answered, attempts }) => !isBroken && answered === attempts);
  const unclear = tried.filter(({ isBroken, answered, attempts }) => !isBroken && answered < attempts);
  const left = targets.filter((target) => target.left > 0);
  const cost = usage.costUsd === undefined ? "" : `, ${formatDollars(usage.costUsd)}`;
  return [
    ...findings.flatMap((finding) => findingLines(finding, style)),
    ...known.map(({ scenario, state }) => {
      const colour = state === "open" ? "red" : state === "closed" ? "green" : "yellow";
      return `known, ${paint(style, colour, state)}: ${oneLine(scenario)}`;
    }),
    paint(
      style,
      findings.length > 0 ? "red" : "green",
      `${findings.length} ${findings.length === 1 ? "weakness" : "weaknesses"}`,
    ),
    ...withstood.map(({ title, nodes, attempts }) => {
      const where = `${plural(attempts, "attempt")} at ${nodes.map(oneLine).join(", ")}`;
      return `  ${paint(style, "green", "✓")} never ${oneLine(title)} (${where})`;
    }),
    ...unclear.map(({ title, answered, attempts }) => {
      return `  ${paint(style, "yellow", "?")} ${oneLine(title)}: only ${answered} of ${plural(attempts, "call")} came to a result`;
    }),
    ...left.map(
      (target) =>
        `  ${paint(style, "yellow", "?")} ${oneLine(target.title)}: ${plural(target.left, "attempt")} left out`,
    ),
    ...untried.flatMap(({ title, reason }) => wrap(style, `not tried: ${oneLine(title)} (${oneLine(reason)})`, 2)),
    paint(style, "dim", `${plural(calls, "call")}, ${plural(usage.calls, "model call")}${cost}`),
    ...(stopped ? [`stopped: ${LIMITS[stopped]}`] : []),
    ...(offline
      ? ["the offline model was the agent: it says little about the real one; name its model with --model"]
      : []),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function findingLines(finding: AttackFinding, style: Style): readonly string[] {
  const { owasp, kind, title, node, alsoAt, turn, words, technique, by, rate, conversation } = finding;
  const { broken, tries, interval } = rate;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const places = [
    `node "${oneLine(node)}"`,
    `turn ${turn}`,
    ...(alsoAt.length > 0 ? [`also at ${alsoAt.map(oneLine).join(", ")}`] : []),
  ];
  return [
    `${paint(style, "red", "✗")} ${paint(style, "bold", oneLine(title))}  ${owasp}, ${kind}`,
    `  at ${places.join(", ")}; by ${technique}, decided by ${by === "rule" ? "a rule" : "the judge"}`,
    `  ${broken} of ${tries} ${tries === 1 ? "try" : "tries"} (95 %: ${percent(interval.low)} to ${percent(interval.high)})`,
    ...wrap(style, `words: ${oneLine(words)}`, 2),
    "  smallest conversation:",
    ...conversation.flatMap(({ role, content }) =>
      wrap(style, `${role === "user" ? "caller" : "agent"}: ${oneLine(content)}`, 4),
    ),
    "",
  ];
}
