import { DeployError } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, Names, omit, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import { addressOf, type Resource, referencedAddress, referenceTo } from "../../deploying/mod.ts";
import { openAssistant, openMembers } from "../shared/mod.ts";
import { VAPI_SERVER_KEYS } from "../traits/mod.ts";

/** A squad with the assistants of its members, or an assistant. */
export function openVapi(document: unknown): JsonObject {
  if (isRecord(document) && Array.isArray(document.nodes)) {
    throw new DeployError("Cannot deploy to Vapi: the document is a workflow, and Vapi no longer runs workflows", {
      code: "not-deployable",
      hint: "Deploy it as vapi-squad",
    });
  }
  const found = squadIn(document) ?? openAssistant(document)?.document;
  if (found) return found;
  throw new DeployError("Cannot deploy to Vapi: the document has no squad and no assistant", {
    code: "not-deployable",
    hint: "Deploy a flow from code, or the JSON of a squad or an assistant",
  });
}

/** Splits a document: the tools that have an id, assistants, the squad. */
export function splitVapi(document: unknown): readonly Resource[] {
  const whole = openVapi(document);
  const found = new Found();
  if (!Array.isArray(whole.members)) {
    const main = found.withTools(whole);
    return [...found.resources, resourceOf("assistant", "assistant", main)];
  }
  const members = whole.members.filter(isRecord).map(({ assistant, ...member }, index) => {
    if (!isRecord(assistant)) return member;
    const name = typeof assistant.name === "string" ? assistant.name : `member-${index + 1}`;
    return { ...member, assistantId: referenceTo(found.add("assistant", name, found.withTools(assistant))) };
  });
  return [...found.resources, resourceOf("squad", "squad", { ...whole, members })];
}

/** Joins resources: assistants into the members that reference them, tools into the assistants that reference them. */
export function joinVapi(resources: readonly Resource[]): unknown {
  const byAddress = new Map(resources.map((each) => [addressOf(each), each]));
  const squad = resources.find(({ kind }) => kind === "squad");
  const whole = (resource: Resource) => withTools(withId(resource), byAddress);
  if (!squad) return resources.filter(({ kind }) => kind === "assistant").map(whole)[0];
  return {
    ...withId(squad),
    members: records(squad.body.members).map(({ assistantId, ...member }) => {
      const assistant = byAddress.get(referencedAddress(assistantId) ?? "");
      if (assistant) return { assistant: whole(assistant), ...member };
      return { ...member, ...(assistantId === undefined ? {} : { assistantId }) };
    }),
  };
}

/** Resources that members and assistants share by id, without duplicates. */
class Found {
  readonly resources: Resource[] = [];
  /** A kind's own name is reserved: it is the address of a single assistant or squad. */
  readonly #names = { assistant: new Names(["assistant"], { joint: "#" }), tool: new Names(["tool"], { joint: "#" }) };

  /** @returns The resource's address. */
  add(kind: "assistant" | "tool", name: string, document: JsonObject): string {
    const shared = this.resources.find(
      (each) => each.kind === kind && each.id !== undefined && each.id === document.id,
    );
    if (!shared) {
      const added = resourceOf(kind, this.#names[kind].take(name), document);
      // resources are written before those that reference them
      this.resources.splice(kind === "tool" ? this.#toolCount() : this.resources.length, 0, added);
      return addressOf(added);
    }
    if (sameJson(shared.body, resourceOf(kind, name, document).body)) return addressOf(shared);
    throw new DeployError(`Cannot deploy to Vapi: the ${kind} "${shared.name}" is used twice, and the two differ`, {
      code: "not-deployable",
      path: [addressOf(shared)],
      hint: `Make the same change in both places, or remove the id of one of them to give it a ${kind} of its own`,
    });
  }

  /** An assistant with references to the tools that have an id of their own. */
  withTools(assistant: JsonObject): JsonObject {
    const model = recordAt(assistant, "model");
    const tools = records(model.tools);
    const saved = tools.filter(({ id }) => typeof id === "string");
    if (saved.length === 0) return assistant;
    const references = saved.map((tool) => referenceTo(this.add("tool", toolName(tool), tool)));
    const inline = tools.filter(({ id }) => typeof id !== "string");
    const own = Array.isArray(model.toolIds) ? model.toolIds : [];
    const rest = inline.length > 0 ? { tools: inline } : {};
    return { ...assistant, model: { ...omit(model, ["tools"]), ...rest, toolIds: [...own, ...references] } };
  }

  #toolCount(): number {
    return this.resources.filter(({ kind }) => kind === "tool").length;
  }
}

/** An assistant with its referenced tools inlined; ids of other tools stay. */
function withTools(assistant: JsonObject, byAddress: ReadonlyMap<string, Resource>): JsonObject {
  const model = recordAt(assistant, "model");
  const ids: readonly unknown[] = Array.isArray(model.toolIds) ? model.toolIds : [];
  const toolOf = (id: unknown) => byAddress.get(referencedAddress(id) ?? "");
  const tools = ids.flatMap((id) => {
    const tool = toolOf(id);
    return tool ? [{ ...tool.body, id: tool.id ?? id }] : [];
  });
  if (tools.length === 0) return assistant;
  const left = ids.filter((id) => !toolOf(id));
  const rest = left.length > 0 ? { toolIds: left } : {};
  return { ...assistant, model: { ...omit(model, ["toolIds"]), tools: [...records(model.tools), ...tools], ...rest } };
}

function toolName(tool: JsonObject): string {
  const { name } = recordAt(tool, "function");
  return String(name ?? tool.name ?? tool.type ?? "");
}

function withId({ id, body }: Resource): JsonObject {
  return { ...body, ...(id === undefined ? {} : { id }) };
}

function resourceOf(kind: string, name: string, { id, ...body }: JsonObject): Resource {
  const isId = typeof id === "string" && referencedAddress(id) === undefined;
  return { kind, name, ...(isId ? { id } : {}), body: omit(body, VAPI_SERVER_KEYS) };
}

/** The squad in a document, without an envelope. Assistants beside a squad are in its members. */
function squadIn(document: unknown): JsonObject | undefined {
  const opened = openMembers(document);
  return opened && { ...opened.squad, members: opened.homes };
}
