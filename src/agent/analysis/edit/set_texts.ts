import { didYouMean, isRecord, own, shown } from "../../../base/values/mod.ts";
import type { AgentGraph, AgentNode, EquationClause, Transition } from "../../../document/graph/mod.ts";
import { replaceNodes } from "./map_graph.ts";
import { checkNode, refusedEdit, requireTexts } from "./refused.ts";

/** The graph with another prompt of a node. */
export function setPrompt(graph: AgentGraph, id: string, text: string): AgentGraph {
  checkNode(graph, id, "change a prompt");
  requireTexts("change a prompt", text);
  return changeNode(graph, id, (node) => ({ ...node, state_prompt: text }));
}

/** The graph with another general prompt. */
export function setGeneralPrompt(graph: AgentGraph, text: string): AgentGraph {
  requireTexts("change the general prompt", text);
  return { ...graph, source_metadata: { ...graph.source_metadata, general_prompt: text } };
}

/** The graph with another text of a snippet. */
export function setSnippet(graph: AgentGraph, name: string, text: string): AgentGraph {
  const action = "change a snippet";
  requireTexts(action, text);
  if (own(graph.snippets, name) === undefined) {
    const hint = didYouMean(String(name), Object.keys(graph.snippets), "Name a snippet of the graph");
    throw refusedEdit(action, "unknown-snippet", `there is no snippet ${shown(name)}`, hint);
  }
  return { ...graph, snippets: { ...graph.snippets, [name]: text } };
}

/** The graph with another entry condition of a global node. */
export function setGlobalCondition(graph: AgentGraph, id: string, text: string): AgentGraph {
  const action = "change a global condition";
  checkNode(graph, id, action);
  requireTexts(action, text);
  const setting = own(graph.nodes, id)?.global_node_setting;
  if (!setting) throw refusedEdit(action, "wrong-type", `"${id}" is not a global node`, "Name a global node");
  return changeNode(graph, id, (node) => ({ ...node, global_node_setting: { ...setting, condition: text } }));
}

/** The graph with another condition of a transition: the text of an LLM condition. */
export function setCondition(graph: AgentGraph, id: string, index: number, text: string): AgentGraph {
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
export function setEquation(
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
export function addTransition(graph: AgentGraph, id: string, transition: Transition): AgentGraph {
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
export function removeTransition(graph: AgentGraph, id: string, index: number): AgentGraph {
  transitionAt(graph, id, index, "remove a transition");
  return changeNode(graph, id, (node) => ({ ...node, transitions: node.transitions.filter((_, at) => at !== index) }));
}

/** The graph with another description of a variable that a node extracts. */
export function describeVariable(graph: AgentGraph, id: string, name: string, text: string): AgentGraph {
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
export function describeTool(graph: AgentGraph, name: string, text: string): AgentGraph {
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
