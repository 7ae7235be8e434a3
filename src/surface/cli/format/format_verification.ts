import { oneLine, paint, plural, type Style, wrap } from "../../../base/values/mod.ts";
import type { DifferenceKind, VerifiedDifference, VerifiedVoice, VerifyReport } from "../../../run/verify/mod.ts";

const WHAT: { readonly [Kind in DifferenceKind]: string } = {
  path: "path",
  variable: "variable",
  tool: "tool",
  end: "end",
  verdict: "verdict",
};

/** Formats how far a deployed agent does what its graph does. */
export function formatVerification(report: VerifyReport, style: Style): string {
  const { agent, version, calls, differences, notCompared, notReported } = report;
  const differing = calls.filter((call) => call.differences.length > 0).length;
  const name = version === undefined ? agent : `${agent}, version ${version}`;
  const summary =
    calls.length === 0
      ? "no call could be compared"
      : differing === 0
        ? `${plural(calls.length, "call")} compared: all are alike`
        : `${plural(calls.length, "call")} compared: ${differing} differ`;
  const lines = [
    paint(style, "bold", oneLine(name)),
    ...differences.flatMap((difference) => ["", ...differenceLines(difference, style)]),
    ...(differences.length > 0 ? [""] : []),
    ...notCompared.flatMap(({ scenario, trial, side, reason }) =>
      wrap(
        style,
        `${oneLine(scenario)} #${trial} was not compared: the call with the ${side} ended: ${oneLine(reason)}`,
        2,
        paint(style, "yellow", "! "),
      ),
    ),
    ...notReported.map((kind) => `  not compared, because the agent does not report it: ${WHAT[kind]}`),
    ...voiceLines(report.voice, style),
    paint(style, "bold", summary),
    ...(differences.some(({ kind }) => kind === "path") ? wrap(style, ENGINE, 0) : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** What the calls showed by voice, which the graph has no counterpart of. */
function voiceLines(voice: VerifyReport["voice"], style: Style): readonly string[] {
  if (!voice) return [];
  const share = ({ count, of, interval }: VerifiedVoice["figures"][number]) =>
    `${count} of ${of} (${percent(interval.low)} to ${percent(interval.high)} %)`;
  return [
    "",
    ...voice.figures.flatMap((figure) => wrap(style, `${share(figure)} ${figure.what}`, 2)),
    ...voice.times.flatMap(({ what, count, medianMs, p95Ms }) =>
      wrap(style, `${what}: median ${medianMs} ms, 95th percentile ${p95Ms} ms, of ${count}`, 2),
    ),
    "",
  ];
}

function percent(share: number): number {
  return Math.round(share * 100);
}

const ENGINE =
  "A condition that the platform reads otherwise may need clearer words. If the platform is right about your words, it may be a fault of Callweave's engine: please report it with the words and the condition.";

function differenceLines(difference: VerifiedDifference, style: Style): readonly string[] {
  const { kind, nodeId, name, agent, graph, calls, of, interval, conditions = {}, words, examples } = difference;
  const what = [WHAT[kind], ...(name === undefined ? [] : [`"${oneLine(name)}"`])].join(" ");
  const place = nodeId === "" ? "" : ` at "${oneLine(nodeId)}"`;
  const rate = `${calls} of ${plural(of, "call")} (${percent(interval.low)} to ${percent(interval.high)} %)`;
  const nothing = kind === "path" ? "stays" : "does nothing";
  const said = `the agent ${oneLine(agent ?? nothing)}, the graph ${oneLine(graph ?? nothing)}: ${rate}`;
  return [
    ...wrap(style, `${what}${place}: ${said}`, 2, paint(style, "red", "✗ ")),
    ...(conditions.agent === undefined ? [] : wrap(style, `agent took  ${oneLine(conditions.agent)}`, 4)),
    ...(conditions.graph === undefined ? [] : wrap(style, `graph took  ${oneLine(conditions.graph)}`, 4)),
    ...(words === undefined ? [] : wrap(style, `words in question: ${words.join(", ")}`, 4)),
    ...examples.flatMap(({ scenario, trial, turn, said: heard }) => {
      const when = turn === 0 ? "in the opening" : `in turn ${turn}, after "${oneLine(heard)}"`;
      return wrap(style, paint(style, "dim", `${oneLine(scenario)} #${trial} ${when}`), 4);
    }),
  ];
}
