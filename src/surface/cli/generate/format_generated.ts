import { oneLine, paint, type Style, wrap } from "../../../base/values/mod.ts";
import type { GeneratedScenarios } from "../../../run/generate/mod.ts";

/** Formats what was generated, and what was not and why. */
export function formatGenerated(generated: GeneratedScenarios, style: Style): string {
  const { coverage, scenarios, unreachable, unshown } = generated;
  const { transitions, before, after } = coverage;
  const of = `${transitions} transition${transitions === 1 ? "" : "s"}`;
  const rules = scenarios.filter(({ personaBy }) => personaBy === "rules").length;
  const byModel = scenarios.length - rules;
  return [
    `covered before: ${before} of ${of}`,
    `covered after:  ${after} of ${of}, with ${scenarios.length} generated scenario${scenarios.length === 1 ? "" : "s"}`,
    ...scenarios.map(
      ({ scenario, covers }) => `  ${paint(style, "green", "+")} ${oneLine(scenario.name)}${more(covers.length)}`,
    ),
    ...(byModel > 0 && rules > 0
      ? [
          `the model left facts out of ${rules} persona${rules === 1 ? "" : "s"}; rules wrote ${rules === 1 ? "it" : "them"}`,
        ]
      : []),
    ...list("no call takes", unreachable, style),
    ...list("not covered, because no path was shown", unshown, style),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function more(covers: number): string {
  return covers > 1 ? `, and ${covers - 1} more on its way` : "";
}

function list(title: string, items: readonly Listed[], style: Style): readonly string[] {
  if (items.length === 0) return [];
  return [
    `${title}: ${items.length}`,
    ...items.flatMap(({ transition, reason }) => wrap(style, `${oneLine(transition.name)} (${oneLine(reason)})`, 2)),
  ];
}

type Listed = GeneratedScenarios["unreachable" | "unshown"][number];
