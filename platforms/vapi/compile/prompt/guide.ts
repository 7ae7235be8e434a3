import { own } from "../../../../src/base/values/mod.ts";
import { clauseWords, replacePlaceholders, rightOf } from "../../../../src/document/expressions/mod.ts";
import type { AgentNode, EquationClause, Transition } from "../../../../src/document/graph/mod.ts";
import { type Guard, isSilent, type LoweredNode, type Route, transitionPath } from "../../../lower/mod.ts";
import { type EmitContext, outcomeWords } from "../plan/mod.ts";
import { emitText, promptText } from "../text/mod.ts";
import type { WorkTools } from "../tools/mod.ts";

/** Describes for the model when a route is taken, including its equations, so that the model expects rejections. */
export function describeRoute(route: Route, context: EmitContext): string {
  const told = describeGuard(route.guard, context);
  const judged = route.texts.filter((text) => text !== "").join(", and ");
  const known = `As soon as ${told || "you have said what this step asks for"}`;
  const when = judged && told ? `${judged} (only while ${told})` : judged || known;
  return route.back ? `${when}: back to where the caller came from, "${route.back.origin}"` : when;
}

/** Describes the condition of a transition. */
function describeCondition(node: AgentNode, transition: Transition, context: EmitContext): string {
  const { type, value, equations, logical_operator: operator } = transition.condition;
  if (type === "tool_call") return outcomeWords(node, transition);
  if (type !== "equation") return value;
  const clauses = (equations ?? []).map((clause) => describeClause(clause, context));
  return clauses.join(operator === "or" ? " or " : " and ");
}

/** Describes the equations of a guard, without negations. */
function describeGuard(guard: Guard, context: EmitContext): string {
  if (guard.kind === "clause") return describeClause(guard.clause, context);
  if (guard.kind === "is" || guard.kind === "not") return "";
  const parts = guard.guards.map((part) => describeGuard(part, context)).filter((part) => part !== "");
  return parts.join(guard.kind === "all" ? " and " : " or ");
}

function describeClause(clause: EquationClause, { variables }: EmitContext): string {
  const { text, variable } = rightOf(clause);
  const value = replacePlaceholders(text, (name) => `[${variables.emitted(name)}]`).replace(/[{}%]/g, "");
  const isNumber = /^-?\d+(\.\d+)?$/.test(value);
  const right = variable === undefined ? `"${value}"` : variables.emitted(variable);
  return clauseWords(variables.emitted(clause.left), clause.operator, isNumber ? value : right);
}

/** Action at the end of a route: the model calls a tool, or stays. */
export interface Exit {
  /** Absent if the route leads back to the current node and nothing has to be reset. */
  readonly tool?: string;
  /** Whether the route leads back to the current node. */
  readonly again?: boolean;
  /** Instructions before the tool call. */
  readonly before?: string;
}

/** An instruction. The steps below it depend on its result. */
interface Step {
  readonly text: string;
  readonly below: readonly Step[];
}

/** Maximum number of silent nodes in the instructions, because branches multiply. */
const MAX_STEPS = 200;

/** Map key for the hops of a route. */
export const exitKey = (hops: readonly string[]) => hops.join("\n");

/** Returns instructions for tools of conversation nodes that extract variables. */
export function noteLines(work: WorkTools, { graph, variables }: EmitContext): readonly string[] {
  return [...work.extracts].flatMap(([id, tool]) => {
    const node = own(graph.nodes, id);
    if (!node || node.node_type === "extract") return [];
    const names = node.variables_to_extract.map(({ name }) => variables.emitted(name));
    return [`- As soon as you know ${names.join(" and ")}: call ${tool}.`];
  });
}

const step = (text: string): Step => ({ text, below: [] });

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Key of a transition in the hops of a route. */
export const hopOf = (node: AgentNode, index: number) => `${index} ${node.id}`;

/**
 * Writes instructions for leaving a node, in the order of its transitions: when a transition applies, and which tools
 * to call in order.
 */
export class Guide {
  readonly #work: WorkTools;
  readonly #exits: ReadonlyMap<string, Exit>;
  readonly #context: EmitContext;
  #count = 0;

  /** @param exits By {@link exitKey}. */
  constructor(work: WorkTools, exits: ReadonlyMap<string, Exit>, context: EmitContext) {
    this.#work = work;
    this.#exits = exits;
    this.#context = context;
  }

  /** Returns all steps of a silent node, or a list item for each transition of a conversation node. */
  lines(node: LoweredNode): readonly string[] {
    if (isSilent(node)) return numbered(this.#steps(node, []), "");
    const backIds = node.transitions.map(({ back }) => back?.id);
    return node.transitions.flatMap((transition, index) => {
      const { back } = transition;
      if (!back) {
        const steps = this.#follow(transition.target_node_id, [hopOf(node, index)]);
        return steps.length === 0 ? [] : point(this.#lead(node, transition), steps);
      }
      const action = `go back to {{${back.variable}}}, where the caller came from. Call the tool that leads there`;
      return backIds.indexOf(back.id) === index ? point(this.#lead(node, transition), action) : [];
    });
  }

  #lead(node: AgentNode, transition: Transition): string {
    const { condition, timing } = transition;
    if (condition.type !== "always") {
      const words = this.#words(node, transition);
      return condition.type === "llm_prompt" ? words : `As soon as ${words}`;
    }
    if (timing !== "else") return "As soon as you have said what this step asks for, without waiting for an answer";
    const others = node.transitions.filter((other) => other.condition.type !== "always");
    return others.length === 0
      ? "The caller has answered"
      : "The caller has answered, and none of the points above applies";
  }

  #words(node: AgentNode, transition: Transition): string {
    const path = transitionPath(node, node.transitions.indexOf(transition));
    const words = describeCondition(node, transition, this.#context);
    return oneLine(transition.condition.type === "llm_prompt" ? emitText(words, path, this.#context) : words);
  }

  /** Returns the steps to a node, and the steps of the node itself if it is silent. */
  #follow(id: string, hops: readonly string[]): readonly Step[] {
    const exit = this.#exits.get(exitKey(hops));
    if (exit) return [step(exitText(exit))];
    const node = own(this.#context.graph.nodes, id);
    return node && isSilent(node) && this.#count < MAX_STEPS ? this.#steps(node, hops) : [];
  }

  #steps(node: AgentNode, hops: readonly string[]): readonly Step[] {
    this.#count += 1;
    return [...this.#calls(node), ...this.#branches(node, hops)];
  }

  /** Returns the steps that call a silent node's tools. */
  #calls(node: AgentNode): readonly Step[] {
    const { extracts, functions, failures } = this.#work;
    if (node.node_type === "extract") {
      const tool = extracts.get(node.id);
      const names = new Set(node.variables_to_extract.map(({ name }) => this.#context.variables.emitted(name)));
      return tool ? [step(`call ${tool} with what the caller has said: ${[...names].join(", ")}`)] : [];
    }
    const tool = functions.get(node.id);
    if (tool === undefined) return [];
    const prompt = oneLine(promptText(node, this.#context));
    const failure = failures.get(tool);
    const note = failure ? `. If ${tool} answers with an error, call ${failure}` : "";
    return [step(`${prompt ? `${prompt} Then call` : "call"} ${tool}${note}`)];
  }

  #branches(node: AgentNode, hops: readonly string[]): readonly Step[] {
    const found = node.transitions.flatMap((transition, index) => {
      const steps = this.#follow(transition.target_node_id, [...hops, hopOf(node, index)]);
      return steps.length === 0 ? [] : [{ transition, steps }];
    });
    const [only, ...others] = found;
    if (only && others.length === 0 && only.transition.condition.type === "always") return only.steps;
    return found.map(({ transition, steps }, index) => {
      const { type } = transition.condition;
      const judged = type === "llm_prompt" ? "this applies: " : "";
      const words = type === "always" ? "" : `if ${judged}${this.#words(node, transition)}`;
      // outcomes of a tool are mutually exclusive
      const lead = index === 0 || type === "tool_call" ? words : words === "" ? "otherwise" : `otherwise, ${words}`;
      const [first, ...more] = steps;
      if (first && more.length === 0) return { text: lead ? `${lead}: ${first.text}` : first.text, below: first.below };
      return { text: `${lead}:`, below: steps };
    });
  }
}

/** Describes the action at the end of a route. */
function exitText({ tool, before, again }: Exit): string {
  if (tool === undefined) return "start this step again";
  if (again) return `call ${tool}, then start this step again`;
  return before ? `first do this: ${before}\nThen call ${tool}` : `call ${tool}`;
}

/** Writes a list item: a condition and its steps. */
export function point(lead: string, steps: readonly Step[] | string): readonly string[] {
  const list = typeof steps === "string" ? [step(steps)] : steps;
  const [first] = list;
  if (first && list.length === 1 && first.below.length === 0) return [`- ${lead}: ${ended(first.text, "  ")}`];
  return [`- ${lead}:`, ...numbered(list, "  ")];
}

function numbered(steps: readonly Step[], indent: string): readonly string[] {
  return steps.flatMap(({ text, below }, index) => {
    const mark = `${indent}${index + 1}. `;
    const inner = " ".repeat(mark.length);
    const written = text.endsWith(":") ? text : ended(text, inner);
    return [mark + written.charAt(0).toUpperCase() + written.slice(1), ...numbered(below, inner)];
  });
}

/** Adds a full stop and indents further lines. */
function ended(text: string, indent: string): string {
  return `${text.replace(/\n/g, `\n${indent}`)}.`;
}
