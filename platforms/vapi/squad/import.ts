import { type Path, PlatformError } from "../../../src/errors.ts";
import type { AgentGraph, Finding, SourceMetadata } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { recogniseSquad } from "../compile/mod.ts";
import {
  createDirectory,
  dropAt,
  getAt,
  idsOf,
  isText,
  keepEnvelope,
  liftCalls,
  modelOf,
  nameOf,
  nodeIds,
  type Opened,
  openSquad,
  readMember,
  readOpening,
  readShared,
  setAt,
} from "../shared/mod.ts";

/** Vapi's key for what holds of every member, and the one that its guides write. */
const SHARED_KEYS = ["membersOverrides", "memberOverrides"];

/** A member with its assistant, and the number of the assistant when it stood in a list beside the squad. */
interface Home {
  readonly home: JsonObject;
  readonly bundled?: number;
}

/**
 * Reads a squad: each member is a conversation node, each handoff to another member an LLM transition. A squad that is
 * as Callweave emitted it, but for edited prompts, is the graph that it was emitted from; any other change to such a
 * squad is reported.
 *
 * @throws {PlatformError} `unknown-shape`.
 */
export function importSquad(document: unknown, report?: (finding: Finding) => void): AgentGraph {
  const opened = openSquad(document);
  if (!opened) throw refuse("it has no member with an assistant", ["members"], MEMBERS_HINT);
  const squad = opened.document;
  const recognised = opened.at.length === 0 ? recogniseSquad(squad) : undefined;
  if (recognised?.graph) return recognised.graph;
  for (const finding of recognised?.findings ?? []) report?.(finding);
  const homes = readHomes(squad, document, opened);
  const ids = nodeIds(homes.map(({ home }) => home));
  const entry = ids[0];
  if (entry === undefined) throw refuse("it has no member to start with", [...opened.at, "members"], MEMBERS_HINT);
  const directory = createDirectory(
    homes.map(({ home }, index) => ({ node_id: ids[index] ?? "", ids: idsOf(home), name: nameOf(home) })),
  );

  const first = homes[0]?.home ?? {};
  const start = readOpening(first);
  const sharedKey = SHARED_KEYS.find((key) => isRecord(squad[key]));
  const overrides = sharedKey === undefined ? undefined : squad[sharedKey];
  const shared = readShared(isRecord(overrides) ? overrides : {}, directory);
  const defaults = shared.rest.variableValues;
  const nodes = homes.map(({ home, bundled }, index) => {
    const id = ids[index] ?? "";
    const kept = {
      ...(bundled === undefined ? {} : { bundled }),
      ...(index === 0 && start.at ? { message_at: start.at } : {}),
    };
    const node = readMember(id, index === 0 ? start.rest : home, index, directory, kept);
    const setting = shared.settings.get(id);
    return [id, setting ? { ...node, global_node_setting: setting } : node] as const;
  });
  const source: SourceMetadata = {
    ...(isText(squad.name) ? { name: squad.name } : {}),
    ...start.opening,
    ...(isRecord(defaults) ? { default_dynamic_variables: defaults } : {}),
    vapi: {
      kind: "squad",
      ...keepBundle(keepEnvelope(document, opened), homes),
      squad: restOfSquad(squad, sharedKey, isRecord(defaults) ? dropAt(shared.rest, ["variableValues"]) : shared.rest),
      ...(shared.lists.length > 0 ? { shared: shared.lists } : {}),
    },
  };
  const model = modelOf(first);
  return liftCalls({
    nodes: Object.fromEntries(nodes),
    entry_node_id: entry,
    source_type: "vapi-squad",
    source_metadata: source,
    snippets: {},
    ...(model === undefined ? {} : { default_model: model }),
  });
}

const MEMBERS_HINT = 'Pass a squad with "members", each with an "assistant" or an "assistantId"';

function restOfSquad(squad: JsonObject, sharedKey: string | undefined, shared: JsonObject): JsonObject {
  const rest = omit(squad, ["members"]);
  return sharedKey === undefined ? rest : { ...rest, [sharedKey]: shared };
}

/** Members with their assistants: their own, or the ones that an export has beside the squad. */
function readHomes(squad: JsonObject, document: unknown, opened: Opened): readonly Home[] {
  const members = Array.isArray(squad.members) ? squad.members : [];
  const bundle = bundleOf(document, opened);
  const claimed = new Set<number>();
  return members.map((member: unknown, index): Home => {
    const path = [...opened.at, "members", index];
    if (!isRecord(member)) throw refuse(`member ${index} is ${nameKind(member)}, not an object`, path, MEMBERS_HINT);
    const { assistant, assistantId } = member;
    if (assistant !== undefined && assistant !== null && !isRecord(assistant)) {
      const message = `the assistant of member ${index} is ${nameKind(assistant)}, not an assistant object`;
      throw refuse(message, [...path, "assistant"], 'Put the assistant itself there, or only its id in "assistantId"');
    }
    if (assistant !== undefined || typeof assistantId !== "string") return { home: member };
    const bundled = bundle.findIndex((item, at) => !claimed.has(at) && isRecord(item) && item.id === assistantId);
    const found = bundle[bundled];
    if (!isRecord(found)) return { home: member };
    claimed.add(bundled);
    return { home: { ...member, assistant: found }, bundled };
  });
}

/** The assistants that stand beside a squad: `{ squad, assistants }`. */
function bundleOf(document: unknown, { at }: Opened): readonly unknown[] {
  const list = at.length === 1 && at[0] === "squad" ? getAt(document, ["assistants"]) : undefined;
  return Array.isArray(list) ? list : [];
}

/** What is kept of the assistants beside a squad: only those that no member has. */
function keepBundle(envelope: JsonObject, homes: readonly Home[]): JsonObject {
  const claimed = homes.flatMap(({ bundled }) => (bundled === undefined ? [] : [bundled]));
  if (claimed.length === 0) return envelope;
  const around = claimed.reduce<JsonObject>(
    (kept, index) => setAt(kept, ["around", "assistants", index], null),
    envelope,
  );
  return { ...around, bundled: claimed };
}

function nameKind(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === null ? "null" : typeof value === "string" ? `the text "${value.slice(0, 40)}"` : `a ${typeof value}`;
}

function refuse(state: string, path: Path, hint: string): PlatformError {
  return new PlatformError(`Cannot import Vapi squad: ${state}`, { code: "unknown-shape", path, hint });
}
