import { type Path, ScenarioError } from "../../base/errors.ts";
import { didYouMean, own } from "../../base/values/mod.ts";
import { isKnownPlaceholder, placeholdersIn, replaceSnippets } from "../../document/expressions/mod.ts";
import {
  type AgentGraph,
  checkEntry,
  type Finding,
  hasOutcome,
  type TransitionCondition,
  toGraph,
} from "../../document/graph/mod.ts";
import {
  type Policy,
  type PolicyPoint,
  type PolicyRule,
  type PolicySource,
  parsePolicies,
  type Scenario,
} from "../../document/scenario/mod.ts";
import type { EndReason } from "../../document/transcript/mod.ts";
import { conditionText, knownVariables } from "./facts/mod.ts";
import { type CallEvent, type CallPath, type PathAnswer, searchable, searchFor, searchForTrap } from "./paths/mod.ts";
import { playPath, visitedNodes } from "./play/mod.ts";

/**
 * The findings of `check()` for policies: `policy-holds` (info), `policy-broken` with the shortest call that breaks it,
 * and `policy-undecided`. Names that the graph does not have are errors, and such a policy is not decided.
 *
 * @throws {ScenarioError} `invalid-policy`.
 */
export function policyFindings(source: AgentGraph, policies: readonly PolicySource[]): readonly Finding[] {
  const graph = toGraph(source, "Cannot check policies");
  return parsePolicies(policies).flatMap((policy): readonly Finding[] => {
    const unknown = unknownNames(graph, policy);
    if (unknown.length > 0 || !Object.hasOwn(graph.nodes, graph.entry_node_id)) return unknown;
    return checkPolicies(graph, [policy]).map((answer): Finding => {
      const path = ["policies", policy.name];
      if (answer.verdict === "holds") {
        const message = `policy "${policy.name}" holds on every path`;
        return { code: "policy-holds", severity: "info", path, message };
      }
      const rule = ruleText(answer.rule);
      if (answer.verdict === "unknown") {
        const message = `policy "${policy.name}" is not decided (${rule}): ${answer.reason}`;
        const hint = "Split the agent, or compare fewer variables with each other";
        return { code: "policy-undecided", severity: "warning", path, message, hint };
      }
      const nodes = visitedNodes(answer.path);
      return {
        code: "policy-broken",
        severity: "error",
        path,
        message: `policy "${policy.name}" is broken (${rule}): ${nodes.join(" -> ")}`,
        hint: "Change the transitions on this path, or the policy",
        witness: { path: nodes, variables: answer.path.variables },
      };
    });
  });
}

/** Names of a policy that the graph does not have. */
export function unknownNames(graph: AgentGraph, { name, rules }: Policy): readonly Finding[] {
  const nodes = Object.keys(graph.nodes);
  const tools = Object.values(graph.nodes).flatMap((node) => node.tools.map((tool) => tool.name));
  const variables = [...knownVariables(graph).keys()];
  const unknown = (
    what: "node" | "tool" | "variable",
    known: readonly string[],
    given: string,
    at: Path,
  ): Finding[] => {
    if (known.includes(given)) return [];
    const message = `policy "${name}" names ${what} "${given}", which the graph does not have`;
    const hint = didYouMean(given, known, `Name a ${what} of the graph`);
    return [{ code: `unknown-${what}`, severity: "error", path: ["policies", name, ...at], message, hint }];
  };
  return rules.flatMap((rule, index) => [
    ...pointsOf(rule).flatMap((point) => {
      if ("node" in point) return unknown("node", nodes, point.node, ["rules", index]);
      return "tool" in point ? unknown("tool", tools, point.tool, ["rules", index]) : [];
    }),
    ...(rule.verb === "known" ? rule.variables : []).flatMap((each) =>
      unknown("variable", variables, each, ["rules", index]),
    ),
  ]);
}

function pointsOf(rule: PolicyRule): readonly PolicyPoint[] {
  if (rule.verb === "known") return [];
  return "points" in rule ? rule.points : [...rule.first, ...rule.second];
}

/**
 * Formats a rule as a sentence.
 *
 * @param nodeName The name of a node, by its id. Default: the id.
 */
export function ruleText(rule: PolicyRule, nodeName: (id: string) => string = (id) => id): string {
  const points = (list: readonly PolicyPoint[]) => list.map((point) => pointText(point, nodeName)).join(" or ");
  switch (rule.verb) {
    case "before":
      return `${points(rule.first)} comes before ${points(rule.second)}`;
    case "never":
      return `never ${points(rule.points)}${rule.while ? ` while ${conditionText(rule.while)}` : ""}`;
    case "at_most_once":
      return `at most once ${points(rule.points)}`;
    case "after":
      return `after ${points(rule.first)} the agent does not end the call before ${points(rule.second)}`;
    case "leads_to":
      return `after ${points(rule.first)} there is always a way to ${points(rule.second)}`;
    case "way_to":
      return `there is always a way to ${points(rule.points)}`;
    case "known":
      return `${rule.variables.join(", ")} known before ${rule.variables.length > 1 ? "they are" : "it is"} spoken`;
  }
}

function pointText(point: PolicyPoint, nodeName: (id: string) => string): string {
  if ("node" in point) return `node "${nodeName(point.node)}"`;
  if ("end" in point) return `the end "${point.end}"`;
  return `tool "${point.tool}"${point.outcome ? ` (${point.outcome})` : ""}`;
}

/**
 * The decision about a policy: it holds in every call, a shortest call breaks one of its rules, or the search reached
 * its limits.
 */
export type PolicyAnswer =
  | { readonly policy: string; readonly verdict: "holds" }
  | {
      readonly policy: string;
      readonly verdict: "broken";
      /** The rule that is broken. */
      readonly rule: PolicyRule;
      readonly path: CallPath;
      /** A scenario that leads a call there; `playPath(graph, path)` also has a model's answers for it. */
      readonly scenario: Scenario;
    }
  | {
      readonly policy: string;
      readonly verdict: "unknown";
      readonly rule: PolicyRule;
      /** Why the policy is undecided. */
      readonly reason: string;
    };

/**
 * Checks policies on every path of a graph: the model may decide anything, tools may fail, extractions may find
 * nothing.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {ScenarioError} `invalid-policy`, also for an empty list.
 */
export function checkPolicies(source: AgentGraph, policies: readonly PolicySource[]): readonly PolicyAnswer[] {
  const graph = toGraph(source, "Cannot check policies");
  const parsed = parsePolicies(policies);
  if (parsed.length === 0)
    throw new ScenarioError("Cannot check policies: there are none", {
      code: "invalid-policy",
      hint: 'Pass at least one: [policy("…", ({ before }) => before("one_node", "another_node"))]',
    });
  checkEntry(graph, "Cannot check policies");
  return parsed.map((policy) => answerFor(graph, policy));
}

function answerFor(graph: AgentGraph, { name: policy, rules }: Policy): PolicyAnswer {
  let open: PolicyAnswer | undefined;
  for (const rule of rules) {
    const answer = ruleAnswer(graph, rule);
    if (answer.kind === "found") {
      const { path } = answer;
      const { scenario } = playPath(graph, path, { name: `breaks: ${policy}` });
      return { policy, verdict: "broken", rule, path, scenario };
    }
    if (answer.kind === "unknown") open ??= { policy, verdict: "unknown", rule, reason: answer.reason };
  }
  return open ?? { policy, verdict: "holds" };
}

function ruleAnswer(graph: AgentGraph, rule: PolicyRule): PathAnswer {
  const { conditions, start, next, ahead } = ruleWatch(graph, rule);
  const prepared = searchable(graph, { conditions });
  const watch = { variables: prepared.variablesIn(conditions), start, next };
  if (!ahead) return searchFor(prepared, watch, (watched) => watched === BROKEN);
  return searchForTrap(prepared, {
    watch,
    isOpen: (watched) => watched === NOTED,
    isGoal: (event) => isAny(ahead, event),
  });
}

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
