import type { Guard } from "../../../lower/mod.ts";
import type { VariableTable } from "../text/mod.ts";
import { type Form, groupsOf, type Literal, negated, simplified } from "./guard_form.ts";
import { guardForm } from "./liquid_comparisons.ts";

/**
 * Writes a guard as the Liquid condition of a `rejectionPlan`: it prints `true`, which rejects the tool call, if the
 * guard does not hold, else `false`. Liquid has no parentheses, so a tag cannot mix `and` and `or`. Variables of the
 * condition start with `_cw_`.
 *
 * @see https://docs.vapi.ai/tools/tool-rejection-plan (condition `liquid`)
 */
export function vetoLiquid(guard: Guard, names: VariableTable): string {
  const form = simplified(guardForm(guard, names));
  const [shortest] = writings(form).toSorted((a, b) => a.length - b.length);
  return shortest ?? withFlags(form);
}

/** Writes the condition from the form and from its negation, unless they have too many groups. */
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

/** Writes the condition for a form with too many groups: each part sets a flag. */
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

/** Returns the test of a literal, and adds its steps. */
function testOf({ liquid, holds }: Literal, steps: Set<string>): string {
  for (const step of liquid.steps) steps.add(step);
  return holds ? liquid.held : liquid.missed;
}
