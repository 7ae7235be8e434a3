import { oneLine, paint, type Style, wrap } from "../../../base/values/mod.ts";
import type { Diagnosis, FaultPlace } from "../../../run/diagnosis/mod.ts";
import { formatTerminal } from "../diff/mod.ts";

const PLACES: { readonly [Place in FaultPlace]: (diagnosis: Diagnosis) => string } = {
  general_prompt: () => "the general prompt",
  node_prompt: ({ node }) => `the prompt of "${node}"`,
  transition: ({ node, transition }) =>
    transition === null ? `the global condition of "${node}"` : `transition ${transition} of "${node}"`,
  missing_transition: ({ node, target }) => `a transition that is missing: "${node}" → "${target}"`,
  tool: ({ tool }) => `the tool "${tool}"`,
  scenario: () => "the scenario",
  caller: () => "the simulated caller",
};

/** Columns of the labels. */
const LABEL = 12;

/** Formats a diagnosis: the location, its text, the evidence, and the proposed change. */
export function formatDiagnosis(diagnosis: Diagnosis, style: Style): string {
  const { scenario, place, confidence, explanation, quotes, evidence, facts, diff, reasoning, model } = diagnosis;
  const where = PLACES[place](diagnosis);
  const head = `${paint(style, "bold", oneLine(scenario))}: the fault is in ${oneLine(where)}`;
  const certain = confidence === undefined ? "" : `confidence ${confidence.toFixed(2)}, `;
  const labelled = (label: string, text: string) => wrap(style, text, LABEL, `  ${label}`.padEnd(LABEL));
  const narrow = { ...style, width: style.width - 2 };
  const change =
    diff.length === 0
      ? labelled("no change", reasoning)
      : ["", ...changeLines(diff, narrow).map((line) => `  ${line}`), "", ...labelled("why", reasoning)];
  return `${[
    `${head} ${paint(style, "dim", `(${certain}${model})`)}`,
    ...wrap(style, explanation, 2),
    "",
    ...quotes.flatMap(({ node, quote }) => labelled("at fault", `${node ?? "general prompt"}: "${quote}"`)),
    ...evidence.flatMap(({ line, role, quote }) => labelled("seen in", `line ${line}, ${role}: "${quote}"`)),
    ...facts.flatMap(({ fact }) => labelled("certain", fact)),
    ...change,
  ].join("\n")}\n`;
}

function changeLines(diff: Diagnosis["diff"], style: Style): readonly string[] {
  return formatTerminal({ name: "proposed", changes: diff }, style)
    .split("\n")
    .filter((line) => line !== "");
}
