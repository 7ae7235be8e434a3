import { tagsIn, writtenPlaceholders } from "../../../../src/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { getAt, type JsonObject, own, recordAt } from "../../../../src/values/mod.ts";
import { expandSnippetsIn } from "../../../lower/mod.ts";
import { NODE_HINT, recordsAt } from "../../shared/mod.ts";
import { promptIn } from "../hints/mod.ts";
import { createContext, type EmitContext } from "../plan/mod.ts";
import { FIXED_WORDS, promptOf, splitGuide } from "../prompt/mod.ts";
import { emitText } from "../text/mod.ts";

/** One member of a squad as it was emitted, and as it is now. */
export interface EditedMember {
  readonly expected: JsonObject;
  readonly actual: JsonObject;
}

/**
 * The graph of an emitted squad with the texts that the squad has now, as far as they can be read: prompts, fixed words,
 * the first message, the common instructions where every member has the same new ones, and when handoffs are made.
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

/** The common instructions that the members have now, which are edited if every member has the same new ones. */
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

/** A node whose transitions have the conditions that its member's handoffs now name. */
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

/** Descriptions of a member's handoffs: of each tool, and of its destination. */
function handoffTexts(member: JsonObject): readonly unknown[] {
  return recordsAt(member, ["assistantOverrides", "tools:append"]).flatMap((tool) => {
    const texts = [getAt(tool, ["function", "description"]), getAt(tool, ["destinations", 0, "description"])];
    return tool.type === "handoff" ? texts : [undefined, undefined];
  });
}

const contentOf = (member: JsonObject) => promptOf(recordAt(member, "assistant"));

/** A text of the graph as Vapi's JSON has it. */
const emitted = (text: string, context: EmitContext) => emitText(expandSnippetsIn(text, context.source), [], context);

/**
 * The graph's own text of one that was emitted and edited since: snippets and variables are put back where the text still
 * has what was written for them.
 *
 * @param text As it stands in Vapi's JSON.
 * @param before The graph's text that it was emitted from.
 * @returns `undefined` when no text of a graph is emitted as this one.
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
