import { graphTransitions } from "../../../agent/analysis/mod.ts";
import { own, sameJson } from "../../../base/values/mod.ts";
import { textOf } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { DivergedTransition, RecordedMove } from "../../../document/transcript/mod.ts";
import type { CallStep, EnteredStep } from "./call_steps.ts";

/** Whether two steps are the same, at any time. */
export function isSameStep(a: CallStep, b: CallStep): boolean {
  if (a.kind === "path") return b.kind === "path" && a.to === b.to;
  if (a.kind === "end") return b.kind === "end" && a.reason === b.reason;
  if (a.kind === "variable") return b.kind === "variable" && differentNames(a.values, b.values).length === 0;
  if (b.kind !== "tool" || a.name !== b.name || !sameJson(a.arguments, b.arguments)) return false;
  return a.outcome === undefined || b.outcome === undefined || a.outcome === b.outcome;
}

/** Names whose values differ. Values are compared as texts, as in equations. */
export function differentNames(
  a: { readonly [name: string]: unknown },
  b: { readonly [name: string]: unknown },
): readonly string[] {
  const textIn = (values: typeof a, name: string) => (Object.hasOwn(values, name) ? textOf(values[name]) : undefined);
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => textIn(a, name) !== textIn(b, name));
}

/** Describes a step, with names of its graph. */
export function stepText(step: CallStep, graph: AgentGraph): string {
  if (step.kind === "path")
    return step.node === "" ? `begins at ${step.to}` : transitionText(transitionOf(step, graph));
  if (step.kind === "end") return step.reason;
  if (step.kind === "variable") return Object.entries(step.values).map(variableText).join(", ");
  const { name, arguments: args, outcome } = step;
  return `${name}(${JSON.stringify(args)})${outcome === undefined ? "" : ` ${outcome}`}`;
}

/** Formats a variable with its value. */
export function variableText([name, value]: readonly [string, unknown]): string {
  const text = textOf(value);
  return text === undefined ? `${name} not set` : `${name} = ${JSON.stringify(text)}`;
}

/** The transition that a step took, named by its graph. */
export function transitionOf({ node, to, ways }: EnteredStep, graph: AgentGraph): DivergedTransition {
  const all = graphTransitions(graph);
  const names = ways.flatMap((way) => {
    const found = all.find((each) => isWay(each, way, node, to));
    return found ? [found.kind === "go-back" ? `${node} -> ${to}: ${found.name}` : found.name] : [];
  });
  return { from: node, to, ways, name: names.length > 0 ? names.join(" or ") : `${node} -> ${to}` };
}

/** The behaviour of a step's transitions, as a key: transitions with equal keys continue in the same way. */
export function workings({ node, ways }: EnteredStep, graph: AgentGraph): readonly string[] {
  return ways.map((way) => {
    if (!("transition" in way)) return "global" in way ? "global" : "back";
    const { condition, timing } = own(graph.nodes, node)?.transitions[way.transition] ?? {};
    return `${condition?.type} ${timing ?? ""}`;
  });
}

function transitionText({ name, ways }: DivergedTransition): string {
  const indexes = ways.flatMap((way) => ("transition" in way ? [way.transition] : []));
  return indexes.length === 0 ? name : `${name} (transition ${indexes.join(" or ")})`;
}

type Named = ReturnType<typeof graphTransitions>[number];

function isWay({ kind, node, index }: Named, way: RecordedMove, from: string, to: string): boolean {
  if ("transition" in way) return kind === "transition" && node === from && index === way.transition;
  if ("go_back" in way) return kind === "go-back" && node === from && index === way.go_back;
  return kind === "global" && node === to;
}
