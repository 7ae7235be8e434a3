import { editGraph, type GraphEditor, knownVariables } from "../../../../src/agent/analysis/mod.ts";
import { placeholdersIn, snippetsIn } from "../../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";

/** A verb of `editGraph()` that was applied with random arguments. */
export interface RandomEdit {
  readonly verb: (typeof VERBS)[number];
  readonly what: string;
  readonly graph: AgentGraph;
  /** A text of the document before the edit; new names must not occur in it. */
  readonly undo: (text: string) => string;
}

export const VERBS = [
  "renameNode",
  "renameVariable",
  "extractSnippet",
  "inlineSnippet",
  "replaceText",
  "retarget",
  "splitNode",
] as const;

/** One random edit; `undefined` if the verb is not applicable. */
export function randomEdit(
  graph: AgentGraph,
  verb: (typeof VERBS)[number],
  step: number,
  random: () => number,
): RandomEdit | undefined {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const edit = editGraph(graph);
  const made = (what: string, { graph: changed }: GraphEditor, undo: (text: string) => string = (text) => text) => ({
    verb,
    what: `${verb}(${what})`,
    graph: changed,
    undo,
  });
  const nodes = Object.values(graph.nodes);
  // nodes that an import inserts are named after their neighbours
  const node = pick(nodes.filter(({ id }) => !id.includes(" > ")));
  const speaking = pick(nodes.filter((each) => each.state_prompt.trim() !== ""));
  const words = speaking?.state_prompt ?? "";
  const fresh = `zq${step}x`;
  switch (verb) {
    case "renameNode": {
      if (!node) return undefined;
      const to = fresh;
      return made(`${node.id}, ${to}`, edit.renameNode(node.id, to), (text) => text.replaceAll(to, () => node.id));
    }
    case "renameVariable": {
      const from = pick(variablesOf(graph));
      if (from === undefined) return undefined;
      const to = fresh;
      return made(`${from}, ${to}`, edit.renameVariable(from, to), (text) => text.replaceAll(to, () => from));
    }
    case "extractSnippet": {
      const parts = words.split(/(?<=[.!?])\s+|\n+/).map((part) => part.trim());
      const text = pick(
        parts.filter((part) => part !== "" && !/^[{}%]|[{}%]$/.test(part) && snippetsIn(part).length === 0),
      );
      if (text === undefined) return undefined;
      const name = fresh;
      return made(`${name}, ${text}`, edit.extractSnippet(name, text), (each) =>
        each.replaceAll(`{%${name}%}`, () => text),
      );
    }
    case "inlineSnippet": {
      const name = pick(Object.keys(graph.snippets));
      return name === undefined ? undefined : made(name, edit.inlineSnippet(name));
    }
    case "replaceText": {
      const from = pick(words.replace(/\{[^}]*\}+/g, " ").match(/[A-Za-z]{5,}/g) ?? []);
      if (from === undefined) return undefined;
      const to = fresh;
      return made(`${from}, ${to}`, edit.replaceText(from, to), (text) => text.replaceAll(to, () => from));
    }
    case "retarget": {
      const edge = pick((node?.transitions ?? []).filter(({ target_node_id: id }) => Object.hasOwn(graph.nodes, id)));
      const isFree = ({ id, node_type: type }: AgentNode) =>
        type === "conversation" && id !== node?.id && node?.transitions.every((each) => each.target_node_id !== id);
      const to = pick(nodes.filter(isFree))?.id;
      if (!node || !edge || to === undefined) return undefined;
      return made(`${node.id}, ${edge.target_node_id}, ${to}`, edit.retarget(node.id, edge.target_node_id, to));
    }
    case "splitNode": {
      const from = pick(
        nodes.filter((each) => each.node_type === "conversation" && each.instruction_type !== "static_text"),
      );
      const at = pick(
        (from?.state_prompt ?? "")
          .split(/(?<=[.!?])\s+|\n+/)
          .slice(1)
          .filter((part) => part.trim() !== ""),
      );
      if (!from || at === undefined || from.state_prompt.indexOf(at) <= 0) return undefined;
      const into = fresh;
      return made(`${from.id}, ${at}`, edit.splitNode(from.id, { into, at, when: `Done ${fresh}` }));
    }
  }
}

/** Variables that an edit can rename. */
function variablesOf(graph: AgentGraph): readonly string[] {
  const placed = Object.values(graph.nodes).flatMap((each) => placeholdersIn(each.state_prompt));
  const names = [...knownVariables(graph).keys(), ...placed].map((name) => name.split(".")[0] ?? "");
  return [...new Set(names)].filter((name) => /^[A-Za-z_]\w*$/.test(name));
}
