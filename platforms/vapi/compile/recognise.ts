import { isCallweaveError, type Path } from "../../../src/errors.ts";
import { type AgentGraph, type Finding, parseGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { emitAssistant } from "./assistant.ts";
import { type Change, changesOf } from "./changes.ts";
import { withEditedPrompts } from "./edited_prompts.ts";
import { readShape } from "./extras_hint.ts";
import { promptIn } from "./hints.ts";
import { HINT_KEY } from "./keys.ts";
import { emitSquad } from "./squad.ts";
import { toolOfHint } from "./tool_hint.ts";

/** A document that Callweave emitted, read back. */
export interface Recognised {
  /** The graph that it was emitted from, with the prompts that it has now; absent when anything else was changed. */
  readonly graph?: AgentGraph;
  /** What was changed, so that the document has to be read like any other. Empty for one that was not emitted here. */
  readonly findings: readonly Finding[];
}

/** More places than this are not named. */
const MAX_CHANGES = 5;

/**
 * The graph that a squad was emitted from, logic nodes, snippets and all. Prompts, fixed words and the first message may
 * have been edited since; of a squad that was changed in any other way, the changes are named.
 *
 * @param squad A squad document, without an envelope.
 */
export function recogniseSquad(squad: JsonObject): Recognised {
  const members: readonly unknown[] = Array.isArray(squad.members) ? squad.members : [];
  const assistants = members.map((member) => (isRecord(member) ? member.assistant : undefined));
  const graph = readHints(assistants, squad);
  if (!graph) return { findings: assistants.some(holdsGraph) ? [hintsLost(["members"])] : [] };
  const emitted: JsonObject = { ...emitSquad(graph).config };
  if (sameJson(emitted, squad)) return { graph, findings: [] };
  const before = assistantsOf(emitted);
  const edited = withEditedPrompts(
    graph,
    assistants.flatMap((actual, index) => {
      const expected = before[index];
      return expected && isRecord(actual) ? [{ expected, actual }] : [];
    }),
  );
  const after: JsonObject = { ...emitSquad(edited.graph).config };
  const settled = { ...squad, members: withSpoken(members, assistantsOf(after), edited.spoken) };
  const changes = changesOf(withoutHints(after), withoutHints(settled), MAX_CHANGES);
  if (changes.length === 0) return { graph: edited.graph, findings: [] };
  return { findings: changes.map((change) => changed(change, squad)) };
}

/** The graph that an assistant was emitted from, as long as nothing was changed. */
export function recogniseAssistant(assistant: JsonObject): Recognised {
  const graph = readHints([assistant], { membersOverrides: assistant });
  if (!graph) return { findings: holdsGraph(assistant) ? [hintsLost(["metadata"])] : [] };
  const changes = changesOf(emitAssistant(graph).config, assistant, MAX_CHANGES);
  return changes.length === 0 ? { graph, findings: [] } : { findings: changes.map((change) => changed(change)) };
}

function changed({ path, kind }: Change, squad?: JsonObject): Finding {
  const [, index] = path;
  const assistant = squad && typeof index === "number" ? assistantsOf(squad)[index] : undefined;
  const name = assistant && typeof assistant.name === "string" ? ` (member "${assistant.name}")` : "";
  return {
    code: "emitted-document-changed",
    severity: "warning",
    path,
    message: `Cannot read the graph that this was emitted from: "${path.join(".")}"${name} was ${kind} since`,
    instead: "the document as any other, without logic nodes, extract nodes and snippets",
    hint: "Undo this change, import again, and make it in the graph",
  };
}

function hintsLost(path: Path): Finding {
  return {
    code: "emitted-document-changed",
    severity: "warning",
    path,
    message:
      "Cannot read the graph that this was emitted from: metadata.callweave of some assistant is gone or damaged",
    instead: "the document as any other, without logic nodes, extract nodes and snippets",
    hint: "Put metadata.callweave back as it was emitted",
  };
}

/** Of a squad that was emitted whole, one member holds what the graph has besides nodes. */
function holdsGraph(assistant: unknown): boolean {
  return isRecord(readHint(assistant)?.graph);
}

function assistantsOf(squad: JsonObject): readonly JsonObject[] {
  const members: readonly unknown[] = Array.isArray(squad.members) ? squad.members : [];
  return members.map((member) => (isRecord(member) && isRecord(member.assistant) ? member.assistant : {}));
}

/** Fixed words stand in a member twice: where one of the two was edited, the other follows. */
function withSpoken(members: readonly unknown[], wanted: readonly JsonObject[], spoken: ReadonlySet<string>) {
  return members.map((member, index) => {
    const assistant = wanted[index];
    const id = assistant && readHint(assistant)?.node;
    if (!assistant || !isRecord(member) || !isRecord(member.assistant) || !spoken.has(String(id))) return member;
    const model = isRecord(member.assistant.model) ? member.assistant.model : {};
    const { messages } = isRecord(assistant.model) ? assistant.model : {};
    const { firstMessage } = assistant;
    return { ...member, assistant: { ...member.assistant, firstMessage, model: { ...model, messages } } };
  });
}

/** A squad without what the graph is read from: of an edited prompt it still has the old one. */
function withoutHints(squad: JsonObject): JsonObject {
  const members: readonly unknown[] = Array.isArray(squad.members) ? squad.members : [];
  return {
    ...squad,
    members: members.map((member) => {
      if (!isRecord(member) || !isRecord(member.assistant) || !isRecord(member.assistant.metadata)) return member;
      return { ...member, assistant: { ...member.assistant, metadata: omit(member.assistant.metadata, [HINT_KEY]) } };
    }),
  };
}

/** @param whole What the author's settings of the graph were merged into. */
function readHints(assistants: readonly unknown[], whole: JsonObject): AgentGraph | undefined {
  const hints = assistants.map(readHint);
  const head = hints.find((hint) => hint !== undefined && isRecord(hint.graph))?.graph;
  if (!isRecord(head) || hints.some((hint) => hint === undefined)) return undefined;
  const source = isRecord(head.source_metadata) ? head.source_metadata : {};
  const general = typeof source.general_prompt === "string" ? source.general_prompt : "";
  const nodes = new Map(
    hints.flatMap((hint, index) => {
      const list: readonly unknown[] = Array.isArray(hint?.nodes) ? hint.nodes : [];
      return list.filter(isRecord).map((node, place): [unknown, JsonObject] => {
        const assistant = assistants[index];
        const prompt = place === 0 ? promptIn(systemPromptOf(assistant), general) : undefined;
        const extras = place === 0 ? readShape(hint?.extras, assistant) : undefined;
        return [node.id, readNode({ state_prompt: prompt ?? "", ...node }, extras, toolsOf(assistant))];
      });
    }),
  );
  const order: readonly unknown[] = Array.isArray(head.order) ? head.order : [];
  const ids = order.filter((id): id is string => typeof id === "string" && nodes.has(id));
  const { order: _order, extras, ...rest } = head;
  const wanted = readShape(extras, whole);
  const source_metadata = { ...source, ...(wanted ? { vapi: wanted } : {}) };
  return parsed({
    ...rest,
    source_metadata,
    source_type: "custom",
    nodes: Object.fromEntries(ids.map((id) => [id, nodes.get(id)])),
  });
}

function readNode(node: JsonObject, extras: JsonObject | undefined, emitted: readonly unknown[]): JsonObject {
  const tools: readonly unknown[] = Array.isArray(node.tools) ? node.tools : [];
  const metadata = isRecord(node.metadata) ? node.metadata : {};
  return {
    ...node,
    tools: tools.map((tool) => (isRecord(tool) ? toolOfHint(tool, emitted) : tool)),
    metadata: { ...metadata, ...(extras ? { vapi: extras } : {}) },
  };
}

function toolsOf(assistant: unknown): readonly unknown[] {
  if (!isRecord(assistant) || !isRecord(assistant.model)) return [];
  return Array.isArray(assistant.model.tools) ? assistant.model.tools : [];
}

function readHint(assistant: unknown): JsonObject | undefined {
  if (!isRecord(assistant) || !isRecord(assistant.metadata)) return undefined;
  const hint = assistant.metadata[HINT_KEY];
  return isRecord(hint) && Array.isArray(hint.nodes) ? hint : undefined;
}

function systemPromptOf(assistant: unknown): string {
  if (!isRecord(assistant) || !isRecord(assistant.model) || !Array.isArray(assistant.model.messages)) return "";
  const first: unknown = assistant.model.messages[0];
  return isRecord(first) && typeof first.content === "string" ? first.content : "";
}

/** Hints that somebody has changed may be no graph any more: that is no fault of the squad. */
function parsed(document: unknown): AgentGraph | undefined {
  try {
    return parseGraph(document);
  } catch (error) {
    if (isCallweaveError(error)) return undefined;
    throw error;
  }
}
