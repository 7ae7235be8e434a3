import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, own } from "../../../src/values/mod.ts";
import { expandSnippetsIn } from "../../lower/mod.ts";
import { createContext, type EmitContext } from "./context.ts";
import { promptIn } from "./hints.ts";
import { HINT_KEY } from "./keys.ts";
import { FIXED_WORDS, GUIDE_HEADING } from "./prompt.ts";
import { restoreText } from "./restore_text.ts";
import { emitText } from "./text.ts";

/** One assistant as it was emitted, and as it is now. */
export interface EditedMember {
  readonly expected: JsonObject;
  readonly actual: JsonObject;
}

/** A graph with the prompts that its squad has now, as far as they could be read. */
export interface EditedPrompts {
  readonly graph: AgentGraph;
  /** Nodes whose fixed words were edited in one of the two places where a squad has them. */
  readonly spoken: ReadonlySet<string>;
}

/** Reads the edits of prompts, of fixed words and of the first message in the assistants of an emitted squad. */
export function withEditedPrompts(graph: AgentGraph, members: readonly EditedMember[]): EditedPrompts {
  const context = createContext(graph, { inlineDefaults: false, contract: false });
  const general = readGeneral(graph, members, context);
  const nodes = { ...graph.nodes };
  const spoken = new Set<string>();
  let begin: string | undefined;
  for (const { expected, actual } of members) {
    const node = own(graph.nodes, String(hintOf(expected).node));
    if (!node) continue;
    const parts = partsOf(expected, actual, general);
    const first = isEdited(expected.firstMessage, actual.firstMessage) ? String(actual.firstMessage) : undefined;
    const isOpening = node.id === graph.entry_node_id && Boolean(graph.source_metadata.begin_message);
    if (first !== undefined && isOpening)
      begin = restoreText(first, graph.source_metadata.begin_message ?? "", context);
    const isFixed = node.instruction_type === "static_text" && node.state_prompt !== "";
    const words = isFixed && !isOpening ? first : undefined;
    const edited = words ?? (parts && parts.now !== parts.before ? ownText(parts.now, isFixed) : undefined);
    const prompt = edited === undefined ? undefined : restoreText(edited, node.state_prompt, context);
    if (prompt === undefined || prompt === node.state_prompt) continue;
    if (isFixed) spoken.add(node.id);
    nodes[node.id] = withPrompt(node, prompt);
  }
  const source = {
    ...graph.source_metadata,
    ...(general.prompt === undefined ? {} : { general_prompt: general.prompt }),
    ...(begin === undefined ? {} : { begin_message: begin }),
  };
  return { graph: { ...graph, nodes, source_metadata: source }, spoken };
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
      const [mine, now] = [promptIn(contentOf(expected), before), withoutGuide(expected, actual)];
      if (mine === undefined || now === undefined) return before;
      if (now === before || now.startsWith(`${before}\n\n`)) return before;
      return mine === "" ? now : now.endsWith(`\n\n${mine}`) ? now.slice(0, -mine.length - 2) : before;
    }),
  );
  const [now, ...others] = found;
  if (before === "" || now === undefined || others.length > 0 || now === before) return { before, now: before };
  const prompt = restoreText(now, text, context);
  return prompt === undefined ? { before, now: before } : { before, now, prompt };
}

function partsOf(expected: JsonObject, actual: JsonObject, { before, now }: General) {
  const text = withoutGuide(expected, actual);
  const mine = text === undefined ? undefined : promptIn(text, now);
  const emitted = promptIn(contentOf(expected), before);
  return mine === undefined || emitted === undefined ? undefined : { before: emitted, now: mine };
}

/** A system prompt without the guide behind it, which must be the one that was emitted. */
function withoutGuide(expected: JsonObject, actual: JsonObject): string | undefined {
  const [content, now] = [contentOf(expected), contentOf(actual)];
  const at = content.startsWith(`${GUIDE_HEADING}\n`) ? 0 : content.lastIndexOf(`\n\n${GUIDE_HEADING}\n`);
  const guide = at < 0 ? "" : content.slice(at);
  if (now === guide.trimStart()) return "";
  return now.endsWith(at === 0 ? `\n\n${guide}` : guide)
    ? now.slice(0, now.length - guide.length - (at === 0 ? 2 : 0))
    : undefined;
}

function ownText(text: string, isFixed: boolean): string {
  return isFixed && text.startsWith(FIXED_WORDS) ? text.slice(FIXED_WORDS.length) : text;
}

function withPrompt(node: AgentNode, state_prompt: string): AgentNode {
  return { ...node, state_prompt };
}

function isEdited(expected: unknown, actual: unknown): boolean {
  return typeof expected === "string" && typeof actual === "string" && expected !== actual;
}

function hintOf(assistant: JsonObject): JsonObject {
  const hint = isRecord(assistant.metadata) ? assistant.metadata[HINT_KEY] : undefined;
  return isRecord(hint) ? hint : {};
}

function contentOf(assistant: JsonObject): string {
  const messages = isRecord(assistant.model) ? assistant.model.messages : undefined;
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  return isRecord(first) && typeof first.content === "string" ? first.content : "";
}
