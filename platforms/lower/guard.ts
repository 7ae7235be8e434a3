import type { EquationClause, TransitionCondition } from "../../src/graph/mod.ts";

/**
 * What must hold for a route to be taken, as far as it can be told from variables alone. `is` compares a variable with a
 * literal and never with another variable.
 */
export type Guard =
  | { readonly kind: "clause"; readonly clause: EquationClause }
  | { readonly kind: "is"; readonly variable: string; readonly value: string }
  | { readonly kind: "all" | "any"; readonly guards: readonly Guard[] }
  | { readonly kind: "not"; readonly guard: Guard };

/** The guard that always holds. */
export const ALWAYS: Guard = { kind: "all", guards: [] };

/** All of the guards, flattened where that changes nothing. */
export function all(guards: readonly Guard[]): Guard {
  const flat = guards.flatMap((guard) => (guard.kind === "all" ? guard.guards : [guard]));
  return flat.length === 1 && flat[0] ? flat[0] : { kind: "all", guards: flat };
}

/** Any of the guards; one that always holds makes the whole hold. */
export function any(guards: readonly Guard[]): Guard {
  if (guards.some(isAlways)) return ALWAYS;
  return guards.length === 1 && guards[0] ? guards[0] : { kind: "any", guards };
}

/** None of the guards; {@link ALWAYS} for no guards at all. */
export function none(guards: readonly Guard[]): Guard {
  return guards.length === 0 ? ALWAYS : { kind: "not", guard: any(guards) };
}

/** Whether there is nothing to check. */
export function isAlways(guard: Guard): boolean {
  return guard.kind === "all" && guard.guards.length === 0;
}

/** An equation condition as a guard: its clauses under its logical operator. No clauses: it never holds. */
export function equationGuard(condition: TransitionCondition): Guard {
  const clauses = (condition.equations ?? []).map((clause): Guard => ({ kind: "clause", clause }));
  if (clauses.length === 0) return { kind: "any", guards: [] };
  return condition.logical_operator === "or" ? any(clauses) : all(clauses);
}
