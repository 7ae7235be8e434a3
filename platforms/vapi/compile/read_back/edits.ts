import { tagsIn, writtenPlaceholders } from "../../../../src/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { getAt, type JsonObject, type JsonPath, own } from "../../../../src/values/mod.ts";
import { expandSnippetsIn } from "../../../lower/mod.ts";
import { NODE_HINT } from "../../shared/mod.ts";
import { promptIn } from "../hints/mod.ts";
import { createContext, type EmitContext } from "../plan/mod.ts";
import { FIXED_WORDS, splitGuide } from "../prompt/mod.ts";
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
  const { begin_message: begin } = graph.source_metadata;
  const general = readGeneral(graph, members, context);
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
    const [before, now] = [promptIn(contentOf(expected), general.before), promptIn(contentOf(actual), general.now)];
    const prompt = before === undefined || now === before ? undefined : now;
    const edited = isFixed && !isOpening ? (first ?? prompt) : prompt;
    const isMarked = isFixed && node.state_prompt !== "" && edited?.startsWith(FIXED_WORDS);
    const spoken = isMarked ? edited?.slice(FIXED_WORDS.length) : edited;
    const state_prompt = spoken === undefined ? undefined : restoreText(spoken, node.state_prompt, context);
    const read = withConditions(node, handoffTexts(expected), handoffTexts(actual), context);
    nodes[node.id] = state_prompt === undefined ? read : { ...read, state_prompt };
  }
  const source_metadata = {
    ...graph.source_metadata,
    ...(general.prompt === undefined ? {} : { general_prompt: general.prompt }),
    ...(opening === begin ? {} : { begin_message: opening }),
  };
  return { ...graph, nodes, source_metadata };
}

/** What all members begin with, before and now; `prompt`: the graph's text for it, if it was edited. */
interface General {
  readonly before: string;
  readonly now: string;
  readonly prompt?: string;
}

/** Common instructions were edited where every member has the same new ones before its own prompt. */
function readGeneral(graph: AgentGraph, members: readonly EditedMember[], context: EmitContext): General {
  const text = graph.source_metadata.general_prompt ?? "";
  const before = emitText(expandSnippetsIn(text, graph), [], context);
  const found = new Set(
    members.map(({ expected, actual }) => {
      const mine = promptIn(contentOf(expected), before);
      const [now] = splitGuide(contentOf(actual));
      if (mine === undefined || now === before || now.startsWith(`${before}\n\n`)) return before;
      return mine === "" ? now : now.endsWith(`\n\n${mine}`) ? now.slice(0, -mine.length - 2) : before;
    }),
  );
  const [now, ...others] = found;
  const isSame = before === "" || now === undefined || others.length > 0 || now === before;
  const prompt = isSame ? undefined : restoreText(now, text, context);
  return isSame || prompt === undefined ? { before, now: before } : { before, now, prompt };
}

/** A node whose transitions have the conditions that its member's handoffs now name. */
function withConditions(
  node: AgentNode,
  before: readonly unknown[],
  now: readonly unknown[],
  context: EmitContext,
): AgentNode {
  const pairs = before.map((text, index) => [text, now[index]] as const);
  const edits = new Map(pairs.filter(([old, text]) => text !== undefined && old !== text));
  const transitions = node.transitions.map((transition) => {
    const { condition } = transition;
    if (condition.type !== "llm_prompt" || edits.size === 0) return transition;
    const text = edits.get(emitText(expandSnippetsIn(condition.value, context.source), [], context));
    const value = typeof text === "string" ? restoreText(text, condition.value, context) : undefined;
    return value === undefined ? transition : { ...transition, condition: { ...condition, value } };
  });
  return { ...node, transitions };
}

/** Descriptions of a member's handoffs: of each tool, and of its destination. */
function handoffTexts(member: JsonObject): readonly unknown[] {
  const tools = getAt(member, ["assistantOverrides", "tools:append"]);
  const places: readonly JsonPath[] = [
    ["function", "description"],
    ["destinations", 0, "description"],
  ];
  return (Array.isArray(tools) ? tools : []).flatMap((tool: unknown) =>
    places.map((place) => (getAt(tool, ["type"]) === "handoff" ? getAt(tool, place) : undefined)),
  );
}

/** The system prompt of a member. */
function contentOf(member: JsonObject): string {
  const content = getAt(member, ["assistant", "model", "messages", 0, "content"]);
  return typeof content === "string" ? content : "";
}

/**
 * The graph's own text of one that was emitted and edited since: snippets and variables are put back where the text still
 * has what was written for them.
 *
 * @param text As it stands in Vapi's JSON.
 * @param before The graph's text that it was emitted from.
 * @returns `undefined` when no text of a graph is emitted as this one.
 */
function restoreText(text: string, before: string, context: EmitContext): string | undefined {
  const { graph } = context;
  const emitted = (part: string) => emitText(expandSnippetsIn(part, context.source), [], context);
  const others = [
    graph.source_metadata.general_prompt ?? "",
    ...Object.values(graph.nodes).map((node) => node.state_prompt),
  ];
  const placeholders = [before, ...others].flatMap((each) =>
    writtenPlaceholders(each).filter((placeholder) => !placeholder.includes('"')),
  );
  let restored = text;
  for (const part of [...new Set([...tagsIn(before), ...placeholders])]) {
    const written = emitted(part);
    if (written !== part && written.trim() !== "") restored = restored.replaceAll(written, () => part);
  }
  return [restored, text].find((candidate) => emitted(candidate) === text);
}
