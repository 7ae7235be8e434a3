import { evaluateEquation, expandPrompt } from "../../../src/document/expressions/mod.ts";
import type {
  AgentGraph,
  AgentNode,
  ToolDefinition,
  TransitionCondition,
  VariableExtraction,
} from "../../../src/document/graph/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";

/** Answers the requests of a call's model. */
export interface Oracle {
  readonly transition: (targets: readonly string[]) => { objectives_complete: boolean; transition_to: string };
  readonly extract: (variables: readonly VariableExtraction[]) => Readonly<Record<string, unknown>>;
  readonly arguments: (tool: ToolDefinition) => Readonly<Record<string, unknown>>;
}

/**
 * How a conversation moves: a second, simple implementation without models, clock or speculation.
 * The engine is compared with it on random graphs.
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
  /** What the call has exercised: `["node", id]`, `["transition", id, index]`, `["clause", id, of, index, clause, value]`. */
  readonly exercised = new Set<string>();
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
    this.#note("node", this.#at);
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
    this.#note("node", target);
    return true;
  }

  #note(...what: readonly unknown[]): void {
    this.exercised.add(JSON.stringify(what));
  }

  /** The index of the first equation that is true; notes the values of the clauses that had to be looked at. */
  #firstTrue(of: "transition" | "go-back", ways: readonly { condition: TransitionCondition }[]): number | undefined {
    for (const [index, { condition }] of ways.entries()) if (this.#holds(of, index, condition)) return index;
    return undefined;
  }

  #holds(of: string, index: number, condition: TransitionCondition): boolean {
    const { type, equations, logical_operator: operator } = condition;
    if (type !== "equation" || !equations || equations.length === 0) return false;
    let isOpen = true;
    const results = equations.map((clause, at) => {
      const value = evaluateEquation(clause, Object.fromEntries(this.variables));
      if (isOpen) this.#note("clause", this.#at, of, index, at, value);
      if (value === (operator === "or")) isOpen = false;
      return value;
    });
    return operator === "or" ? results.includes(true) : !results.includes(false);
  }

  /** Returns whether the call is still on. */
  #choose(): boolean {
    const { transitions, global_node_setting: setting } = this.#node();
    const originator = this.originators.at(-1);
    const backs = originator === undefined ? [] : (setting?.go_back_conditions ?? []);
    const equation = this.#firstTrue("transition", transitions);
    const next = equation === undefined ? undefined : transitions[equation];
    if (next) return this.#take(equation, next.target_node_id);
    const back = this.#firstTrue("go-back", backs);
    if (back !== undefined && originator !== undefined) {
      const from = this.#at;
      if (!this.#move(originator)) return false;
      this.#note("go-back", from, back);
      return true;
    }

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
      if (answer.target !== undefined) return this.#pick(answer.target);
    }
    const otherwise = transitions.findIndex(
      ({ condition, timing }) => condition.type === "always" && timing === "else",
    );
    const last = transitions[otherwise];
    return last ? this.#take(otherwise, last.target_node_id) : true;
  }

  #take(index: number | undefined, target: string): boolean {
    const from = this.#at;
    if (!this.#move(target)) return false;
    this.#note("transition", from, index);
    return true;
  }

  /** The model names a node: every condition on offer that leads there is exercised. */
  #pick(target: string): boolean {
    const from = this.#at;
    const { transitions, global_node_setting: setting } = this.#node();
    const isBack = this.originators.at(-1) === target;
    if (!this.#move(target)) return false;
    for (const [index, { condition, target_node_id: to }] of transitions.entries())
      if (condition.type === "llm_prompt" && to === target) this.#note("transition", from, index);
    if (from !== target && this.#node(target).global_node_setting) this.#note("global", target);
    for (const [index, { condition }] of (setting?.go_back_conditions ?? []).entries())
      if (isBack && condition.type === "llm_prompt") this.#note("go-back", from, index);
    return true;
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
        if (!this.#route(node, outcome)) return;
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
    const index = transitions.findIndex(({ condition, timing }) => condition.type === "always" && timing !== "else");
    const next = transitions[index];
    if (!next || !this.#take(index, next.target_node_id)) return false;
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
    const index = node.transitions.findIndex(
      ({ condition }) => condition.type === "tool_call" && condition.outcome !== "succeeded",
    );
    const failed = node.transitions[index];
    return failed !== undefined && this.#take(index, failed.target_node_id);
  }

  #work(node: AgentNode): "succeeded" | "failed" | undefined {
    const [tool] = node.tools;
    if (node.node_type === "extract" && node.variables_to_extract.length > 0) {
      const values = new Map(Object.entries(this.#oracle.extract(node.variables_to_extract)));
      for (const { name, choices } of node.variables_to_extract) {
        const value = values.get(name);
        this.#set(name, value);
        if (choices?.includes(String(value))) this.#note("choice", node.id, name, String(value));
      }
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

  /** Returns whether the call has moved. */
  #route({ transitions }: AgentNode, outcome: "succeeded" | "failed" | undefined): boolean {
    const fits = ({ type, outcome: wanted }: TransitionCondition) =>
      type === "tool_call" && outcome !== undefined && (wanted ?? outcome) === outcome;
    const index = transitions.findIndex(
      ({ condition }, at) => this.#holds("transition", at, condition) || fits(condition),
    );
    const fitting = transitions[index];
    if (fitting) return this.#take(index, fitting.target_node_id);
    const targets = this.#ownTargets();
    const picked = targets.length > 0 ? this.#ask(targets).target : undefined;
    if (picked !== undefined) {
      const from = this.#at;
      if (!this.#move(picked)) return false;
      for (const [at, { condition, target_node_id: to }] of transitions.entries())
        if (condition.type === "llm_prompt" && to === picked) this.#note("transition", from, at);
      return true;
    }
    const last = transitions.findIndex(({ condition }) => condition.type === "always");
    const otherwise = transitions[last];
    return otherwise !== undefined && this.#take(last, otherwise.target_node_id);
  }
}
