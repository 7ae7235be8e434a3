import { GraphError } from "../../errors.ts";
import { placeholdersIn, replaceSnippets, snippetsIn } from "../../expressions/mod.ts";
import { type AgentGraph, attachDefinition, definitionOf, toGraph } from "../../graph/mod.ts";
import { checkOptions, didYouMean, OPTION, own, shown } from "../../values/mod.ts";
import { textsOf } from "../graph_texts.ts";
import { knownVariables } from "../known_variables.ts";
import { mapConditions, mapNodes, mapPrompts } from "./map_graph.ts";
import { renameVariable } from "./rename_variable.ts";

/** Where {@link GraphEditor.splitNode} splits a node. */
export interface SplitOptions {
  /** Id of the new node, which gets the rest of the prompt, the tools and the transitions. */
  readonly into: string;
  /** Text with which the new node's prompt begins. */
  readonly at: string;
  /** LLM condition of the transition to the new node. */
  readonly when: string;
}

/** A graph that is being edited. Immutable: every call returns another editor. */
export interface GraphEditor {
  /** The graph with all edits so far. */
  readonly graph: AgentGraph;
  /** Gives a node another id, in the transitions to it too. */
  renameNode(from: string, to: string): GraphEditor;
  /** Gives a variable another name: in prompts, equations, extractions, tools and settings of platforms. */
  renameVariable(from: string, to: string): GraphEditor;
  /** Makes a text of prompts a snippet; every prompt that has it uses the snippet. */
  extractSnippet(name: string, text: string): GraphEditor;
  /** Writes a snippet's text wherever it is used, and removes the snippet. */
  inlineSnippet(name: string): GraphEditor;
  /** Replaces a text in prompts, snippets and LLM conditions. */
  replaceText(from: string, to: string): GraphEditor;
  /** Leads the transitions of a node to one target to another one. */
  retarget(id: string, from: string, to: string): GraphEditor;
  /** Splits a conversation node in two: the first one leads to the second one on a condition. */
  splitNode(id: string, options: SplitOptions): GraphEditor;
}

/**
 * Edits a graph in steps that keep its references. An imported graph keeps its document: `emit()` writes the edits into it.
 *
 * @throws {GraphError} `not-a-graph`; the steps throw `unknown-node`, `duplicate-node`, `unknown-variable`,
 *   `duplicate-variable`, `unknown-snippet`, `duplicate-snippet`, `unknown-text`, `invalid-option`.
 * @example
 * ```ts
 * import { editGraph, flow } from "callweave";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const { graph } = editGraph(hello).renameNode("greet", "welcome").replaceText("caller", "customer");
 * ```
 */
export function editGraph(graph: AgentGraph): GraphEditor {
  return editorOf(toGraph(graph, "Cannot edit a graph"));
}

function editorOf(graph: AgentGraph): GraphEditor {
  const next = (changed: AgentGraph) => editorOf(withDefinition(changed, graph));
  return Object.freeze({
    graph,
    renameNode: (from: string, to: string) => {
      checkNode(graph, from, "rename a node");
      if (from === to) return editorOf(graph);
      checkNewNode(graph, to, "rename a node");
      return next(renamedNode(graph, from, to));
    },
    renameVariable: (from: string, to: string) => {
      checkTexts("rename a variable", from, to);
      checkVariable(graph, from, to);
      return from === to ? editorOf(graph) : next(renameVariable(graph, from, to));
    },
    extractSnippet: (name: string, text: string) => next(withSnippet(graph, name, text)),
    inlineSnippet: (name: string) => {
      const text = snippetOf(graph, name);
      const put = (prompt: string) => replaceSnippets(prompt, (used) => (used === name ? text : undefined));
      const { [name]: _, ...snippets } = graph.snippets;
      return next({ ...mapPrompts(graph, put), snippets });
    },
    replaceText: (from: string, to: string) => next(withText(graph, from, to)),
    retarget: (id: string, from: string, to: string) => {
      for (const each of [id, from, to]) checkNode(graph, each, "retarget a transition");
      const node = own(graph.nodes, id);
      if (!node?.transitions.some((edge) => edge.target_node_id === from)) {
        throw refused(
          "retarget a transition",
          "unknown-target",
          `"${id}" does not lead to "${from}"`,
          "Name a target of it",
        );
      }
      const target = (old: string) => (old === from ? to : old);
      return next(
        mapNodes(graph, (each) => {
          if (each.id !== id) return [each];
          const transitions = each.transitions.map((edge) => ({
            ...edge,
            target_node_id: target(edge.target_node_id),
          }));
          return [{ ...each, transitions }];
        }),
      );
    },
    splitNode: (id: string, options: SplitOptions) => next(splitNode(graph, id, options)),
  });
}

function renamedNode(graph: AgentGraph, from: string, to: string): AgentGraph {
  const nameOf = (id: string) => (id === from ? to : id);
  const changed = mapNodes(graph, (node) => {
    const transitions = node.transitions.map((edge) => ({ ...edge, target_node_id: nameOf(edge.target_node_id) }));
    return [{ ...node, id: nameOf(node.id), transitions }];
  });
  return { ...changed, entry_node_id: nameOf(graph.entry_node_id) };
}

function withSnippet(graph: AgentGraph, name: string, text: string): AgentGraph {
  const action = "extract a snippet";
  checkTexts(action, name, text);
  if (own(graph.snippets, name) !== undefined || /[{}%]/.test(name)) {
    throw refused(action, "duplicate-snippet", `the name "${name}" is taken or has braces`, "Choose another name");
  }
  if (snippetsIn(text).length > 0 || /^[{}%]|[{}%]$/.test(text)) {
    throw refused(
      action,
      "invalid-option",
      "its text has a snippet or part of one",
      "Choose a text without braces at its ends",
    );
  }
  const changed = mapPrompts(graph, (prompt) => prompt.replaceAll(text, () => `{%${name}%}`));
  if (JSON.stringify(changed) === JSON.stringify(graph)) throw noText(action);
  return { ...changed, snippets: Object.fromEntries([...Object.entries(graph.snippets), [name, text]]) };
}

function withText(graph: AgentGraph, from: string, to: string): AgentGraph {
  const action = "replace a text";
  checkTexts(action, from, to);
  if (!textsOf(graph).some(([, text]) => text.includes(from))) throw noText(action);
  const change = (text: string) => text.replaceAll(from, () => to);
  const prompts = mapPrompts(graph, change);
  const conditions = mapConditions(prompts, (condition) =>
    condition.type === "llm_prompt" ? { ...condition, value: change(condition.value) } : condition,
  );
  const snippets = Object.entries(graph.snippets).map(([name, text]) => [name, change(text)] as const);
  return { ...conditions, snippets: Object.fromEntries(snippets) };
}

function splitNode(graph: AgentGraph, id: string, options: SplitOptions): AgentGraph {
  const action = "split a node";
  const rules = { into: OPTION.text, at: OPTION.text, when: OPTION.text };
  checkOptions(options, rules, GraphError, `Cannot ${action}`);
  const { into, at, when } = { ...options };
  checkTexts(action, into, at, when);
  checkNode(graph, id, action);
  checkNewNode(graph, into, action);
  const node = own(graph.nodes, id);
  const start = node?.state_prompt.indexOf(at) ?? -1;
  if (start <= 0) throw noText(action);
  if (node?.node_type !== "conversation" || node.instruction_type === "static_text") {
    throw refused(action, "invalid-option", `"${id}" is no conversation with a prompt`, "Split a conversation node");
  }
  const first = node.state_prompt.slice(0, start).trimEnd();
  return mapNodes(graph, (each) => {
    if (each.id !== id) return [each];
    const { global_node_setting: _, ...rest } = each;
    const condition = { type: "llm_prompt", value: when } as const;
    return [
      { ...each, state_prompt: first, tools: [], transitions: [{ target_node_id: into, condition }] },
      { ...rest, id: into, state_prompt: each.state_prompt.slice(start), metadata: {} },
    ];
  });
}

function checkNode(graph: AgentGraph, id: string, action: string): void {
  if (typeof id === "string" && own(graph.nodes, id)) return;
  const hint =
    typeof id === "string" ? didYouMean(id, Object.keys(graph.nodes), "Name a node of the graph") : "Pass an id";
  throw refused(action, "unknown-node", `there is no node ${shown(id)}`, hint);
}

function checkNewNode(graph: AgentGraph, id: string, action: string): void {
  checkTexts(action, id);
  if (own(graph.nodes, id)) throw refused(action, "duplicate-node", `there is a node "${id}"`, "Choose another id");
}

function checkVariable(graph: AgentGraph, from: string, to: string): void {
  const used = new Set([
    ...knownVariables(graph).keys(),
    ...textsOf(graph).flatMap(([, text]) => placeholdersIn(text)),
  ]);
  const roots = new Set([...used].flatMap((name) => [name, name.split(".")[0] ?? ""]));
  const action = "rename a variable";
  if (!roots.has(from)) {
    throw refused(action, "unknown-variable", `nothing names "${from}"`, didYouMean(from, roots, "Name a variable"));
  }
  if (from !== to && roots.has(to)) {
    throw refused(action, "duplicate-variable", `there is a variable "${to}"`, "Choose another name");
  }
  if (/[{}|]|^\s|\s$/.test(to)) throw refused(action, "invalid-option", `"${to}" has braces`, "Choose another name");
}

function snippetOf(graph: AgentGraph, name: string): string {
  const text = typeof name === "string" ? own(graph.snippets, name) : undefined;
  if (text !== undefined) return text;
  const names = Object.keys(graph.snippets);
  const hint = typeof name === "string" ? didYouMean(name, names, "Name a snippet of the graph") : "Pass a name";
  throw refused("inline a snippet", "unknown-snippet", `there is no snippet ${shown(name)}`, hint);
}

function checkTexts(action: string, ...texts: readonly unknown[]): void {
  const wrong = texts.find((text) => typeof text !== "string" || text.trim() === "");
  if (texts.every((text) => typeof text === "string" && text.trim() !== "")) return;
  throw refused(action, "invalid-option", `a name or a text is ${shown(wrong)}`, "Pass a text that is not empty");
}

function noText(action: string): GraphError {
  return refused(action, "unknown-text", "no prompt has the text", "Copy the text from a prompt");
}

type Code = ConstructorParameters<typeof GraphError>[1]["code"];

function refused(action: string, code: Code, state: string, hint: string): GraphError {
  return new GraphError(`Cannot ${action}: ${state}`, { code, hint });
}

/** The functions of a flow's tools stay with the graph. */
function withDefinition(changed: AgentGraph, graph: AgentGraph): AgentGraph {
  const definition = definitionOf(graph);
  return definition ? attachDefinition(changed, definition) : changed;
}
