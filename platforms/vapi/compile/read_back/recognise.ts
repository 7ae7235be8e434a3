import type { Path } from "../../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, sameJson } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, Finding } from "../../../../src/document/graph/mod.ts";
import { emitAssistant, emitSquad } from "../documents/mod.ts";
import { hasGraphHint, readHints } from "../hints/mod.ts";
import { changesOf } from "./changes.ts";
import { withEdits } from "./edits.ts";

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
