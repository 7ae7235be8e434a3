import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject, own } from "../../../../src/values/mod.ts";
import { expandSnippetsIn } from "../../../lower/mod.ts";
import { getAt } from "../../shared/mod.ts";
import { HINT_KEY } from "../common/mod.ts";
import { promptIn } from "../hints/mod.ts";
import { createContext, type EmitContext } from "../plan/mod.ts";
import { FIXED_WORDS, splitGuide } from "../prompt/mod.ts";
import { emitText } from "../text/mod.ts";
import { restoreText } from "./restore_text.ts";

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
  const general = readGeneral(graph, members, context);
  const nodes = { ...graph.nodes };
  let begin: string | undefined;
  for (const { expected, actual } of members) {
    const node = own(graph.nodes, String(getAt(expected, ["assistant", "metadata", HINT_KEY, "node"])));
    if (!node) continue;
    const [old, words] = [expected, actual].map((each) => getAt(each, ["assistant", "firstMessage"]));
    const first = typeof old === "string" && typeof words === "string" && old !== words ? words : undefined;
    const isOpening = node.id === graph.entry_node_id && Boolean(graph.source_metadata.begin_message);
    if (first !== undefined && isOpening)
      begin = restoreText(first, graph.source_metadata.begin_message ?? "", context);
    const [before, now] = [promptIn(contentOf(expected), general.before), promptIn(contentOf(actual), general.now)];
    const prompt = before === undefined || now === before ? undefined : now;
    const edited = node.instruction_type === "static_text" && !isOpening ? (first ?? prompt) : prompt;
    const spoken = edited?.startsWith(FIXED_WORDS) && isFixed(node) ? edited.slice(FIXED_WORDS.length) : edited;
    const state_prompt = spoken === undefined ? undefined : restoreText(spoken, node.state_prompt, context);
    nodes[node.id] = withConditions(state_prompt === undefined ? node : { ...node, state_prompt }, context, {
      expected,
      actual,
    });
  }
  const source = {
    ...graph.source_metadata,
    ...(general.prompt === undefined ? {} : { general_prompt: general.prompt }),
    ...(begin === undefined ? {} : { begin_message: begin }),
  };
  return { ...graph, nodes, source_metadata: source };
}

const isFixed = (node: AgentNode) => node.instruction_type === "static_text" && node.state_prompt !== "";

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
  if (before === "" || now === undefined || others.length > 0 || now === before) return { before, now: before };
  const prompt = restoreText(now, text, context);
  return prompt === undefined ? { before, now: before } : { before, now, prompt };
}

/** A node whose transitions have the conditions that its member's handoffs now name. */
function withConditions(node: AgentNode, context: EmitContext, { expected, actual }: EditedMember): AgentNode {
  const edits = new Map<string, string>();
  const [before, now] = [expected, actual].map(handoffsOf);
  for (const [index, texts] of (before ?? []).entries())
    for (const [place, old] of texts.entries()) {
      const text = now?.[index]?.[place];
      if (old !== undefined && text !== undefined && text !== old) edits.set(old, text);
    }
  if (edits.size === 0) return node;
  const transitions = node.transitions.map((transition) => {
    const { condition } = transition;
    if (condition.type !== "llm_prompt") return transition;
    const text = edits.get(emitText(expandSnippetsIn(condition.value, context.source), [], context));
    const value = text === undefined ? undefined : restoreText(text, condition.value, context);
    return value === undefined ? transition : { ...transition, condition: { ...condition, value } };
  });
  return { ...node, transitions };
}

/** What each handoff of a member says about when it is made: the tool, and its destination. */
function handoffsOf(member: JsonObject): readonly (readonly (string | undefined)[])[] {
  const tools = getAt(member, ["assistantOverrides", "tools:append"]);
  return (Array.isArray(tools) ? tools : []).map((tool: unknown) =>
    [
      ["function", "description"],
      ["destinations", 0, "description"],
    ].map((path) => {
      const text = isRecord(tool) && tool.type === "handoff" ? getAt(tool, path) : undefined;
      return typeof text === "string" ? text : undefined;
    }),
  );
}

/** The system prompt of a member. */
function contentOf(member: JsonObject): string {
  const content = getAt(member, ["assistant", "model", "messages", 0, "content"]);
  return typeof content === "string" ? content : "";
}
