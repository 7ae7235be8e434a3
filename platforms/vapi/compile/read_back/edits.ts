import { getAt, type JsonObject, own, recordAt, recordsAt } from "../../../../src/base/values/mod.ts";
import { tagsIn, writtenPlaceholders } from "../../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import { expandSnippetsIn } from "../../../lower/mod.ts";
import { NODE_HINT } from "../../shared/mod.ts";
import { promptIn } from "../hints/mod.ts";
import { createContext, type EmitContext } from "../plan/mod.ts";
import { FIXED_WORDS, promptOf, splitGuide } from "../prompt/mod.ts";
import { emitText } from "../text/mod.ts";

/** A member as emitted from the original graph, and as imported. */
export interface EditedMember {
  readonly expected: JsonObject;
  readonly actual: JsonObject;
}

/**
 * Applies edited texts of an emitted squad to its graph: prompts, static texts, the first message, descriptions of
 * handoffs, and the general prompt if every member has the same edit.
 */
export function withEdits(graph: AgentGraph, members: readonly EditedMember[]): AgentGraph {
  const context = createContext(graph, { isAssistant: false, contract: false });
  const { begin_message: begin, general_prompt: general } = graph.source_metadata;
  const before = emitted(general ?? "", context);
  const found = generalNow(members, before);
  const general_prompt = found === before ? undefined : restoreText(found, general ?? "", context);
  const now = general_prompt === undefined ? before : found;
  const nodes = { ...graph.nodes };
  let opening = begin;
  for (const { expected, actual } of members) {
    const node = own(graph.nodes, String(getAt(expected, NODE_HINT)));
    if (!node) continue;
    const [old, words] = [expected, actual].map((member) => getAt(member, ["assistant", "firstMessage"]));
    const first = typeof old === "string" && typeof words === "string" && old !== words ? words : undefined;
    const isFixed = node.instruction_type === "static_text";
    const isOpening = node.id === graph.entry_node_id && Boolean(begin);
    if (first !== undefined && isOpening) opening = restoreText(first, begin ?? "", context) ?? begin;
    const [mine, current] = [promptIn(contentOf(expected), before), promptIn(contentOf(actual), now)];
    const prompt = mine === undefined || current === mine ? undefined : current;
    const edited = isFixed && !isOpening ? (first ?? prompt) : prompt;
    const isMarked = isFixed && node.state_prompt !== "" && edited?.startsWith(FIXED_WORDS);
    const spoken = isMarked ? edited?.slice(FIXED_WORDS.length) : edited;
    const state_prompt = spoken === undefined ? undefined : restoreText(spoken, node.state_prompt, context);
    const read = withConditions(node, { expected, actual }, context);
    nodes[node.id] = state_prompt === undefined ? read : { ...read, state_prompt };
  }
  const source_metadata = {
    ...graph.source_metadata,
    ...(general_prompt === undefined ? {} : { general_prompt }),
    ...(opening === begin ? {} : { begin_message: opening }),
  };
  return { ...graph, nodes, source_metadata };
}

/** Returns the edited general prompt if every member has the same edit, else the original one. */
function generalNow(members: readonly EditedMember[], before: string): string {
  const found = new Set(
    members.map(({ expected, actual }) => {
      const mine = promptIn(contentOf(expected), before);
      const [now] = splitGuide(contentOf(actual));
      if (mine === undefined || now === before || now.startsWith(`${before}\n\n`)) return before;
      return mine === "" ? now : now.endsWith(`\n\n${mine}`) ? now.slice(0, -mine.length - 2) : before;
    }),
  );
  const [now = before, ...others] = found;
  return before === "" || others.length > 0 ? before : now;
}

/** Applies edited handoff descriptions to the conditions of a node's transitions. */
function withConditions(node: AgentNode, { expected, actual }: EditedMember, context: EmitContext): AgentNode {
  const now = handoffTexts(actual);
  const pairs = handoffTexts(expected).map((text, index) => [text, now[index]] as const);
  const edits = new Map(pairs.filter(([old, text]) => text !== undefined && old !== text));
  const transitions = node.transitions.map((transition) => {
    const { condition } = transition;
    if (condition.type !== "llm_prompt" || edits.size === 0) return transition;
    const text = edits.get(emitted(condition.value, context));
    const value = typeof text === "string" ? restoreText(text, condition.value, context) : undefined;
    return value === undefined ? transition : { ...transition, condition: { ...condition, value } };
  });
  return { ...node, transitions };
}

/** Returns the descriptions of a member's handoffs: of each tool and of its destination. */
function handoffTexts(member: JsonObject): readonly unknown[] {
  return recordsAt(member, ["assistantOverrides", "tools:append"]).flatMap((tool) => {
    const texts = [getAt(tool, ["function", "description"]), getAt(tool, ["destinations", 0, "description"])];
    return tool.type === "handoff" ? texts : [undefined, undefined];
  });
}

const contentOf = (member: JsonObject) => promptOf(recordAt(member, "assistant"));

/** Converts a text of the graph to the emitted text. */
const emitted = (text: string, context: EmitContext) => emitText(expandSnippetsIn(text, context.source), [], context);

/**
 * Converts an edited text to the graph's text: restores snippets and variables that the text still contains.
 *
 * @param text The text in Vapi's JSON.
 * @param before The graph's text that it was emitted from.
 * @returns `undefined` if the text cannot be the result of emitting a graph.
 */
function restoreText(text: string, before: string, context: EmitContext): string | undefined {
  const { nodes, source_metadata: source } = context.graph;
  const texts = [before, source.general_prompt ?? "", ...Object.values(nodes).map((node) => node.state_prompt)];
  const placeholders = texts.flatMap(writtenPlaceholders).filter((placeholder) => !placeholder.includes('"'));
  let restored = text;
  for (const part of new Set([...tagsIn(before), ...placeholders])) {
    const written = emitted(part, context);
    if (written !== part && written.trim() !== "") restored = restored.replaceAll(written, () => part);
  }
  return [restored, text].find((candidate) => emitted(candidate, context) === text);
}
