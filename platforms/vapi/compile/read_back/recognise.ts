import type { Path } from "../../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, own, recordsAt, sameJson } from "../../../../src/base/values/mod.ts";
import { tagsIn, writtenPlaceholders } from "../../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode, Finding } from "../../../../src/document/graph/mod.ts";
import { expandSnippetsIn } from "../../../lower/mod.ts";
import { NODE_HINT } from "../../shared/mod.ts";
import { emitAssistant, emitSquad } from "../documents/mod.ts";
import { hasGraphHint, promptIn, readHints } from "../hints/mod.ts";
import { createContext, type EmitContext } from "../plan/mod.ts";
import { FIXED_WORDS, promptOf, splitGuide } from "../prompt/mod.ts";
import { emitText } from "../text/mod.ts";

/** Result of importing a document that Callweave may have emitted. */
export interface Recognised {
  /** The original graph with edited texts. Absent if the document has other changes, or Callweave did not emit it. */
  readonly graph?: AgentGraph;
  /** Changes that prevent restoring the original graph. Empty if Callweave did not emit the document. */
  readonly findings: readonly Finding[];
}

/** Maximum number of reported changes. */
const MAX_CHANGES = 5;

/**
 * Restores the graph that a squad was emitted from, including logic nodes and snippets. Texts may be edited and
 * settings added; other changes are reported.
 *
 * @param squad A squad document, without an envelope.
 */
export function recogniseSquad(squad: JsonObject): Recognised {
  const members = membersOf(squad);
  const assistants = members.map(({ assistant }) => assistant);
  const graph = readHints(assistants, squad);
  if (!graph) return unreadable(assistants, ["members"]);
  const before: JsonObject = { ...emitSquad(graph).config };
  if (sameJson(before, squad)) return { graph, findings: [] };
  const expected = membersOf(before);
  const pairs = members.map((actual, index) => ({ expected: expected[index] ?? {}, actual }));
  const edited = withEdits(graph, pairs);
  return compared(edited, before, emitSquad(edited).config, squad);
}

/** Restores the graph that an assistant was emitted from, unless more than settings was changed. */
export function recogniseAssistant(assistant: JsonObject): Recognised {
  const graph = readHints([assistant], { ...assistant, membersOverrides: assistant });
  if (!graph) return unreadable([assistant], ["metadata"]);
  const { config } = emitAssistant(graph);
  return compared(graph, config, config, assistant);
}

const membersOf = ({ members }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(members) ? members : []).map((member: unknown) => (isRecord(member) ? member : {}));

/** Returns the graph, or findings if the document has changes that the graph does not have. */
function compared(graph: AgentGraph, before: unknown, after: unknown, document: JsonObject): Recognised {
  const changes = changesOf(before, after, document).slice(0, MAX_CHANGES);
  const findings = changes.map(({ path, kind }) => {
    const name = getAt(document, [...path.slice(0, 2), "assistant", "name"]);
    const member = path[0] === "members" && typeof name === "string" ? ` (member "${name}")` : "";
    const state = `"${path.join(".")}"${member} was ${kind}`;
    return finding(path, state, "Undo this change, import again, and make it in the graph");
  });
  return findings.length > 0 ? { findings } : { graph, findings };
}

function unreadable(assistants: readonly unknown[], path: Path): Recognised {
  if (!hasGraphHint(assistants)) return { findings: [] };
  const state = "metadata.callweave of an assistant is missing or damaged";
  return { findings: [finding(path, state, "Restore metadata.callweave as it was emitted")] };
}

function finding(path: Path, state: string, hint: string): Finding {
  return {
    code: "emitted-document-changed",
    severity: "warning",
    path,
    message: `Cannot restore the graph that this document was emitted from: ${state}`,
    instead: "an import of the document alone, without logic nodes, extract nodes and snippets",
    hint,
  };
}

/** A difference between a document and the emitted one. */
interface Change {
  readonly path: Path;
  readonly kind: "changed" | "added" | "removed";
}

/**
 * Keys that the emitter writes from the graph. An added one is a change that the graph does not have. Any other added
 * key is a setting, or from Vapi's server, and is kept in the imported document.
 */
const FROM_GRAPH = new Set([
  ...["members", "assistant", "tools", "tools:append", "functions", "assistantDestinations", "destinations"],
  ...["firstMessage", "firstMessageMode", "messages", "systemPrompt", "systemMessage", "variableValues"],
  ...["variableExtractionPlan", "rejectionPlan"],
]);

/**
 * Returns the differences between a document and its graph. A value may match the graph with or without the edits: if a
 * text has several places, such as a handoff's description, only one may have been edited.
 *
 * @param before The emitted document of the original graph.
 * @param after The emitted document of the graph with the edits.
 * @param now The imported document.
 */
function changesOf(before: unknown, after: unknown, now: unknown, path: Path = []): readonly Change[] {
  if (sameJson(now, after) || sameJson(now, before)) return [];
  const changed: readonly Change[] = [{ path, kind: "changed" }];
  if (typeof before === "string" && typeof after === "string" && typeof now === "string") {
    const [old, wanted] = [splitGuide(before), splitGuide(after)];
    return splitGuide(now).every((part, index) => part === old[index] || part === wanted[index]) ? [] : changed;
  }
  const [old, wanted, found] = [entriesOf(before), entriesOf(after), entriesOf(now)];
  if (!old || !wanted || !found || Array.isArray(before) !== Array.isArray(now)) return changed;
  const at = (key: string) => [...path, Array.isArray(before) ? Number(key) : key];
  const others = [...found].filter(([key, value]) => !old.has(key) && (Array.isArray(now) || !isSetting(key, value)));
  return [
    ...[...old].flatMap(([key, value]): readonly Change[] =>
      found.has(key)
        ? changesOf(value, wanted.get(key), found.get(key), at(key))
        : [{ path: at(key), kind: "removed" }],
    ),
    ...others.map(([key]): Change => ({ path: at(key), kind: "added" })),
  ];
}

/** Whether an added key is a setting: neither a key that the emitter writes, nor an object that contains one. */
function isSetting(key: string, value: unknown): boolean {
  if (FROM_GRAPH.has(key)) return false;
  return !isRecord(value) || Object.entries(value).every(([name, inner]) => isSetting(name, inner));
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return Array.isArray(value) || isRecord(value) ? new Map(Object.entries(value)) : undefined;
}

/** A member as emitted from the original graph, and as imported. */
export interface EditedMember {
  readonly expected: JsonObject;
  readonly actual: JsonObject;
}

/**
 * Applies edited texts of an emitted squad to its graph: prompts, static texts, the first message, descriptions of
 * handoffs, and the general prompt if every member has the same edit.
 */
function withEdits(graph: AgentGraph, members: readonly EditedMember[]): AgentGraph {
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

const contentOf = (member: JsonObject) => promptOf(getAt(member, ["assistant"]));

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
