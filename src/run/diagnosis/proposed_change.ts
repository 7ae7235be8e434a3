import { checkGraph, diffGraphs, editGraph, type GraphChange, type GraphEditor } from "../../agent/analysis/mod.ts";
import { GraphError, isCallweaveError } from "../../base/errors.ts";
import { checkOptions, isRecord, own, rule } from "../../base/values/mod.ts";
import type { RepairOutput } from "../../call/models/mod.ts";
import { type AgentGraph, fingerprint, toGraph } from "../../document/graph/mod.ts";

/**
 * A change of a graph as data. Transitions and equations are named by their index; a `node` of `null` is the general
 * prompt.
 */
export type ProposedChange =
  | { readonly verb: "replace_text"; readonly node: string | null; readonly find: string; readonly text: string }
  | { readonly verb: "set_prompt"; readonly node: string; readonly text: string }
  | { readonly verb: "set_general_prompt"; readonly text: string }
  | { readonly verb: "set_snippet"; readonly name: string; readonly text: string }
  | { readonly verb: "set_condition"; readonly node: string; readonly transition: number; readonly text: string }
  | { readonly verb: "set_global_condition"; readonly node: string; readonly text: string }
  | {
      readonly verb: "set_equation";
      readonly node: string;
      readonly transition: number;
      readonly clause: number;
      /** The variable that is compared. */
      readonly name: string;
      readonly operator: string;
      /** The value that it is compared with. */
      readonly text: string;
    }
  | { readonly verb: "add_transition"; readonly node: string; readonly target: string; readonly text: string }
  | { readonly verb: "retarget"; readonly node: string; readonly transition: number; readonly target: string }
  | { readonly verb: "remove_transition"; readonly node: string; readonly transition: number }
  | { readonly verb: "describe_variable"; readonly node: string; readonly name: string; readonly text: string }
  | { readonly verb: "describe_tool"; readonly name: string; readonly text: string };

/** Parses a change from the model's answer. Fields that its verb does not use are dropped. */
export function readChange(change: RepairOutput["changes"][number]): ProposedChange {
  const { verb, node, transition, clause, target, name, operator, find, text } = change;
  switch (verb) {
    case "replace_text":
      return { verb, node: node === "" ? null : node, find, text };
    case "set_prompt":
    case "set_global_condition":
      return { verb, node, text };
    case "set_general_prompt":
      return { verb, text };
    case "set_snippet":
    case "describe_tool":
      return { verb, name, text };
    case "set_condition":
      return { verb, node, transition, text };
    case "set_equation":
      return { verb, node, transition, clause, name, operator, text };
    case "add_transition":
      return { verb, node, target, text };
    case "retarget":
      return { verb, node, transition, target };
    case "remove_transition":
      return { verb, node, transition };
    case "describe_variable":
      return { verb, node, name, text };
  }
}

const RULES = {
  changes: rule(
    "a list of changes, each with its verb",
    (value) => Array.isArray(value) && value.every((each) => isRecord(each) && typeof each.verb === "string"),
  ),
};

/**
 * Applies proposed changes to a copy of a graph.
 *
 * @throws {GraphError} `unfit-change` when a change does not fit the graph, changes nothing, or makes the graph invalid;
 *   `not-a-graph`, `invalid-option`.
 * @example
 * ```ts
 * import { flow } from "callweave";
 * import { applyChanges } from "callweave/calls";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const change = { verb: "replace_text", node: "greet", find: "Greet", text: "Warmly greet" } as const;
 * console.log(applyChanges(hello, [change]).nodes.greet?.state_prompt); // Warmly greet the caller.
 * ```
 */
export function applyChanges(graph: AgentGraph, changes: readonly ProposedChange[]): AgentGraph {
  checkOptions({ changes: changes ?? null }, RULES, GraphError, "Cannot change a graph");
  const before = toGraph(graph, "Cannot change a graph");
  let editor = editGraph(before);
  for (const [index, change] of changes.entries()) {
    try {
      editor = edited(editor, change);
    } catch (cause) {
      if (!isCallweaveError(cause)) throw cause;
      throw unfit(`change ${index + 1} (${String(change.verb)}): ${cause.message}`, cause.hint, cause);
    }
  }
  const after = editor.graph;
  if (changes.length > 0 && fingerprint(after) === fingerprint(before))
    throw unfit("the graph is the same with it", "Propose a change of a text, a transition or a description");
  const known = new Set(checkGraph(before).map(({ code, path }) => JSON.stringify([code, path])));
  const wrong = checkGraph(after).find(
    ({ severity, code, path }) => severity === "error" && !known.has(JSON.stringify([code, path])),
  );
  if (wrong) throw unfit(`the graph is wrong with it: ${wrong.message}`, wrong.hint ?? "Propose another change");
  return after;
}

/** Describes the changes like a comparison of graphs. */
export function changesAsDiff(graph: AgentGraph, changes: readonly ProposedChange[]): readonly GraphChange[] {
  return changes.length === 0 ? [] : diffGraphs(graph, applyChanges(graph, changes));
}

function edited(editor: GraphEditor, change: ProposedChange): GraphEditor {
  const { graph } = editor;
  switch (change.verb) {
    case "replace_text": {
      const { node, find, text } = change;
      const old = node === null ? (graph.source_metadata.general_prompt ?? "") : own(graph.nodes, node)?.state_prompt;
      if (old === undefined) return editor.setPrompt(String(node), text); // throws for the unknown node
      const now = replacedOnce(old, find, text);
      return node === null ? editor.setGeneralPrompt(now) : editor.setPrompt(node, now);
    }
    case "set_prompt":
      return editor.setPrompt(change.node, change.text);
    case "set_general_prompt":
      return editor.setGeneralPrompt(change.text);
    case "set_snippet":
      return editor.setSnippet(change.name, change.text);
    case "set_condition":
      return editor.setCondition(change.node, change.transition, change.text);
    case "set_global_condition":
      return editor.setGlobalCondition(change.node, change.text);
    case "set_equation": {
      const { node, transition, clause, name, operator, text } = change;
      return editor.setEquation(node, transition, clause, { left: name, operator, right: text });
    }
    case "add_transition": {
      const condition = { type: "llm_prompt", value: change.text } as const;
      return editor.addTransition(change.node, { target_node_id: change.target, condition });
    }
    case "retarget": {
      const from = own(graph.nodes, change.node)?.transitions[change.transition]?.target_node_id;
      if (from !== undefined) return editor.retarget(change.node, from, change.target);
      return editor.removeTransition(change.node, change.transition); // throws: there is no such transition
    }
    case "remove_transition":
      return editor.removeTransition(change.node, change.transition);
    case "describe_variable":
      return editor.describeVariable(change.node, change.name, change.text);
    case "describe_tool":
      return editor.describeTool(change.name, change.text);
    default:
      throw unfit("there is no such verb", "Use a verb of ProposedChange");
  }
}

/** Replaces words that occur in a text exactly once. */
function replacedOnce(old: string, find: string, text: string): string {
  const at = find === "" ? -1 : old.indexOf(find);
  if (at === -1) throw unfit(`the prompt does not say ${JSON.stringify(find)}`, "Copy the words from the prompt");
  if (old.includes(find, at + 1))
    throw unfit(`the prompt says ${JSON.stringify(find)} more than once`, "Copy more words around the place");
  return old.slice(0, at) + text + old.slice(at + find.length);
}

function unfit(state: string, hint: string, cause?: unknown): GraphError {
  return new GraphError(`Cannot change a graph: ${state}`, { code: "unfit-change", path: [], hint, cause });
}
