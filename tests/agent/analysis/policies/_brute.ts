import { BROKEN, type CallEvent, isAny, NOTED, ruleWatch } from "../../../../src/agent/analysis/mod.ts";
import { equationHolds, evaluateEquation } from "../../../../src/document/expressions/mod.ts";
import type { AgentGraph, EquationClause } from "../../../../src/document/graph/mod.ts";
import type { PolicyRule } from "../../../../src/document/scenario/mod.ts";
import { VALUES } from "./_random_policies.ts";
import { type CallState, type Choices, referenceStates, type Values } from "./_reference_states.ts";

/** Events of a call, with the values of the variables at that time. */
export type Events = readonly { readonly event: CallEvent; readonly values: Values }[];

/** A transition between two states of a call. */
export interface StateWay {
  /** The next state; `undefined` when the call is over. */
  readonly to: string | undefined;
  readonly events: Events;
}

/** Every state that calls can reach, with all transitions from it. */
export interface StateGraph {
  readonly ways: ReadonlyMap<string, readonly StateWay[]>;
  /** States in which the agent waits for the caller. */
  readonly waiting: ReadonlySet<string>;
}

/** The state before a call. */
export const START = "start";

/**
 * Explores every state of every call with the reference: each decision of the model, outcome of tools and transfers and extraction
 * is tried in each state, until there is no new one.
 *
 * @returns `undefined` when there are more states than are allowed.
 */
export function stateGraph(
  graph: AgentGraph,
  rules: readonly PolicyRule[],
  mostStates: number,
): StateGraph | undefined {
  const values = triedValues(graph, rules);
  const { open: opened, waysFrom, keyOf } = referenceStates(graph, values.set);
  const ways = new Map<string, StateWay[]>();
  const waiting = new Set<string>();
  const open: CallState[] = [];
  const seen = new Set<string>();
  const keep = (from: string, list: ReturnType<typeof opened>) => {
    const kept = ways.get(from) ?? [];
    ways.set(from, kept);
    for (const { to, events } of list) {
      const key = to.phase === "over" ? undefined : keyOf(to);
      kept.push({ to: key, events });
      if (key === undefined || seen.has(key)) continue;
      seen.add(key);
      open.push(to);
      if (to.phase === "wait") waiting.add(key);
    }
  };
  for (const given of startsFor(graph, values)) keep(START, opened(textsOf(given)));
  for (let state = open.pop(); state; state = open.pop()) {
    if (seen.size > mostStates) return undefined;
    keep(keyOf(state), waysFrom(state));
  }
  return { ways, waiting };
}

/** The start variables of calls: any of those that nothing fills, with any text. */
export function startsFor(graph: AgentGraph, { given }: TriedValues): readonly { readonly [name: string]: unknown }[] {
  const filled = new Set(
    Object.values(graph.nodes).flatMap(({ node_type: type, variables_to_extract: variables, tools }) => [
      ...(type === "extract" ? variables.map(({ name }) => name) : []),
      ...tools.flatMap((tool) => Object.keys(tool.response_variables ?? {})),
    ]),
  );
  const open = Object.entries(given).filter(([name]) => !filled.has(name));
  return open.reduce<{ readonly [name: string]: unknown }[]>(
    (all, [name, values]) => all.flatMap((each) => [each, ...values.map((value) => ({ ...each, [name]: value }))]),
    [{}],
  );
}

/** Values in the form that calls store. */
export function textsOf(values: { readonly [name: string]: unknown }): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** Values to try for each variable. */
export interface TriedValues {
  /** For start variables. */
  readonly given: Choices;
  /** For variables that a call sets. */
  readonly set: Choices;
}

/** A text that no equation names, as a start value or a tool's result. */
const OTHER = "other";

/** One value of each kind that the equations of a graph and of its rules can tell apart. */
export function triedValues(graph: AgentGraph, rules: readonly PolicyRule[]): TriedValues {
  const conditions = [
    ...Object.values(graph.nodes).flatMap(({ transitions, global_node_setting: setting }) => [
      ...transitions.map(({ condition }) => condition),
      ...(setting?.go_back_conditions ?? []).map(({ condition }) => condition),
    ]),
    ...rules.flatMap((rule) => (rule.verb === "never" && rule.while ? [rule.while] : [])),
  ];
  const clauses = conditions.flatMap(({ equations }) => equations ?? []);
  const spoken = new Set(rules.flatMap((rule) => (rule.verb === "known" ? rule.variables : [])));
  const oneOfEach = (name: string, values: readonly unknown[]) => {
    const asked: readonly EquationClause[] = clauses.filter(({ left }) => left === name);
    if (asked.length === 0 && !spoken.has(name)) return [];
    const kinds = values.toReversed().map((value) => {
      const variables = { [name]: String(value) };
      return [JSON.stringify(asked.map((clause) => evaluateEquation(clause, variables))), value] as const;
    });
    return [...new Map(kinds).values()];
  };
  const tried = (hasOther: (name: string) => boolean): Choices =>
    Object.fromEntries(
      Object.entries(VALUES).map(([name, values]) => [
        name,
        oneOfEach(name, hasOther(name) ? [...values, OTHER] : values),
      ]),
    );
  return { given: tried(() => true), set: tried((name) => name === "status") };
}

/** Whether some call breaks a rule, which is followed along all transitions between the states. */
export function isBroken(graph: AgentGraph, rule: PolicyRule, { ways, waiting }: StateGraph): boolean {
  const { start, next, ahead } = ruleWatch(graph, rule);
  const seen = new Map<string, Set<number>>();
  const open: { readonly key: string; readonly state: number }[] = [{ key: START, state: start }];
  for (let at = open.pop(); at; at = open.pop()) {
    for (const { to, events } of ways.get(at.key) ?? []) {
      const after = events.reduce(
        (state, { event, values }) => next(state, event, (condition) => equationHolds(condition, values)),
        at.state,
      );
      if (!ahead && after === BROKEN) return true;
      if (to === undefined || seen.get(to)?.has(after)) continue;
      seen.set(to, (seen.get(to) ?? new Set()).add(after));
      open.push({ key: to, state: after });
    }
  }
  if (!ahead) return false;
  const before = new Map<string, string[]>();
  const reaching = new Set<string>();
  const grown: string[] = [];
  for (const [from, list] of ways)
    for (const { to, events } of list) {
      if (events.some(({ event }) => isAny(ahead, event))) grown.push(from);
      if (to !== undefined) before.set(to, [...(before.get(to) ?? []), from]);
    }
  for (let key = grown.pop(); key !== undefined; key = grown.pop()) {
    if (reaching.has(key)) continue;
    reaching.add(key);
    grown.push(...(before.get(key) ?? []));
  }
  return [...waiting].some((key) => seen.get(key)?.has(NOTED) && !reaching.has(key));
}
