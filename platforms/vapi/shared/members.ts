import type { Path } from "../../../src/base/errors.ts";
import {
  dropAt,
  getAt,
  isRecord,
  type JsonObject,
  own,
  recordAt,
  records,
  repeated,
  setAt,
} from "../../../src/base/values/mod.ts";
import { replaceSnippets, snippetsIn } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode, SourceMetadata } from "../../../src/document/graph/mod.ts";
import { createDirectory, type Directory, idsOf, memberIds, NODE_HINT, nameOf, placeOf, writeId } from "./directory.ts";
import { openSquad } from "./document.ts";
import { readLists, writeLists } from "./lists.ts";
import { isText, readPrompt, writePrompt } from "./prompt.ts";

/** A squad and its members, with the assistants that stand beside the squad. */
export interface OpenedSquad {
  readonly squad: JsonObject;
  /** Path of the squad in the document. */
  readonly at: Path;
  /** The assistants beside the squad: `{ squad, assistants }`. */
  readonly bundle: readonly unknown[] | undefined;
  /** The members. One that refers to an assistant beside the squad has it as its own; several can share one. */
  readonly homes: readonly JsonObject[];
}

/** Opens a squad in any spelling: inline, or with its assistants beside it. */
export function openMembers(document: unknown): OpenedSquad | undefined {
  const opened = openSquad(document);
  if (!opened) return undefined;
  const { document: squad, at } = opened;
  const list = at.length === 1 && at[0] === "squad" ? getAt(document, ["assistants"]) : undefined;
  const bundle = Array.isArray(list) ? list : undefined;
  const homes = records(squad.members).map((member) => {
    const { assistantId } = member;
    if (isRecord(member.assistant) || typeof assistantId !== "string") return member;
    const found = records(bundle).find(({ id }) => id === assistantId);
    return found ? { ...member, assistant: found } : member;
  });
  return { squad, at, bundle, homes };
}

/**
 * Returns the prompt of a node with the general prompt and with snippets expanded, because Vapi supports neither. Other
 * `{% %}` tags are Liquid, which Vapi runs.
 */
export function ownPrompt(graph: AgentGraph, statePrompt: string): string {
  const textOf = (name: string) => {
    const snippet = own(graph.snippets, name);
    return snippet === undefined ? undefined : withoutUnknownTags(snippet);
  };
  const general = graph.source_metadata.general_prompt ?? "";
  return [general, statePrompt]
    .map((text) => replaceSnippets(text, textOf))
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Escapes tags in a snippet's text, because snippets do not nest and unknown tags are an error in Liquid. */
function withoutUnknownTags(text: string): string {
  return replaceSnippets(text, (_, tag) => (snippetsIn(tag).length > 0 ? `{{ ${liquidText(tag)} }}` : undefined));
}

/** Formats a text as a Liquid string. Characters that could end the string or the tag are escaped in the form of LiquidJS. */
export function liquidText(text: string): string {
  const escaped = text.replace(
    /["'\\{}%\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}

/** Values of Vapi's `firstMessageMode`. Default: the assistant speaks first. */
const WAITS = "assistant-waits-for-user";
const GENERATES = "assistant-speaks-first-with-model-generated-message";
const SPEAKS = "assistant-speaks-first";

/** Settings of a graph for the start of a call. */
export type Opening = Pick<SourceMetadata, "begin_message" | "start_speaker">;

/** The opening of the first member. */
export interface OpeningRead {
  readonly opening: Opening;
  /** The member without the message; with a blank if the message was in an override. */
  readonly rest: JsonObject;
}

/**
 * Reads the opening of the member where calls start. `firstMessage` is spoken verbatim. Without it Vapi waits for the
 * caller, as with an empty `begin_message`. If the model generates the message, neither key is set: the entry node's
 * prompt is used.
 *
 * @see https://docs.vapi.ai/api-reference/assistants/create (`firstMessage`, `firstMessageMode`)
 */
export function readOpening(home: JsonObject): OpeningRead {
  const mode = getAt(home, modePlace(home));
  if (mode === GENERATES) return { opening: {}, rest: home };
  const at = messagePlace(home);
  const message = getAt(home, at);
  const speaker: Opening = mode === WAITS ? { start_speaker: "user" } : {};
  if (isText(message)) {
    const isOverride = at[0] === "assistantOverrides" && isRecord(home.assistant);
    const rest = isOverride ? setAt(home, at, "") : dropAt(home, at);
    return { opening: { ...speaker, begin_message: message }, rest };
  }
  // an assistant that is not in the document may have a first message
  const silent = mode !== WAITS && (isRecord(home.assistant) || message === "");
  return { opening: silent ? { begin_message: "" } : speaker, rest: home };
}

/** Writes the opening into a member. Changes the mode only if the opening would otherwise be read differently. */
export function writeOpening(home: JsonObject, opening: Opening): JsonObject {
  const message: unknown = opening.begin_message;
  const withMessage = isText(message) ? setAt(home, messagePlace(home), message) : home;
  const bases = isText(message) ? [withMessage] : [home, withoutMessage(home)];
  const mode = opening.start_speaker === "user" ? WAITS : typeof message === "string" ? SPEAKS : GENERATES;
  const candidates = [...bases, ...bases.map((base) => setAt(base, modePlace(base), mode))];
  const found = candidates.find((candidate) => says(readOpening(candidate).opening, opening));
  const last = setAt(withMessage, modePlace(withMessage), mode);
  return found ?? setAt(last, messagePlace(last), message ?? "");
}

/** Whether two openings are equivalent. By default, the agent speaks first. */
function says(a: Opening, b: Opening): boolean {
  const user = (opening: Opening) => opening.start_speaker === "user";
  // if the caller speaks first, an empty message and no message are equivalent
  const message = (opening: Opening) =>
    user(opening) ? opening.begin_message || null : (opening.begin_message ?? null);
  return user(a) === user(b) && message(a) === message(b);
}

const modePlace = (home: JsonObject) => placeOf(home, "firstMessageMode");
const messagePlace = (home: JsonObject) => placeOf(home, "firstMessage");

function withoutMessage(home: JsonObject): JsonObject {
  return dropAt(dropAt(home, ["assistantOverrides", "firstMessage"]), ["assistant", "firstMessage"]);
}

/**
 * Reads a member (or an assistant, as `{ assistant }`) as a conversation node. The node keeps Vapi's JSON under
 * `metadata.vapi.home`, with blanks for values of the graph.
 */
export function readMember(id: string, home: JsonObject, directory: Directory): AgentNode {
  const prompt = readPrompt(home);
  const { tools, transitions, rest } = readLists(prompt.rest, directory);
  return {
    id,
    node_type: "conversation",
    state_prompt: prompt.text,
    tools,
    transitions,
    variables_to_extract: [],
    metadata: { vapi: { home: rest } },
  };
}

/** Returns the JSON of the member that a conversation node was read from. */
export function homeOf({ node_type: type, metadata }: AgentNode): JsonObject | undefined {
  const { home } = recordAt(metadata, "vapi");
  return isRecord(home) && type === "conversation" ? home : undefined;
}

/** A node and the member that it is written to. */
export interface Native {
  readonly node: AgentNode;
  readonly home: JsonObject;
}

/**
 * Names the members of a squad. A member gets its node's id as its name if it would get another id when imported, or if
 * a handoff could not refer to it. Members that share a saved assistant get the name in their overrides.
 *
 * @param members In the order in which they are written.
 * @param isTarget Whether a handoff leads to the node.
 */
export function nameMembers(members: readonly Native[], isTarget: (nodeId: string) => boolean): readonly JsonObject[] {
  const ids = memberIds();
  const shared = repeated(members.flatMap(({ home }) => [...new Set(idsOf(home))]));
  const placeIn = (home: JsonObject) =>
    idsOf(home).some((id) => shared.has(id)) ? ["assistantOverrides", "name"] : namePlace(home);
  const homes = members.map(({ node: { id }, home }) =>
    writeId(home, id, ids, (each) => setAt(each, isText(getAt(each, NODE_HINT)) ? NODE_HINT : placeIn(each), id)),
  );
  const found = createDirectory(
    homes.map((home, index) => ({ node_id: members[index]?.node.id ?? "", ids: idsOf(home), name: nameOf(home) })),
  );
  return homes.map((home, index) => {
    const id = members[index]?.node.id;
    if (id === undefined || !isTarget(id) || found.resolve(found.refTo(id, {})) === id) return home;
    return setAt(home, placeIn(home), id);
  });
}

/** Writes a node into its member, which must already have its name. */
export function writeMember(
  node: Pick<AgentNode, "tools" | "transitions" | "state_prompt">,
  home: JsonObject,
  directory: Directory,
): JsonObject {
  return writePrompt(writeLists(node, home, directory), node.state_prompt);
}

const namePlace = (home: JsonObject) => placeOf(home, "name");
