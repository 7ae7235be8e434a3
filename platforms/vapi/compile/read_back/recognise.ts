import type { Path } from "../../../../src/errors.ts";
import type { AgentGraph, Finding } from "../../../../src/graph/mod.ts";
import { getAt, isRecord, type JsonObject, sameJson } from "../../../../src/values/mod.ts";
import { emitAssistant, emitSquad } from "../documents/mod.ts";
import { hasGraphHint, readHints } from "../hints/mod.ts";
import { changesOf } from "./changes.ts";
import { withEdits } from "./edits.ts";

/** A document that Callweave emitted, read back. */
export interface Recognised {
  /** The graph that it was emitted from, with the texts that it has now; absent when more than that was changed. */
  readonly graph?: AgentGraph;
  /** Changes for which the document has to be read like any other. Empty for one that was not emitted here. */
  readonly findings: readonly Finding[];
}

/** At most this many changes are named. */
const MAX_CHANGES = 5;

/**
 * The graph that a squad was emitted from, logic nodes, snippets and all. Texts may have been edited since, and settings
 * added; any other changes are named.
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

/** The graph that an assistant was emitted from, unless more than settings was changed. */
export function recogniseAssistant(assistant: JsonObject): Recognised {
  const graph = readHints([assistant], { membersOverrides: assistant });
  if (!graph) return unreadable([assistant], ["metadata"]);
  const { config } = emitAssistant(graph);
  return compared(graph, config, config, assistant);
}

const membersOf = ({ members }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(members) ? members : []).map((member: unknown) => (isRecord(member) ? member : {}));

/** The graph, unless the document has changes that the graph does not. */
function compared(graph: AgentGraph, before: unknown, after: unknown, document: JsonObject): Recognised {
  const changes = changesOf(before, after, document).slice(0, MAX_CHANGES);
  const findings = changes.map(({ path, kind }) => {
    const name = getAt(document, [...path.slice(0, 2), "assistant", "name"]);
    const member = path[0] === "members" && typeof name === "string" ? ` (member "${name}")` : "";
    const state = `"${path.join(".")}"${member} was ${kind} since`;
    return finding(path, state, "Undo this change, import again, and make it in the graph");
  });
  return findings.length > 0 ? { findings } : { graph, findings };
}

function unreadable(assistants: readonly unknown[], path: Path): Recognised {
  if (!hasGraphHint(assistants)) return { findings: [] };
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
