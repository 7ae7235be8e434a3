import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, recordAt, sameJson, shown } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding, SourceMetadata } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import { recogniseSquad } from "../compile/mod.ts";
import {
  createDirectory,
  idsOf,
  isText,
  liftCalls,
  modelOf,
  nameOf,
  nodeIds,
  openMembers,
  readMember,
  readOpening,
  readShared,
  withoutModel,
} from "../shared/mod.ts";

/**
 * Imports a squad: each member is a conversation node, each handoff to another member an LLM transition. If Callweave
 * emitted the squad and only texts were edited or settings added, the original graph is returned. Other changes to an
 * emitted squad are reported.
 *
 * @throws {PlatformError} `unknown-shape`.
 */
export function importSquad(document: unknown, report?: (finding: Finding) => void): AgentGraph {
  const opened = openMembers(document);
  if (!opened) throw unknownShape(TITLE, "it has no member with an assistant", ["members"], MEMBERS_HINT);
  const { squad, bundle, homes } = opened;
  const recognised = bundle ? undefined : recogniseSquad(squad);
  if (recognised?.graph) return recognised.graph;
  for (const { path, ...finding } of recognised?.findings ?? [])
    report?.({ ...finding, path: [...opened.at, ...path] });
  checkMembers(squad, opened.at);
  const ids = nodeIds(homes);
  const [entry] = ids;
  const [first] = homes;
  if (entry === undefined || !first)
    throw unknownShape(TITLE, "it has no members", [...opened.at, "members"], MEMBERS_HINT);
  const directory = createDirectory(
    homes.map((home, index) => ({ node_id: ids[index] ?? "", ids: idsOf(home), name: nameOf(home) })),
  );
  const model = modelOf(first);
  const start = readOpening(first);
  const sharedKey = sharedKeyOf(squad);
  const shared = readShared(recordAt(squad, sharedKey), directory);
  const { variableValues: defaults, ...overrides } = shared.rest;
  const rest = omit(squad, isText(squad.name) ? ["members", "name"] : ["members"]);
  const nodes = Object.fromEntries(
    homes.map((home, index) => {
      const id = ids[index] ?? "";
      const node = readMember(id, withoutModel(index === 0 ? start.rest : home, model), directory);
      const setting = shared.settings.get(id);
      return [id, setting ? { ...node, global_node_setting: setting } : node] as const;
    }),
  );
  const source: SourceMetadata = {
    ...(isText(squad.name) ? { name: squad.name } : {}),
    ...start.opening,
    ...(isRecord(defaults) ? { default_dynamic_variables: defaults } : {}),
    vapi: {
      kind: "squad",
      ...(bundle ? { bundle: true } : {}),
      ...(sameJson(Object.keys(nodes), ids) ? {} : { order: ids }),
      squad: isRecord(squad[sharedKey]) ? { ...rest, [sharedKey]: isRecord(defaults) ? overrides : shared.rest } : rest,
    },
  };
  return liftCalls({
    nodes,
    entry_node_id: entry,
    source_type: "vapi-squad",
    source_metadata: source,
    snippets: {},
    ...(model === undefined ? {} : { default_model: model }),
  });
}

const TITLE = "Vapi squad";
const MEMBERS_HINT = 'Pass a squad with "members", each with an "assistant" or an "assistantId"';

/** Returns Vapi's key for overrides of all members, or the spelling of Vapi's guides if the squad uses it. */
export function sharedKeyOf(squad: JsonObject): string {
  return !isRecord(squad.membersOverrides) && isRecord(squad.memberOverrides) ? "memberOverrides" : "membersOverrides";
}

/** Returns the path of a squad in an imported document. With assistants beside it, the whole document is the squad. */
export function squadRoot(document: unknown): Path {
  const opened = openMembers(document);
  return !opened || opened.bundle ? [] : opened.at;
}

/** @throws {PlatformError} `unknown-shape` for the first member that is not an object with an assistant or its id. */
function checkMembers({ members }: JsonObject, at: Path): void {
  for (const [index, member] of (Array.isArray(members) ? members : []).entries()) {
    const path = [...at, "members", index];
    if (!isRecord(member))
      throw unknownShape(TITLE, `member ${index} is ${describe(member)}, not an object`, path, MEMBERS_HINT);
    const { assistant } = member;
    if (assistant === undefined || assistant === null || isRecord(assistant)) continue;
    const message = `the assistant of member ${index} is ${describe(assistant)}, not an assistant object`;
    const hint = 'Replace it by the assistant object, or set only "assistantId"';
    throw unknownShape(TITLE, message, [...path, "assistant"], hint);
  }
}

const describe = (value: unknown) => (typeof value === "string" ? `the text ${shown(value)}` : shown(value));
