import { evaluateEquation, expandPrompt } from "../../src/expressions/mod.ts";
import type {
  AgentGraph,
  AgentNode,
  ToolDefinition,
  TransitionCondition,
  VariableExtraction,
} from "../../src/graph/mod.ts";
import type { ToolMock } from "../../src/scenario/mod.ts";

/** Answers what a call's model is asked for. */
export interface Oracle {
  readonly transition: (targets: readonly string[]) => { objectives_complete: boolean; transition_to: string };
  readonly extract: (variables: readonly VariableExtraction[]) => Readonly<Record<string, unknown>>;
  readonly arguments: (tool: ToolDefinition) => Readonly<Record<string, unknown>>;
}

/**
 * How a conversation moves, written down a second time and as plainly as can be: no model, no clock, nothing written
 * ahead. The engine is held to it on random graphs.
 */
export class ReferenceCall {
  readonly variables = new Map<string, string>();
  readonly visited: string[];
  readonly originators: string[] = [];
  /** The node of each time that the agent spoke, with the text where no model wrote it. */
  readonly spoken: { readonly node: string; readonly text?: string }[] = [];
  readonly tools: string[] = [];
  readonly offered: (readonly string[])[] = [];
  readonly prompts: string[] = [];
  ended: string | undefined;
  #at: string;
  #fresh = true;
  #hops = 0;
  readonly #graph: AgentGraph;
  readonly #mocks: readonly ToolMock[];
  readonly #oracle: Oracle;

  constructor(graph: AgentGraph, given: object, mocks: readonly ToolMock[], oracle: Oracle) {
    this.#graph = graph;
    this.#mocks = mocks;
    this.#oracle = oracle;
    this.#at = graph.entry_node_id;
    this.visited = [this.#at];
    const defaults = graph.source_metadata.default_dynamic_variables ?? {};
    for (const [name, value] of [...Object.entries(defaults), ...Object.entries(given)])
      this.variables.set(name, String(value));
  }

  open(): void {
    const { begin_message: begin, start_speaker: speaker } = this.#graph.source_metadata;
    if (speaker === "user" || begin === "") return;
    if (begin) this.spoken.push({ node: this.#at, text: this.#expanded(begin) });
    if (!begin || this.#leavesAfterSpeech()) this.#walk();
  }

  hear(): void {
    this.#hops = 0;
    if (this.#node().node_type !== "conversation" || this.#choose()) this.#walk();
  }

  #node(id = this.#at): AgentNode {
    const node = Object.entries(this.#graph.nodes).find(([name]) => name === id)?.[1];
    if (!node) throw new Error(`no node ${id}`);
    return node;
  }

  #expanded(text: string): string {
    return expandPrompt(text, { snippets: this.#graph.snippets, variables: Object.fromEntries(this.variables) });
  }

  /** Returns whether the call is still on. */
  #move(target: string): boolean {
    if (++this.#hops > 20) {
      this.ended = "hop_limit";
      return false;
    }
    const leavesGlobal = Boolean(this.#node().global_node_setting);
    if (leavesGlobal && this.originators.at(-1) === target) this.originators.pop();
    else if (this.#node(target).global_node_setting) this.originators.push(this.#at);
    else if (leavesGlobal) this.originators.pop();
    this.#at = target;
    this.#fresh = true;
    this.visited.push(target);
    return true;
  }

  #holds({ type, equations, logical_operator: operator }: TransitionCondition): boolean {
    if (type !== "equation" || !equations || equations.length === 0) return false;
    const results = equations.map((clause) => evaluateEquation(clause, Object.fromEntries(this.variables)));
    return operator === "or" ? results.includes(true) : !results.includes(false);
  }

  /** Returns whether the call is still on. */
  #choose(): boolean {
    const { transitions, global_node_setting: setting } = this.#node();
    const originator = this.originators.at(-1);
    const backs = originator === undefined ? [] : (setting?.go_back_conditions ?? []);
    const equation =
      transitions.find(({ condition }) => this.#holds(condition))?.target_node_id ??
      (backs.some(({ condition }) => this.#holds(condition)) ? originator : undefined);
    if (equation !== undefined) return this.#move(equation);

    const others = Object.entries(this.#graph.nodes).filter(
      ([id, node]) => node.global_node_setting && id !== this.#at,
    );
    const targets = [
      ...this.#ownTargets(),
      ...others.map(([id]) => id),
      ...backs.flatMap(({ condition }) => (condition.type === "llm_prompt" && originator ? [originator] : [])),
    ];
    if (targets.length > 0) {
      const answer = this.#ask(targets);
      if (!answer.complete) return true;
      if (answer.target !== undefined) return this.#move(answer.target);
    }
    const otherwise = transitions.find(({ condition, timing }) => condition.type === "always" && timing === "else");
    return otherwise ? this.#move(otherwise.target_node_id) : true;
  }

  #ownTargets(): string[] {
    const { transitions } = this.#node();
    return transitions.filter(({ condition }) => condition.type === "llm_prompt").map((each) => each.target_node_id);
  }

  #ask(targets: readonly string[]): { complete: boolean; target: string | undefined } {
    this.offered.push(targets);
    const { objectives_complete: complete, transition_to: name } = this.#oracle.transition(targets);
    const fold = (text: string) => text.trim().toLowerCase();
    return { complete, target: targets.find((id) => id === name) ?? targets.find((id) => fold(id) === fold(name)) };
  }

  #walk(): void {
    while (!this.ended) {
      const node = this.#node();
      if (node.node_type === "conversation") {
        this.#speak(node);
        if (!this.#leavesAfterSpeech()) return;
      } else if (node.node_type === "end" || node.node_type === "transfer") {
        if (node.state_prompt) this.#speak(node);
        if (!this.#failsToEnd(node)) return;
      } else {
        const outcome = this.#work(node);
        const next = this.#route(node, outcome);
        if (next === undefined || !this.#move(next)) return;
      }
    }
  }

  #speak(node: AgentNode): void {
    const text = this.#expanded(node.state_prompt);
    const letter = node.instruction_type === "static_text" && this.#fresh;
    this.#fresh = false;
    this.spoken.push(letter ? { node: this.#at, text } : { node: this.#at });
    if (!letter) this.prompts.push(text);
  }

  /** Returns whether the walk goes on in this turn. */
  #leavesAfterSpeech(): boolean {
    const { node_type: spoke, transitions } = this.#node();
    if (spoke !== "conversation") return this.#isOverAtOnce();
    const next = transitions.find(({ condition, timing }) => condition.type === "always" && timing !== "else");
    if (!next || !this.#move(next.target_node_id)) return false;
    return next.timing === "skip_response" || this.#isOverAtOnce();
  }

  #isOverAtOnce(): boolean {
    const { node_type: type, state_prompt: prompt } = this.#node();
    return (type === "end" || type === "transfer") && prompt === "";
  }

  #failsToEnd(node: AgentNode): boolean {
    const mock = node.node_type === "transfer" ? this.#mock(node.id, {}) : undefined;
    if (mock?.result !== false) {
      this.ended = node.node_type === "end" ? "agent_ended" : "agent_transferred";
      return false;
    }
    const failed = node.transitions.find(
      ({ condition }) => condition.type === "tool_call" && condition.outcome !== "succeeded",
    );
    return failed !== undefined && this.#move(failed.target_node_id);
  }

  #work(node: AgentNode): "succeeded" | "failed" | undefined {
    const [tool] = node.tools;
    if (node.node_type === "extract" && node.variables_to_extract.length > 0) {
      const values = new Map(Object.entries(this.#oracle.extract(node.variables_to_extract)));
      for (const { name } of node.variables_to_extract) this.#set(name, values.get(name));
    }
    if (node.node_type !== "function" || !tool) return undefined;
    const mock = this.#mock(tool.name, tool.parameters?.properties ? this.#oracle.arguments(tool) : {});
    this.tools.push(tool.name);
    if (mock?.result !== true) return "failed";
    const result: unknown = JSON.parse(String(mock.output));
    for (const [variable, path] of Object.entries(tool.response_variables ?? {}))
      this.#set(variable, new Map(Object.entries(Object(result))).get(path.replace("$.", "")));
    return "succeeded";
  }

  #set(name: string, value: unknown): void {
    if (value !== null && value !== undefined) this.variables.set(name, String(value));
  }

  #mock(name: string, args: Readonly<Record<string, unknown>>): ToolMock | undefined {
    return this.#mocks.find(
      ({ tool_name: tool, input_match_rule: rule }) =>
        tool === name &&
        (rule.type === "any" || Object.entries(rule.args).every(([key, value]) => args[key] === value)),
    );
  }

  #route(node: AgentNode, outcome: "succeeded" | "failed" | undefined): string | undefined {
    const fitting = node.transitions.find(
      ({ condition }) =>
        this.#holds(condition) ||
        (condition.type === "tool_call" && outcome && (condition.outcome ?? outcome) === outcome),
    );
    if (fitting) return fitting.target_node_id;
    const targets = this.#ownTargets();
    const picked = targets.length > 0 ? this.#ask(targets).target : undefined;
    return picked ?? node.transitions.find(({ condition }) => condition.type === "always")?.target_node_id;
  }
}
