/**
 * A comparison in a guard. Literals with the same `key` are the same comparison. `variable` and `equals` are set if the
 * comparison with one value excludes all other values.
 */
export interface Literal {
  readonly kind: "literal";
  readonly key: string;
  readonly holds: boolean;
  readonly variable?: string;
  readonly equals?: string;
  /** Liquid: steps that several literals can share, and the tests for the comparison and its opposite. */
  readonly liquid: { readonly steps: readonly string[]; readonly held: string; readonly missed: string };
}

/** A guard in negation normal form: only literals are negated. */
export type Form = Literal | { readonly kind: "all" | "any"; readonly parts: readonly Form[] };

/** Always holds. */
export const HOLDS: Form = { kind: "all", parts: [] };
/** Never holds. */
export const NEVER: Form = { kind: "any", parts: [] };

/** Maximum number of groups in disjunctive normal form. */
const MAX_GROUPS = 24;

/** Negates a form. */
export function negated(form: Form): Form {
  if (form.kind === "literal") return { ...form, holds: !form.holds };
  return { kind: form.kind === "all" ? "any" : "all", parts: form.parts.map(negated) };
}

/** Removes duplicate parts, and parts that follow from others. */
export function simplified(form: Form, known: readonly Literal[] = []): Form {
  if (form.kind === "literal") {
    const decided = decidedBy(form, known);
    return decided === undefined ? form : decided ? HOLDS : NEVER;
  }
  const isAll = form.kind === "all";
  // in an "any", a part matters only if the others do not hold
  const given = (fact: Literal) => (isAll ? fact : { ...fact, holds: !fact.holds });
  let parts = form.parts;
  for (let pass = 0; pass < 3; pass++) {
    const done: Form[] = [];
    for (const [index, part] of parts.entries()) {
      const others = part.kind === "literal" ? done : [...done, ...parts.slice(index + 1)];
      const next = simplified(part, [...known, ...others.filter(isLiteral).map(given)]);
      if (next.kind !== "literal" && next.kind !== form.kind && next.parts.length === 0) return next;
      if (next.kind !== "literal" && (next.kind === form.kind || next.parts.length === 1)) done.push(...next.parts);
      else done.push(next);
    }
    const isSettled = done.length === parts.length && done.every((part, index) => part === parts[index]);
    parts = done;
    if (isSettled) break;
  }
  // remove comparisons that follow from another one
  const literals = parts.filter(isLiteral);
  const kept = parts.filter(
    (part) =>
      !isLiteral(part) ||
      literals.every((other) => other.key === part.key || decidedBy(part, [given(other)]) !== isAll),
  );
  return kept.length === 1 && kept[0] ? kept[0] : { kind: form.kind, parts: kept };
}

const isLiteral = (form: Form): form is Literal => form.kind === "literal";

/** Returns the result of a literal if known literals determine it. */
function decidedBy(literal: Literal, known: readonly Literal[]): boolean | undefined {
  for (const fact of known) {
    if (fact.key === literal.key) return fact.holds === literal.holds;
    if (!fact.holds || fact.equals === undefined || fact.variable !== literal.variable) continue;
    if (literal.equals !== undefined && literal.equals !== fact.equals) return !literal.holds;
    if (literal.key === presenceKey(fact.variable)) return literal.holds;
  }
  return undefined;
}

/** Returns the key of the literal that tests whether a variable is set. */
export function presenceKey(variable: string | undefined): string {
  return `set ${variable}`;
}

/** Converts a form to groups of literals (disjunctive normal form); `undefined` if there are too many. */
export function groupsOf(form: Form): readonly (readonly Literal[])[] | undefined {
  if (form.kind === "literal") return [[form]];
  let groups: readonly (readonly Literal[])[] = form.kind === "any" ? [] : [[]];
  for (const part of form.parts.map(groupsOf)) {
    if (!part) return undefined;
    groups =
      form.kind === "any" ? [...groups, ...part] : groups.flatMap((left) => part.map((right) => [...left, ...right]));
    if (groups.length > MAX_GROUPS) return undefined;
  }
  return groups;
}
