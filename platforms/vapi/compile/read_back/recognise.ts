import { isCallweaveError, type Path } from "../../../../src/errors.ts";
import { type AgentGraph, type Finding, parseGraph } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject, sameJson } from "../../../../src/values/mod.ts";
import { getAt } from "../../shared/mod.ts";
import { HINT_KEY } from "../common/mod.ts";
import { emitAssistant, emitSquad } from "../documents/mod.ts";
import { promptIn, readShape, toolOfHint } from "../hints/mod.ts";

import { type Change, changesOf } from "./changes.ts";
import { withEdits } from "./edits.ts";

/** A document that Callweave emitted, read back. */
export interface Recognised {
  /** The graph that it was emitted from, with the texts that it has now; absent when more than that was changed. */
  readonly graph?: AgentGraph;
  /** What was changed, so that the document has to be read like any other. Empty for one that was not emitted here. */
  readonly findings: readonly Finding[];
}

/** More places than this are not named. */
const MAX_CHANGES = 5;

/**
 * The graph that a squad was emitted from, logic nodes, snippets and all. Texts may have been edited since, and settings
 * added; of a squad that was changed in any other way, the changes are named.
 *
 * @param squad A squad document, without an envelope.
 */
export function recogniseSquad(squad: JsonObject): Recognised {
  const members = membersOf(squad);
  const graph = readHints(
    members.map(({ assistant }) => assistant),
    squad,
  );
  if (!graph)
    return lost(
      members.map(({ assistant }) => assistant),
      ["members"],
    );
  const before: JsonObject = { ...emitSquad(graph).config };
  if (sameJson(before, squad)) return { graph, findings: [] };
  const expected = membersOf(before);
  const edited = withEdits(
    graph,
    members.flatMap((actual, index) => {
      const emitted = expected[index];
      return emitted ? [{ expected: emitted, actual }] : [];
    }),
  );
  return judged(edited, changesOf(before, emitSquad(edited).config, squad, MAX_CHANGES), members);
}

/** The graph that an assistant was emitted from, unless more than settings was changed. */
export function recogniseAssistant(assistant: JsonObject): Recognised {
  const graph = readHints([assistant], { membersOverrides: assistant });
  if (!graph) return lost([assistant], ["metadata"]);
  const { config } = emitAssistant(graph);
  return judged(graph, changesOf(config, config, assistant, MAX_CHANGES), []);
}

function judged(graph: AgentGraph, changes: readonly Change[], members: readonly JsonObject[]): Recognised {
  if (changes.length === 0) return { graph, findings: [] };
  return { findings: changes.map((change) => changed(change, members)) };
}

function changed({ path, kind }: Change, members: readonly JsonObject[]): Finding {
  const [, index] = path;
  const name = typeof index === "number" ? getAt(members[index], ["assistant", "name"]) : undefined;
  const member = typeof name === "string" ? ` (member "${name}")` : "";
  return finding(
    path,
    `"${path.join(".")}"${member} was ${kind} since`,
    "Undo this change, import again, and make it in the graph",
  );
}

/** Of a squad that was emitted whole, one member holds what the graph has besides nodes. */
function lost(assistants: readonly unknown[], path: Path): Recognised {
  if (!assistants.some((assistant) => isRecord(readHint(assistant)?.graph))) return { findings: [] };
  const state = "metadata.callweave of some assistant is gone or damaged";
  return { findings: [finding(path, state, "Put metadata.callweave back as it was emitted")] };
}

function finding(path: Path, state: string, hint: string): Finding {
  return {
    code: "emitted-document-changed",
    severity: "warning",
    path,
    message: `Cannot read the graph that this was emitted from: ${state}`,
    instead: "the document as any other, without logic nodes, extract nodes and snippets",
    hint,
  };
}

function membersOf(squad: JsonObject): readonly JsonObject[] {
  const members: readonly unknown[] = Array.isArray(squad.members) ? squad.members : [];
  return members.map((member) => (isRecord(member) ? member : {}));
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
        const content = getAt(assistant, ["model", "messages", 0, "content"]);
        const prompt = place === 0 ? promptIn(typeof content === "string" ? content : "", general) : undefined;
        const tools = getAt(assistant, ["model", "tools"]);
        const extras = place === 0 ? readShape(hint?.extras, assistant) : undefined;
        return [node.id, readNode({ state_prompt: prompt ?? "", ...node }, extras, Array.isArray(tools) ? tools : [])];
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

function readHint(assistant: unknown): JsonObject | undefined {
  const hint = getAt(assistant, ["metadata", HINT_KEY]);
  return isRecord(hint) && Array.isArray(hint.nodes) ? hint : undefined;
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
