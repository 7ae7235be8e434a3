import { own } from "../../../base/values/mod.ts";
import { isKnownPlaceholder, placeholdersIn, replaceSnippets } from "../../../document/expressions/mod.ts";
import { type AgentGraph, hasOutcome, type TransitionCondition } from "../../../document/graph/mod.ts";
import type { PolicyPoint, PolicyRule } from "../../../document/scenario/mod.ts";
import type { EndReason } from "../../../document/transcript/mod.ts";
import type { CallEvent } from "../paths/mod.ts";

/** Nothing has happened yet; the rule is met so far. */
const CLEAR = 0;
/** The first point of the rule has happened: `before` is met, other rules still wait for a later point. */
export const NOTED = 1;
/** The rule is broken, and stays broken for the rest of the call. */
export const BROKEN = 2;

/** Follows one rule along the events of a call, with a number. */
export interface RuleWatch {
  readonly start: number;
  /** Conditions that the rule reads. */
  readonly conditions: readonly TransitionCondition[];
  readonly next: (state: number, event: CallEvent, holds: (condition: TransitionCondition) => boolean) => number;
  /** Points that must stay reachable while the call waits for the caller, in state {@link NOTED}. */
  readonly ahead: readonly PolicyPoint[] | undefined;
}

/** Ends that the agent brings about. A caller may hang up at any time, which breaks no rule. */
const BY_AGENT: readonly EndReason[] = ["agent_ended", "agent_transferred", "hop_limit"];

/** The automaton of a rule: the same for the paths of a graph and for the events of a call. */
export function ruleWatch(graph: AgentGraph, rule: PolicyRule): RuleWatch {
  switch (rule.verb) {
    case "before":
      return plain((state, event) => {
        if (state !== CLEAR || isAny(rule.first, event)) return state === BROKEN ? BROKEN : NOTED;
        return isAny(rule.second, event) ? BROKEN : CLEAR;
      });
    case "at_most_once":
      return plain((state, event) => (isAny(rule.points, event) ? state + 1 : state));
    case "after":
      return plain((state, event) => {
        const open = state === NOTED && !isAny(rule.second, event);
        if (open && event.kind === "end" && BY_AGENT.includes(event.reason)) return BROKEN;
        return open || isAny(rule.first, event) ? NOTED : CLEAR;
      });
    case "leads_to":
      return {
        ...plain((state, event) => {
          const open = state === NOTED && !isAny(rule.second, event);
          return open || isAny(rule.first, event) ? NOTED : CLEAR;
        }),
        ahead: rule.second,
      };
    case "way_to":
      return { ...plain(() => NOTED), start: NOTED, ahead: rule.points };
    case "never":
      return neverWatch(rule.points, rule.while);
    case "known":
      return knownWatch(graph, rule.variables);
  }
}

type Step = (state: number, event: CallEvent, holds: (condition: TransitionCondition) => boolean) => number;

/** A broken rule stays broken. */
function plain(next: Step, conditions: readonly TransitionCondition[] = []): RuleWatch {
  return {
    start: CLEAR,
    conditions,
    ahead: undefined,
    next: (state, event, holds) => (state === BROKEN ? BROKEN : next(state, event, holds)),
  };
}

/** At a node: when it is entered, and when variables change before it is left. */
function neverWatch(points: readonly PolicyPoint[], condition: TransitionCondition | undefined): RuleWatch {
  if (!condition) return plain((_, event) => (isAny(points, event) ? BROKEN : CLEAR));
  const isThere = (event: CallEvent) =>
    isAny(points, event) ||
    (event.kind === "set" && points.some((point) => "node" in point && point.node === event.node));
  return plain((_, event, holds) => (isThere(event) && holds(condition) ? BROKEN : CLEAR), [condition]);
}

function knownWatch(graph: AgentGraph, variables: readonly string[]): RuleWatch {
  const unset = new Map(variables.map((name) => [name, isUnset(name)]));
  const spoken = new Map<string, readonly string[]>();
  const namesAt = (node: string, isBegin: boolean): readonly string[] => {
    const key = isBegin ? "begin" : `node ${node}`;
    const known = spoken.get(key);
    if (known) return known;
    const text = isBegin ? graph.source_metadata.begin_message : own(graph.nodes, node)?.state_prompt;
    const used = placeholdersIn(replaceSnippets(text ?? "", (name) => own(graph.snippets, name)));
    const names = variables.filter((name) => used.some((each) => isKnownPlaceholder(each, new Set([name]))));
    spoken.set(key, names);
    return names;
  };
  return plain(
    (_, event, holds) => {
      if (event.kind !== "speak") return CLEAR;
      const isOpen = (name: string) => {
        const condition = unset.get(name);
        return condition !== undefined && holds(condition);
      };
      return namesAt(event.node, event.isBegin === true).some(isOpen) ? BROKEN : CLEAR;
    },
    [...unset.values()],
  );
}

function isUnset(name: string): TransitionCondition {
  return { type: "equation", value: "", equations: [{ left: name, operator: "not_exist" }] };
}

/** Whether an event is one of these points. */
export function isAny(points: readonly PolicyPoint[], event: CallEvent): boolean {
  return points.some((point) => {
    if ("node" in point) return event.kind === "enter" && event.node === point.node;
    if ("end" in point) return event.kind === "end" && event.reason === point.end;
    return event.kind === "tool" && event.tool === point.tool && hasOutcome(point, event.outcome);
  });
}
