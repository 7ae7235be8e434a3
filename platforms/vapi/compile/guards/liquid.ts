import type { Guard } from "../../../lower/mod.ts";
import type { VariableNames } from "../text/mod.ts";
import { type Form, groupsOf, HOLDS, NEVER, negated, simplified } from "./guard_form.ts";
import { type Comparisons, createComparisons } from "./liquid_comparisons.ts";

/**
 * A guard as a Liquid condition of a `rejectionPlan`: prints `true`, which vetoes the tool call, exactly when the guard
 * does not hold, and else `false`. Liquid has no parentheses, so that only groups of one kind share a tag; names of its
 * own begin with `_cw_`.
 *
 * @see https://docs.vapi.ai/tools/tool-rejection-plan (condition `liquid`)
 */
export function vetoLiquid(guard: Guard, names: VariableNames): string {
  const comparisons = createComparisons(names);
  const form = simplified(formOf(guard, comparisons));
  const written = [...writings(form, comparisons)].sort((a, b) => a.length - b.length);
  return written[0] ?? withFlags(form, comparisons);
}

/** The condition written both ways, where there are not too many groups. */
function writings(form: Form, comparisons: Comparisons): readonly string[] {
  const kinds = ["any", "all"] as const;
  return kinds.flatMap((kind) => {
    const groups = groupsOf(kind === "any" ? form : negated(form), "any");
    if (!groups) return [];
    const scribe = comparisons.scribe();
    const [met, unmet] = kind === "any" ? ["false", "true"] : ["true", "false"];
    if (groups.some((group) => group.length === 0)) return [met];
    const tests = groups.map((group) => group.map((literal) => scribe.write(literal)).join(" and "));
    if (tests.length === 0) return [unmet];
    const isFlat = groups.every((group) => group.length === 1);
    const branches = isFlat
      ? `{% if ${tests.join(" or ")} %}${met}`
      : tests.map((test, index) => `{% ${index === 0 ? "if" : "elsif"} ${test} %}${met}`).join("");
    return [`${scribe.prelude()}${branches}{% else %}${unmet}{% endif %}`];
  });
}

/** A guard of many groups: each part decides a flag. */
function withFlags(form: Form, comparisons: Comparisons): string {
  const scribe = comparisons.scribe();
  const lines: string[] = [];
  let count = 0;
  const write = (part: Form): string => {
    const flag = `_cw_f${++count}`;
    if (part.kind === "literal") {
      const test = scribe.write(part);
      lines.push(`{% assign ${flag} = false %}{% if ${test} %}{% assign ${flag} = true %}{% endif %}`);
      return flag;
    }
    const wanted = part.kind === "all" ? "true" : "false";
    const flags = part.parts.map(write);
    lines.push(`{% assign ${flag} = ${wanted} %}`);
    for (const each of flags) lines.push(`{% if ${each} != ${wanted} %}{% assign ${flag} = ${each} %}{% endif %}`);
    return flag;
  };
  const held = write(form);
  return `${scribe.prelude()}${lines.join("")}{% if ${held} %}false{% else %}true{% endif %}`;
}

function formOf(guard: Guard, comparisons: Comparisons): Form {
  if (guard.kind === "clause") return comparisons.clause(guard.clause);
  if (guard.kind === "is") return comparisons.is(guard.variable, guard.value);
  if (guard.kind === "not") return negated(formOf(guard.guard, comparisons));
  if (guard.guards.length === 0) return guard.kind === "all" ? HOLDS : NEVER;
  return { kind: guard.kind, parts: guard.guards.map((part) => formOf(part, comparisons)) };
}
