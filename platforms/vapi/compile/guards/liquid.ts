import type { Guard } from "../../../lower/mod.ts";
import type { VariableTable } from "../text/mod.ts";
import { type Form, groupsOf, type Literal, negated, simplified } from "./guard_form.ts";
import { guardForm } from "./liquid_comparisons.ts";

/**
 * A guard as a Liquid condition of a `rejectionPlan`. It prints `true`, which vetoes the tool call, when the guard does
 * not hold, and else `false`. Liquid has no parentheses, so that only groups of one kind share a tag. Variables of the
 * condition itself begin with `_cw_`.
 *
 * @see https://docs.vapi.ai/tools/tool-rejection-plan (condition `liquid`)
 */
export function vetoLiquid(guard: Guard, names: VariableTable): string {
  const form = simplified(guardForm(guard, names));
  const [shortest] = writings(form).toSorted((a, b) => a.length - b.length);
  return shortest ?? withFlags(form);
}

/** The condition for the form and for its opposite, unless it has too many groups. */
function writings(form: Form): readonly string[] {
  return [true, false].flatMap((met) => {
    const groups = groupsOf(met ? form : negated(form));
    if (!groups) return [];
    if (groups.some((group) => group.length === 0)) return [`${!met}`];
    if (groups.length === 0) return [`${met}`];
    const steps = new Set<string>();
    const tests = groups.map((group) => group.map((literal) => testOf(literal, steps)).join(" and "));
    const branches = groups.every((group) => group.length === 1)
      ? `{% if ${tests.join(" or ")} %}${!met}`
      : tests.map((test, index) => `{% ${index === 0 ? "if" : "elsif"} ${test} %}${!met}`).join("");
    return [`${[...steps].join("")}${branches}{% else %}${met}{% endif %}`];
  });
}

/** The condition for a form of many groups: each part sets a flag. */
function withFlags(form: Form): string {
  const steps = new Set<string>();
  const lines: string[] = [];
  let count = 0;
  const write = (part: Form): string => {
    const flag = `_cw_f${++count}`;
    if (part.kind === "literal") {
      const test = testOf(part, steps);
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
  return `${[...steps].join("")}${lines.join("")}{% if ${held} %}false{% else %}true{% endif %}`;
}

/** Liquid that tests a literal, after its steps, of which each is made once. */
function testOf({ liquid, holds }: Literal, steps: Set<string>): string {
  for (const step of liquid.steps) steps.add(step);
  return holds ? liquid.held : liquid.missed;
}
