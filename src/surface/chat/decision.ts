import { own, recordAt, records } from "../../base/values/mod.ts";
import { equationText, evaluateClauses, expandText } from "../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  isSilent,
  type Transition,
  type TransitionCondition,
} from "../../document/graph/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";

/** A decision of the agent, with its inputs. */
export interface Decision {
  /** The transition, or that none was taken. */
  readonly message: Message;
  readonly graph: AgentGraph;
  /** Values of the variables at that time. */
  readonly variables: { readonly [name: string]: string };
  /** Nodes from which global nodes had been entered at that time. */
  readonly originators: readonly string[];
}

/** A transition that the agent could have taken. */
export interface Considered {
  readonly target: string;
  /** `equation`, `LLM`, `tool`, `always`, `global` or `go back`. */
  readonly kind: string;
  /** The condition, equations with the values of their variables. */
  readonly condition: string;
  /** `taken`, or why it was not. */
  readonly outcome: string;
}

const KINDS: readonly unknown[] = ["transition", "decision", "unusable_answer"];

/** Whether a message records that a transition was taken, or that none was. */
export function isDecision({ role, metadata }: Message): boolean {
  return role === "tool" && KINDS.includes(metadata.kind);
}

/** The transitions that were considered, in the order of the graph: the node's own, then global entries and go-backs. */
export function consideredIn({ message, graph, variables, originators }: Decision): readonly Considered[] {
  const node = own(graph.nodes, message.node_id);
  if (!node) return [];
  const { metadata } = message;
  const ways = records(metadata.ways);
  const answer = recordAt(metadata, "decision");
  const isAsked = Object.keys(answer).length > 0;
  const isMet = answer.objectives_complete !== false;
  const taken = (key: string, value: unknown) => ways.some((way) => way[key] === value);
  const textOf = (condition: TransitionCondition) => {
    if (condition.type === "equation") return equationText(condition, variables);
    if (condition.type === "tool_call") return toolWords(condition);
    return expandText(condition.value, graph.snippets, (name) => own(variables, name));
  };
  const outcomeOf = (condition: TransitionCondition, isTaken: boolean) => {
    if (isTaken) return "taken";
    if (condition.type === "equation") return equationOutcome(condition, variables);
    if (condition.type !== "llm_prompt") return "not taken";
    if (!isAsked) return "not offered: another transition came first";
    return isMet ? "offered, not picked" : "offered, but the objectives are not complete";
  };
  const own_ = node.transitions.map(
    ({ condition, target_node_id: target, timing }, index): Considered => ({
      target,
      kind: KIND_WORDS[condition.type],
      condition: condition.type === "always" ? alwaysWords(node, timing) : textOf(condition),
      outcome: outcomeOf(condition, taken("transition", index)),
    }),
  );
  return [...own_, ...(isAsked && hears(node) ? globalsOf() : []), ...backsOf()];

  function globalsOf(): readonly Considered[] {
    return Object.entries(graph.nodes).flatMap(([target, { global_node_setting: setting }]) => {
      if (!setting || target === message.node_id) return [];
      const condition = { type: "llm_prompt", value: setting.condition } as const;
      const isTaken = taken("global", true) && metadata.to === target;
      return [{ target, kind: "global", condition: textOf(condition), outcome: outcomeOf(condition, isTaken) }];
    });
  }

  function backsOf(): readonly Considered[] {
    const target = originators.at(-1);
    if (target === undefined) return [];
    return (node?.global_node_setting?.go_back_conditions ?? []).map(({ condition }, index) => ({
      target,
      kind: "go back",
      condition: textOf(condition),
      outcome: outcomeOf(condition, taken("go_back", index)),
    }));
  }
}

const KIND_WORDS = { equation: "equation", llm_prompt: "LLM", tool_call: "tool", always: "always" } as const;

function equationOutcome(condition: TransitionCondition, variables: Decision["variables"]): string {
  return evaluateClauses(condition, variables).holds ? "true, but another transition came first" : "false";
}

function toolWords({ value, outcome }: TransitionCondition): string {
  return `${value || "the tool"} ${outcome ?? "was called"}`;
}

function alwaysWords(node: AgentNode, timing: Transition["timing"]): string {
  if (timing === "else" || isSilent(node)) return "no other condition is met";
  return timing === "skip_response" ? "at once after the agent has spoken" : "after the agent has spoken";
}

/** Silent nodes are not offered global nodes. */
function hears({ node_type: type }: AgentNode): boolean {
  return type === "conversation";
}
