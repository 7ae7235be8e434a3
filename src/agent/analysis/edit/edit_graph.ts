import type { Path } from "../../../base/errors.ts";
import { didYouMean, isRecord, own, shown } from "../../../base/values/mod.ts";
import { mapExpandedTexts, placeholdersIn, rootName } from "../../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  attachDefinition,
  definitionOf,
  type EquationClause,
  type GraphDefinition,
  type Transition,
  toGraph,
} from "../../../document/graph/mod.ts";
import { knownVariables, textsOf } from "../facts/mod.ts";
import { replaceNodes } from "./map_graph.ts";
import { checkNewNode, checkNode, refusedEdit, requireTexts, unknownText } from "./refused.ts";
import { renameNode, renameVariable, replaceOccurrences } from "./rename.ts";
import { type ExtractSnippetOptions, extractSnippet, inlineSnippet } from "./snippets.ts";
import { pathAfterSplit, type SplitOptions, splitNode } from "./split_node.ts";

/** A graph that is being edited. Immutable: every call returns another editor. */
export interface GraphEditor {
  /** The graph with all edits so far. */
  readonly graph: AgentGraph;
  /** Gives a node another id: in the transitions to it, and in settings of platforms that name it. */
  renameNode(from: string, to: string): GraphEditor;
  /**
   * Gives a variable another name: in prompts, Liquid tags, equations, extractions, tools and settings of platforms. A
   * tool's own parameter of the same name keeps it.
   */
  renameVariable(from: string, to: string): GraphEditor;
  /**
   * Replaces a text in all prompts by a snippet. Names in placeholders stay. If a snippet of this name already has this
   * text, prompts that spell it out use the snippet.
   */
  extractSnippet(name: string, text: string, options?: ExtractSnippetOptions): GraphEditor;
  /** Writes a snippet's text wherever it is used, and removes the snippet. */
  inlineSnippet(name: string): GraphEditor;
  /** Replaces a text in prompts, snippets and LLM conditions. Names in placeholders and tags stay. */
  replaceText(from: string, to: string): GraphEditor;
  /** Leads the transitions of a node to one target to another one. */
  retarget(id: string, from: string, to: string): GraphEditor;
  /** Splits a conversation node in two: the first leads to the second on a condition. */
  splitNode(id: string, options: SplitOptions): GraphEditor;
  /** Changes the prompt of a node. */
  setPrompt(id: string, text: string): GraphEditor;
  /** Changes the instructions that all nodes share. */
  setGeneralPrompt(text: string): GraphEditor;
  /** Changes the text of a snippet. */
  setSnippet(name: string, text: string): GraphEditor;
  /** Changes the entry condition of a global node. */
  setGlobalCondition(id: string, text: string): GraphEditor;
  /**
   * Changes the LLM condition of a transition, by its index among those of the node. A transition without a condition
   * gets one.
   */
  setCondition(id: string, transition: number, text: string): GraphEditor;
  /** Changes one clause of a transition's equations, both by their index. */
  setEquation(id: string, transition: number, clause: number, equation: EquationClause): GraphEditor;
  /** Adds a transition after the others of a node. */
  addTransition(id: string, transition: Transition): GraphEditor;
  /** Removes a transition of a node, by its index. */
  removeTransition(id: string, transition: number): GraphEditor;
  /** Changes the description of a variable that a node extracts. */
  describeVariable(id: string, name: string, text: string): GraphEditor;
  /** Changes the description of a tool, at every node that has it. */
  describeTool(name: string, text: string): GraphEditor;
}

/**
 * Edits a graph in steps that keep its references. An imported graph keeps its document: `emit()` writes the edits into it.
 *
 * @throws {GraphError} `not-a-graph`; the steps throw `unknown-node`, `duplicate-node`, `unknown-variable`,
 *   `duplicate-variable`, `unknown-snippet`, `duplicate-snippet`, `unknown-text`, `unknown-tool`, `unknown-target`,
 *   `wrong-type`, `invalid-option`.
 * @example
 * ```ts
 * import { flow } from "callweave";
 * import { editGraph } from "callweave/analysis";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const { graph } = editGraph(hello).renameNode("greet", "welcome").replaceText("caller", "customer");
 * ```
 */
export function editGraph(graph: AgentGraph): GraphEditor {
  return editorOf(toGraph(graph, "Cannot edit a graph"));
}

function editorOf(graph: AgentGraph): GraphEditor {
  const next = (changed: AgentGraph, moved: Partial<Moved> = {}) => editorOf(withDefinition(changed, graph, moved));
  return Object.freeze({
    graph,
    renameNode: (from: string, to: string) => {
      checkNode(graph, from, "rename a node");
      if (from === to) return editorOf(graph);
      checkNewNode(graph, to, "rename a node");
      const path = ([root, id, ...rest]: Path) => (root === "nodes" && id === from ? [root, to, ...rest] : undefined);
      return next(renameNode(graph, from, to), { path: (each) => path(each) ?? each });
    },
    renameVariable: (from: string, to: string) => {
      requireTexts("rename a variable", from, to);
      checkVariable(graph, from, to);
      if (from === to) return editorOf(graph);
      return next(renameVariable(graph, from, to), { variable: (name) => (name === from ? to : name) });
    },
    extractSnippet: (name: string, text: string, options?: ExtractSnippetOptions) =>
      next(extractSnippet(graph, name, text, options)),
    inlineSnippet: (name: string) => next(inlineSnippet(graph, name)),
    replaceText: (from: string, to: string) => next(replaceText(graph, from, to)),
    retarget: (id: string, from: string, to: string) => next(retarget(graph, id, from, to)),
    splitNode: (id: string, options: SplitOptions) =>
      next(splitNode(graph, id, options), { path: (path) => pathAfterSplit(path, id, options.into) }),
    setPrompt: (id: string, text: string) => next(setPrompt(graph, id, text)),
    setGeneralPrompt: (text: string) => next(setGeneralPrompt(graph, text)),
    setSnippet: (name: string, text: string) => next(setSnippet(graph, name, text)),
    setGlobalCondition: (id: string, text: string) => next(setGlobalCondition(graph, id, text)),
    setCondition: (id: string, transition: number, text: string) => next(setCondition(graph, id, transition, text)),
    setEquation: (id: string, transition: number, clause: number, equation: EquationClause) =>
      next(setEquation(graph, id, transition, clause, equation)),
    addTransition: (id: string, transition: Transition) => next(addTransition(graph, id, transition)),
    removeTransition: (id: string, transition: number) =>
      next(removeTransition(graph, id, transition), { path: (path) => pathAfterRemoval(path, id, transition) }),
    describeVariable: (id: string, name: string, text: string) => next(describeVariable(graph, id, name, text)),
    describeTool: (name: string, text: string) => next(describeTool(graph, name, text)),
  });
}

/** Transitions behind a removed one move up. */
function pathAfterRemoval(path: Path, id: string, removed: number): Path {
  const [root, node, list, index, ...rest] = path;
  const isBehind = root === "nodes" && node === id && list === "transitions" && Number(index) > removed;
  return isBehind ? [root, id, list, Number(index) - 1, ...rest] : path;
}

function retarget(graph: AgentGraph, id: string, from: string, to: string): AgentGraph {
  const action = "retarget a transition";
  for (const each of [id, from, to]) checkNode(graph, each, action);
  if (!own(graph.nodes, id)?.transitions.some((edge) => edge.target_node_id === from)) {
    throw refusedEdit(action, "unknown-target", `"${id}" does not lead to "${from}"`, "Name a target of it");
  }
  const target = (old: string) => (old === from ? to : old);
  return replaceNodes(graph, (each) => {
    if (each.id !== id) return [each];
    const transitions = each.transitions.map((edge) => ({ ...edge, target_node_id: target(edge.target_node_id) }));
    return [{ ...each, transitions }];
  });
}

function checkVariable(graph: AgentGraph, from: string, to: string): void {
  const used = new Set([
    ...knownVariables(graph).keys(),
    ...textsOf(graph).flatMap(([, text]) => placeholdersIn(text)),
  ]);
  const roots = new Set([...used].flatMap((name) => [name, rootName(name)]));
  const action = "rename a variable";
  if (!roots.has(from)) {
    throw refusedEdit(
      action,
      "unknown-variable",
      `nothing names "${from}"`,
      didYouMean(from, roots, "Name a variable"),
    );
  }
  if (from !== to && roots.has(to)) {
    throw refusedEdit(action, "duplicate-variable", `there is a variable "${to}"`, "Choose another name");
  }
  if (/[{}|]|^\s|\s$/.test(to))
    throw refusedEdit(action, "invalid-option", `"${to}" has braces`, "Choose another name");
}

/** Where an edit moves the paths and variables that a definition in code refers to. */
interface Moved {
  readonly path: (path: Path) => Path;
  readonly variable: (name: string) => string;
}

/** Keeps what only the flow in code has and a document cannot hold: functions, variables, where secrets are used. */
function withDefinition(changed: AgentGraph, graph: AgentGraph, { path, variable }: Partial<Moved>): AgentGraph {
  const definition = definitionOf(graph);
  if (!definition) return changed;
  const { variables, references } = definition;
  const moved: GraphDefinition = {
    ...definition,
    ...(variable ? { variables: variables.map((each) => ({ ...each, name: variable(each.name) })) } : {}),
    ...(path && references ? { references: references.map((each) => ({ ...each, path: path(each.path) })) } : {}),
  };
  return attachDefinition(changed, moved);
}

/** Paths of texts that are no prompt and no condition. */
const OTHERS = new Set(["tools", "description"]);

/** The graph with a text replaced in prompts, snippets and LLM conditions, placeholders left as they are. */
function replaceText(graph: AgentGraph, from: string, to: string): AgentGraph {
  const action = "replace a text";
  requireTexts(action, from, to);
  let isFound = false;
  const change = (text: string) => {
    const changed = replaceOccurrences(text, from, to);
    isFound ||= changed !== text || (from === to && text.includes(from));
    return changed;
  };
  const texts = mapExpandedTexts(graph, (text, path) =>
    path.some((part) => OTHERS.has(String(part))) ? text : change(text),
  );
  const snippets = Object.entries(graph.snippets).map(([name, text]) => [name, change(text)] as const);
  if (!isFound) throw unknownText(action);
  return { ...texts, snippets: Object.fromEntries(snippets) };
}

/** The graph with another prompt of a node. */
function setPrompt(graph: AgentGraph, id: string, text: string): AgentGraph {
  checkNode(graph, id, "change a prompt");
  requireTexts("change a prompt", text);
  return changeNode(graph, id, (node) => ({ ...node, state_prompt: text }));
}

/** The graph with another general prompt. */
function setGeneralPrompt(graph: AgentGraph, text: string): AgentGraph {
  requireTexts("change the general prompt", text);
  return { ...graph, source_metadata: { ...graph.source_metadata, general_prompt: text } };
}

/** The graph with another text of a snippet. */
function setSnippet(graph: AgentGraph, name: string, text: string): AgentGraph {
  const action = "change a snippet";
  requireTexts(action, text);
  if (own(graph.snippets, name) === undefined) {
    const hint = didYouMean(String(name), Object.keys(graph.snippets), "Name a snippet of the graph");
    throw refusedEdit(action, "unknown-snippet", `there is no snippet ${shown(name)}`, hint);
  }
  return { ...graph, snippets: { ...graph.snippets, [name]: text } };
}

/** The graph with another entry condition of a global node. */
function setGlobalCondition(graph: AgentGraph, id: string, text: string): AgentGraph {
  const action = "change a global condition";
  checkNode(graph, id, action);
  requireTexts(action, text);
  const setting = own(graph.nodes, id)?.global_node_setting;
  if (!setting) throw refusedEdit(action, "wrong-type", `"${id}" is not a global node`, "Name a global node");
  return changeNode(graph, id, (node) => ({ ...node, global_node_setting: { ...setting, condition: text } }));
}

/** The graph with another condition of a transition: the text of an LLM condition. */
function setCondition(graph: AgentGraph, id: string, index: number, text: string): AgentGraph {
  const action = "change a condition";
  requireTexts(action, text);
  const { type } = transitionAt(graph, id, index, action).condition;
  if (type === "equation" || type === "tool_call") {
    const hint =
      type === "equation" ? "Change one of its equations with setEquation()" : "Remove it, and add another transition";
    throw refusedEdit(action, "wrong-type", `transition ${index} of "${id}" has a condition of type "${type}"`, hint);
  }
  // the timing belongs to transitions without a condition
  return changeTransition(graph, id, index, ({ timing: _, ...edge }) => ({
    ...edge,
    condition: { type: "llm_prompt", value: text },
  }));
}

/** The graph with another clause of an equation condition. */
function setEquation(
  graph: AgentGraph,
  id: string,
  index: number,
  clause: number,
  equation: EquationClause,
): AgentGraph {
  const action = "change an equation";
  const { condition } = transitionAt(graph, id, index, action);
  if (!isRecord(equation))
    throw refusedEdit(action, "invalid-option", "there is no equation", "Pass { left, operator, right }");
  requireTexts(action, equation.left, equation.operator);
  const equations = condition.type === "equation" ? (condition.equations ?? []) : [];
  if (!equations[clause]) {
    const state = `transition ${shown(index)} of "${id}" has ${equations.length} equations`;
    throw refusedEdit(action, "unknown-target", `${state}, there is none at ${shown(clause)}`, "Count them from 0");
  }
  const changed = equations.map((each, at) => (at === clause ? { ...each, ...equation } : each));
  return changeTransition(graph, id, index, (edge) => ({ ...edge, condition: { ...condition, equations: changed } }));
}

/** The graph with one more transition of a node, after its others. */
function addTransition(graph: AgentGraph, id: string, transition: Transition): AgentGraph {
  const action = "add a transition";
  checkNode(graph, id, action);
  if (!isRecord(transition) || !isRecord(transition.condition))
    throw refusedEdit(
      action,
      "invalid-option",
      "the transition has no condition",
      "Pass { target_node_id, condition }",
    );
  checkNode(graph, transition.target_node_id, action);
  const { type, value } = transition.condition;
  if (type === "llm_prompt") requireTexts(action, value);
  return changeNode(graph, id, (node) => ({ ...node, transitions: [...node.transitions, transition] }));
}

/** The graph without a transition. */
function removeTransition(graph: AgentGraph, id: string, index: number): AgentGraph {
  transitionAt(graph, id, index, "remove a transition");
  return changeNode(graph, id, (node) => ({ ...node, transitions: node.transitions.filter((_, at) => at !== index) }));
}

/** The graph with another description of a variable that a node extracts. */
function describeVariable(graph: AgentGraph, id: string, name: string, text: string): AgentGraph {
  const action = "describe a variable";
  checkNode(graph, id, action);
  requireTexts(action, text);
  const known = own(graph.nodes, id)?.variables_to_extract ?? [];
  if (!known.some((variable) => variable.name === name)) {
    const names = known.map((variable) => variable.name);
    const hint = didYouMean(String(name), names, "Name a variable that the node extracts");
    throw refusedEdit(action, "unknown-variable", `"${id}" extracts no variable ${shown(name)}`, hint);
  }
  return changeNode(graph, id, (node) => ({
    ...node,
    variables_to_extract: node.variables_to_extract.map((variable) =>
      variable.name === name ? { ...variable, description: text } : variable,
    ),
  }));
}

/** The graph with another description of a tool, at every node that has it. */
function describeTool(graph: AgentGraph, name: string, text: string): AgentGraph {
  const action = "describe a tool";
  requireTexts(action, text);
  const names = Object.values(graph.nodes).flatMap(({ tools }) => tools.map((tool) => tool.name));
  if (!names.includes(name)) {
    const hint = didYouMean(String(name), names, "Name a tool of the graph");
    throw refusedEdit(action, "unknown-tool", `there is no tool ${shown(name)}`, hint);
  }
  return replaceNodes(graph, (node) => [
    { ...node, tools: node.tools.map((tool) => (tool.name === name ? { ...tool, description: text } : tool)) },
  ]);
}

function transitionAt(graph: AgentGraph, id: string, index: number, action: string): Transition {
  checkNode(graph, id, action);
  const transitions = own(graph.nodes, id)?.transitions ?? [];
  const found = Number.isInteger(index) ? transitions[index] : undefined;
  if (found) return found;
  const state = `"${id}" has ${transitions.length} transitions, there is none at ${shown(index)}`;
  throw refusedEdit(action, "unknown-target", state, "Count them from 0");
}

function changeNode(graph: AgentGraph, id: string, change: (node: AgentNode) => AgentNode): AgentGraph {
  return replaceNodes(graph, (node) => [node.id === id ? change(node) : node]);
}

function changeTransition(
  graph: AgentGraph,
  id: string,
  index: number,
  change: (transition: Transition) => Transition,
): AgentGraph {
  return changeNode(graph, id, (node) => ({
    ...node,
    transitions: node.transitions.map((each, at) => (at === index ? change(each) : each)),
  }));
}
