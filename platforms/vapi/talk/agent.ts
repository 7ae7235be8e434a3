import { defined, getAt, isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentClient, CallRequest } from "../../../src/call/connection/mod.ts";
import { lookUp } from "../../talking/mod.ts";
import { createDirectory, type Directory, idsOf, isText, nameOf, nodeIds, openMembers } from "../shared/mod.ts";
import { labelOf, readTool, toolsIn, type VapiTool } from "./tools.ts";

/** Which agent answers: an assistant or a squad. */
export type VapiTarget = { readonly assistantId: string } | { readonly squadId: string };

/** The members of a squad, by the ids of the nodes that an import of the squad makes of them. */
export interface VapiSquad {
  readonly start: string;
  readonly directory: Directory;
  readonly members: ReadonlyMap<string, VapiMember>;
}

export interface VapiMember {
  readonly node: string;
  readonly name: string;
  readonly tools: readonly VapiTool[];
  /** Whether all its tools are known by name: others come from an MCP server, or could not be looked up. */
  readonly hasAllTools: boolean;
}

/** What a connection needs to know of an agent before it talks to it. */
export interface VapiAgent {
  readonly target: VapiTarget;
  /** The newest version of an assistant; squads have none. */
  readonly version: string | undefined;
  /** What it says first, with placeholders; `undefined` if a model makes the words, or the caller speaks first. */
  readonly opening: { readonly text: string; readonly defaults: JsonObject } | undefined;
  /** Whether it speaks first in a call; there, a model can make the words. `undefined`: it is not known. */
  readonly speaksFirst: boolean | undefined;
  /** The agent with its parts, as exports have it. */
  readonly document: JsonObject | undefined;
  /** Names of tools that do something outside of the call. `undefined`: they are not known. */
  readonly realTools: readonly string[] | undefined;
  /** The tools of an assistant, or of all members. */
  readonly tools: readonly VapiTool[];
  /** Whether it has a tool that ends the call, and one that transfers it. */
  readonly ends: { readonly endCall: boolean; readonly transferCall: boolean };
  /** The path of a squad; `undefined` if its calls can come to an assistant that is not known. */
  readonly squad: VapiSquad | undefined;
}

/** An agent of which only the id is known. */
const unknownAgent = (target: VapiTarget): VapiAgent => ({
  ...{ target, version: undefined, opening: undefined, realTools: undefined, tools: [], ends: endsOf([]) },
  ...{ squad: undefined, document: undefined, speaksFirst: undefined },
});

/** Reads parts of the agent, each once. */
type Read = (kind: "assistant" | "squad" | "tool", id: string) => Promise<JsonObject | undefined>;

/**
 * Looks an agent up, with the assistants of a squad and the tools that are stored by themselves. An id that is not an
 * assistant's is looked up as a squad's.
 *
 * @throws {ConnectionError}
 */
export async function readVapiAgent(
  { name, client }: { readonly name: string; readonly client: AgentClient },
  given: VapiTarget | { readonly id: string },
  request: CallRequest,
): Promise<VapiAgent> {
  const known = new Map<string, Promise<JsonObject | undefined>>();
  const read: Read = (kind, id) => {
    const path = `/${kind}/${encodeURIComponent(id)}`;
    const has = (found: JsonObject) => (kind === "squad" ? Array.isArray(found.members) : isText(found.id));
    const found = known.get(path) ?? lookUp(client, { path }, request, { name, has });
    known.set(path, found);
    return found;
  };
  if ("squadId" in given) {
    const squad = await read("squad", given.squadId);
    return squad ? await squadOf(given, squad, read) : unknownAgent(given);
  }
  const target = "id" in given ? { assistantId: given.id } : given;
  const assistant = await read("assistant", target.assistantId);
  if (assistant) return await assistantOf(target, assistant, read);
  if (!("id" in given)) return unknownAgent(target);
  const squad = await read("squad", given.id);
  return squad ? await squadOf({ squadId: given.id }, squad, read) : unknownAgent(target);
}

async function assistantOf(target: VapiTarget, assistant: JsonObject, read: Read): Promise<VapiAgent> {
  const { tools, hasAllTools: _, labels } = await toolsOf([assistant], read);
  const { latestVersion: version } = assistant;
  return {
    target,
    version: isText(version) || typeof version === "number" ? String(version) : undefined,
    opening: openingOf([assistant]),
    speaksFirst: speaksFirst([assistant]),
    realTools: labels,
    tools,
    ends: endsOf(tools),
    squad: undefined,
    document: undefined,
  };
}

async function squadOf(target: VapiTarget, squad: JsonObject, read: Read): Promise<VapiAgent> {
  const asked = (openMembers(squad)?.homes ?? []).map(({ assistantId, assistant }) =>
    isText(assistantId) && !isRecord(assistant) ? read("assistant", assistantId) : undefined,
  );
  const assistants = (await Promise.all(asked)).filter(isRecord);
  const homes = openMembers({ squad, assistants })?.homes ?? [];
  const layersOf = (home: JsonObject) =>
    [home.assistant, home.assistantOverrides, squad.membersOverrides].filter(isRecord);
  const found = await Promise.all(homes.map((home) => toolsOf(layersOf(home), read)));
  const ids = nodeIds(homes);
  const named = homes.map((home, at) => ({ node_id: ids[at] ?? "", ids: idsOf(home), name: nameOf(home) }));
  const directory = createDirectory(named);
  const members = named.flatMap(({ node_id: node, name }, at): readonly VapiMember[] => {
    const { tools = [], hasAllTools = false } = found[at] ?? {};
    return name === undefined ? [] : [{ node, name, tools, hasAllTools }];
  });
  const [start] = members;
  const tools = found.flatMap((each) => each.tools);
  const isClosed =
    start !== undefined && members.length === homes.length && !tools.some((tool) => leaves(tool, directory));
  return {
    target,
    version: undefined,
    opening: homes[0] && openingOf(layersOf(homes[0])),
    speaksFirst: homes[0] && speaksFirst(layersOf(homes[0])),
    realTools: [...new Set(found.flatMap(({ labels }) => labels))],
    tools,
    ends: endsOf(tools),
    document: isClosed ? { squad, assistants } : undefined,
    squad: isClosed
      ? { start: start.node, directory, members: new Map(members.map((member) => [member.node, member])) }
      : undefined,
  };
}

function endsOf(tools: readonly VapiTool[]): VapiAgent["ends"] {
  const has = (wanted: string) => tools.some(({ type }) => type === wanted);
  return { endCall: has("endCall"), transferCall: has("transferCall") };
}

/** Whether a handoff can lead to an assistant that is not a member, or is chosen by a server. */
function leaves({ type, destinations }: VapiTool, directory: Directory): boolean {
  if (type !== "handoff") return false;
  return (
    destinations.length === 0 ||
    destinations.some(
      (destination) => (destination.type ?? "assistant") !== "assistant" || !directory.resolve(refOf(destination)),
    )
  );
}

/** The assistant that a destination names. */
function refOf({ assistantId, assistantName }: JsonObject) {
  return defined({
    assistantId: isText(assistantId) ? assistantId : undefined,
    assistantName: isText(assistantName) ? assistantName : undefined,
  });
}

/** The tools in the layers of an assistant's settings, stored ones included. */
async function toolsOf(layers: readonly JsonObject[], read: Read) {
  const { defined: inline, stored } = toolsIn(layers);
  const found = await Promise.all(stored.map(async (id) => ({ id, tool: await read("tool", id) })));
  const tools = [...inline, ...found.flatMap(({ tool }) => (tool ? [tool] : []))].map(readTool);
  const lost = found.filter(({ tool }) => tool === undefined).map(({ id }) => `tool ${id}`);
  return {
    tools,
    hasAllTools: lost.length === 0 && tools.every(({ type }) => type !== "mcp"),
    labels: [...new Set([...tools.filter(({ isInside }) => !isInside).map(labelOf), ...lost])],
  };
}

/**
 * The first message.
 *
 * @see https://docs.vapi.ai/api-reference/assistants/create (`firstMessage`, `firstMessageMode`)
 */
function openingOf(layers: readonly JsonObject[]): VapiAgent["opening"] {
  const { text, mode } = firstMessage(layers);
  if (mode !== SPEAKS || !isText(text) || text.trim() === "" || hasLiquid(text)) return undefined;
  const defaults = Object.assign({}, ...layers.map((layer) => recordAt(layer, "variableValues")));
  return { text, defaults };
}

const SPEAKS = "assistant-speaks-first";
const GENERATES = "assistant-speaks-first-with-model-generated-message";

/** A later layer of settings overrides an earlier one. */
function firstMessage(layers: readonly JsonObject[]) {
  const setting = (key: string) => layers.map((layer) => layer[key]).findLast((value) => value !== undefined);
  return { text: setting("firstMessage"), mode: setting("firstMessageMode") ?? SPEAKS };
}

function speaksFirst(layers: readonly JsonObject[]): boolean {
  const { text, mode } = firstMessage(layers);
  return mode === GENERATES || (mode === SPEAKS && isText(text) && text.trim() !== "");
}

/** Whether a text has more of the language Liquid than names of variables: only the platform can fill it. */
function hasLiquid(text: string): boolean {
  return /\{[{%]/.test(text.replace(/\{\{\s*[A-Za-z_]\w*\s*\}\}/g, ""));
}

/** Returns the member that a handoff leads to. */
export function destinationOf(
  called: string,
  args: { readonly [name: string]: unknown },
  { squad, tools }: { readonly squad: VapiSquad; readonly tools: readonly VapiTool[] },
): string | undefined {
  const { directory, members } = squad;
  const given = ["destination", "assistantName", "assistantId"].map((key) => getAt(args, [key])).find(isText);
  if (given !== undefined)
    return directory.resolve({ assistantId: given, assistantName: given }) ?? like(given, members);
  const { destinations = [] } = tools.find(({ name }) => name === called) ?? {};
  const [only] = destinations;
  if (only && destinations.length === 1) return directory.resolve(refOf(only));
  return like(called.replace(/^(?:hand_?off|transfer)_?(?:to_?)?/i, ""), members);
}

/** The member whose name a tool's name has: the platform writes it with other characters. */
function like(text: string, members: VapiSquad["members"]): string | undefined {
  const found = [...members.values()].filter(({ name }) => plain(name) === plain(text));
  return found.length === 1 ? found[0]?.node : undefined;
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
