import { own } from "../../../base/values/mod.ts";
import type { AgentGraph, AgentNode, Finding } from "../../../document/graph/mod.ts";
import { isElsewhere, textsOf } from "../facts/mod.ts";
import { personalDataIn } from "./personal_data.ts";
import { repeatedTextFindings } from "./repeated_text.ts";
import { spokenFindings } from "./spoken_findings.ts";

/** Findings for what prompts and spoken texts say. */
export function promptFindings(graph: AgentGraph): Finding[] {
  const known = codeNames(graph);
  return [
    ...Object.entries(graph.nodes).flatMap(([id, node]) => [
      ...emptyPrompt(id, node, graph),
      ...toolsElsewhere(id, node, graph, known),
    ]),
    ...spokenFindings(graph),
    ...textsOf(graph).flatMap(([path, text]) =>
      // long ids in URLs look like the numbers of cards
      (path.at(-1) === "url" ? [] : personalDataIn(text)).map(({ kind, shown }): Finding => {
        const message = `the text has ${kind} in it: ${shown}`;
        const hint = "Put a variable in its place, and give it to the calls that need it";
        return { code: "personal-data", severity: "warning", path, message, hint };
      }),
    ),
    ...repeatedTextFindings(graph),
  ];
}

/**
 * Conversation nodes without instructions. The entry node needs none if there is a begin message, and the only
 * conversation of an agent needs none if there is a general prompt.
 */
function emptyPrompt(id: string, node: AgentNode, graph: AgentGraph): readonly Finding[] {
  if (node.node_type !== "conversation" || node.state_prompt.trim() !== "" || isElsewhere(node)) return [];
  const { general_prompt: general, begin_message: opening } = graph.source_metadata;
  const talks = Object.values(graph.nodes).filter(({ node_type: type }) => type === "conversation");
  if (talks.length === 1 && (general ?? "").trim() !== "") return [];
  if (id === graph.entry_node_id && (opening ?? "").trim() !== "") return [];
  const message = `conversation node "${id}" has no prompt, so the model decides on its own what to say`;
  return [
    { code: "empty-prompt", severity: "warning", path: ["nodes", id, "state_prompt"], message, hint: "Write a prompt" },
  ];
}

/** Matches a name after a verb such as "call": without the verb, a tool's name may refer to its result. */
const CALLED = /\b(?:call|invoke|use|run|execute|trigger)\s+(?:the\s+)?(?:tool\s+|function\s+)?[`"']?([A-Za-z]\w*)/gi;

/** Tool names that look like code, so that a prompt that contains one can only mean the tool. */
function codeNames(graph: AgentGraph): ReadonlySet<string> {
  const names = Object.values(graph.nodes).flatMap(({ tools }) => tools.map(({ name }) => name));
  return new Set(
    names.filter((name) => /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+$|^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(name)),
  );
}

/** Tools that a prompt names but only other nodes have. A transition to such a node explains the name. */
function toolsElsewhere(
  id: string,
  node: AgentNode,
  graph: AgentGraph,
  known: ReadonlySet<string>,
): readonly Finding[] {
  if (known.size === 0 || node.node_type !== "conversation") return [];
  const words = [...node.state_prompt.matchAll(CALLED)].map(([, name = ""]) => name);
  const named = [...new Set(words)].filter((word) => known.has(word) && !node.tools.some(({ name }) => name === word));
  return named.flatMap((name): Finding[] => {
    const leads = node.transitions.some(({ target_node_id: target }) => {
      return target === name || own(graph.nodes, target)?.tools.some((tool) => tool.name === name);
    });
    if (leads || Object.hasOwn(graph.nodes, name)) return [];
    const message = `the prompt of node "${id}" names tool "${name}", which only other nodes have`;
    const hint = `Give the tool to node "${id}", or lead to the node that has it`;
    return [{ code: "tool-not-on-node", severity: "warning", path: ["nodes", id, "state_prompt"], message, hint }];
  });
}
