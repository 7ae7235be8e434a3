import { DeployError } from "../../../src/base/errors.ts";
import {
  isRecord,
  isTexts,
  type JsonObject,
  Names,
  omit,
  recordAt,
  records,
  sameJson,
} from "../../../src/base/values/mod.ts";
import { addressOf, type Resource, referencedAddress, referenceTo } from "../../deploying/mod.ts";
import { isMadeId, madeId, toolJsonName } from "../flow/mod.ts";
import { isText, openAssistant } from "../shared/mod.ts";
import { TELNYX_SERVER_KEYS } from "../traits/mod.ts";

const FLOW = "conversation_flow";

/** The assistant in a document. */
export function openTelnyx(document: unknown): JsonObject {
  const { body } = openAssistant(document) ?? {};
  if (body && (isText(body.instructions) || isRecord(body[FLOW]))) return body;
  throw new DeployError("Cannot deploy to Telnyx: the document has no assistant", {
    code: "not-deployable",
    hint: "Deploy a flow from code, or the JSON of an assistant",
  });
}

/** The shared tools of a document, by the id that it has for them. */
class SharedResources {
  readonly resources: Resource[] = [];
  readonly #names = new Names(["tool"], { joint: "#" });

  /** @returns The reference to a tool; the id itself if the document does not have the tool. */
  add(id: string, json: JsonObject | undefined): string {
    if (!json || referencedAddress(id) !== undefined) return id;
    const body = bodyOfTool(json);
    const isMade = isMadeId(id, toolJsonName(json));
    const same = this.resources.find((each) => (isMade ? sameJson(each.body, body) : each.id === id));
    if (same && !sameJson(same.body, body)) {
      throw new DeployError(`Cannot deploy to Telnyx: the tool "${same.name}" is used twice, and the two differ`, {
        code: "not-deployable",
        path: [addressOf(same)],
        hint: "Make the same change in both places, or give one of them another id",
      });
    }
    if (same) return referenceTo(addressOf(same));
    const name = this.#names.take(toolJsonName(json));
    const added: Resource = { kind: "tool", name, ...(isMade ? {} : { id }), body };
    this.resources.push(added);
    return referenceTo(addressOf(added));
  }
}

/** A tool of a document as the API for shared tools takes it. */
function bodyOfTool(tool: JsonObject): JsonObject {
  const { type } = tool;
  const isFlat = isText(type) && !isRecord(tool[type]);
  const nested = isFlat ? { type, [type]: omit(tool, ["type", "shared", "id"]) } : omit(tool, ["shared", "id"]);
  return { display_name: toolJsonName(tool), ...nested };
}

/** Splits a document: the shared tools, and the assistant that refers to them. */
export function splitTelnyx(document: unknown): readonly Resource[] {
  const { id, ...whole } = openTelnyx(document);
  const found = new SharedResources();
  const listed = records(whole.tools);
  const shared = listed.filter((tool) => tool.shared === true);
  const given = isTexts(whole.tool_ids) ? whole.tool_ids : [];
  const isPaired = shared.length === given.length;
  const own = listed.filter((tool) => !isPaired || tool.shared !== true);
  const flow = recordAt(whole, FLOW);
  const nodes = Array.isArray(flow.nodes) ? flow.nodes.map((node: unknown) => withReferences(node, found)) : undefined;
  const body: JsonObject = {
    ...omit(whole, TELNYX_SERVER_KEYS),
    ...(Array.isArray(whole.tools) ? { tools: own } : {}),
    ...(given.length > 0
      ? { tool_ids: given.map((each, at) => found.add(each, isPaired ? shared[at] : undefined)) }
      : {}),
    ...(nodes ? { [FLOW]: { ...flow, nodes } } : {}),
  };
  const isId = isText(id) && referencedAddress(id) === undefined;
  return [...found.resources, { kind: "assistant", name: "assistant", ...(isId ? { id } : {}), body }];
}

function withReferences(node: unknown, found: SharedResources): unknown {
  if (!isRecord(node)) return node;
  const { tools, tool, shared_tool_ids: ids, shared_tool_id: id } = node;
  const [one] = Array.isArray(tool) ? records(tool) : records([tool]);
  const listed = records(Array.isArray(tools) ? tools.flat() : []);
  const jsonOf = (each: string, at: number) =>
    listed.find((json) => json.id === each) ?? (isText(listed[at]?.id) ? undefined : listed[at]);
  return {
    ...omit(node, ["tool", "tools"]),
    ...(isText(id) ? { shared_tool_id: found.add(id, one) } : {}),
    ...(isTexts(ids) ? { shared_tool_ids: ids.map((each, at) => found.add(each, jsonOf(each, at))) } : {}),
  };
}

/** Joins resources: tools into the nodes that refer to them. */
export function joinTelnyx(resources: readonly Resource[]): unknown {
  const assistant = resources.find(({ kind }) => kind === "assistant");
  if (!assistant) return undefined;
  const byAddress = new Map(resources.map((each) => [addressOf(each), each]));
  const toolOf = (id: unknown) => byAddress.get(referencedAddress(id) ?? "");
  const idOf = (id: string) => {
    const tool = toolOf(id);
    return tool ? (tool.id ?? madeId(tool.name)) : id;
  };
  const jsonOf = (id: unknown): JsonObject | undefined => {
    const tool = toolOf(id);
    return tool && { ...omit(tool.body, ["display_name"]), shared: true };
  };
  const { tool_ids: ids, tools, ...body } = assistant.body;
  const flow = recordAt(body, FLOW);
  const nodes = records(flow.nodes).map(({ shared_tool_ids: some, shared_tool_id: one, ...node }) => {
    const many = isTexts(some) ? some : [];
    const isWhole = many.every((each) => jsonOf(each));
    const found = many.flatMap((each) => {
      const json = jsonOf(each);
      return json ? [{ ...(isWhole ? {} : { id: idOf(each) }), ...json }] : [];
    });
    const json = jsonOf(one);
    return {
      ...node,
      ...(isText(one) ? { shared_tool_id: idOf(one) } : {}),
      ...(json ? { tool: json } : {}),
      ...(isTexts(some) ? { shared_tool_ids: some.map(idOf) } : some === undefined ? {} : { shared_tool_ids: some }),
      ...(found.length > 0 ? { tools: found } : {}),
    };
  });
  const list = isTexts(ids) ? ids : [];
  const shared = list.flatMap((each) => jsonOf(each) ?? []);
  const all = Array.isArray(tools) ? [...tools, ...shared] : shared;
  return {
    ...body,
    ...(all.length > 0 || Array.isArray(tools) ? { tools: all } : {}),
    ...(list.length > 0 ? { tool_ids: list.map(idOf) } : {}),
    ...(Array.isArray(flow.nodes) ? { [FLOW]: { ...flow, nodes } } : {}),
    ...(assistant.id === undefined ? {} : { id: assistant.id }),
  };
}

/** An assistant without what a server resolves: tools that stand elsewhere, in the assistant and its nodes. */
export function withoutResolved(answer: JsonObject, toolIds: readonly string[]): JsonObject {
  const flow = recordAt(answer, FLOW);
  const nodes = records(flow.nodes).map((node) => omit(node, ["tool", "tools"]));
  return {
    ...omit(answer, TELNYX_SERVER_KEYS),
    ...(Array.isArray(answer.tools) ? { tools: records(answer.tools).filter((tool) => tool.shared !== true) } : {}),
    ...(toolIds.length > 0 ? { tool_ids: toolIds } : {}),
    ...(Array.isArray(flow.nodes) ? { [FLOW]: { ...flow, nodes } } : {}),
  };
}

/** Ids of the shared tools that an assistant refers to. */
export function sharedIds({ body }: Pick<Resource, "body">): readonly string[] {
  const nodes = records(recordAt(body, FLOW).nodes);
  const ids = [
    ...(isTexts(body.tool_ids) ? body.tool_ids : []),
    ...nodes.flatMap(({ shared_tool_ids: some, shared_tool_id: one }) => [...(isTexts(some) ? some : []), one]),
  ];
  return [...new Set(ids.filter(isText))];
}
