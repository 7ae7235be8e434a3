import { isRecord, isTexts, type JsonObject, omit, recordAt, records } from "../../../src/base/values/mod.ts";
import {
  type LocalAnswer,
  type LocalOptions,
  type LocalPlatform,
  type LocalRequest,
  RateLimit,
  Refusal,
  randomDigits,
  shuffleKeys,
  withDefaultOptions,
} from "../../serving/mod.ts";
import { MULTIPLE_TOOLS } from "../traits/mod.ts";

type Kind = "assistant" | "tool";

interface Version {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly body: JsonObject;
}

interface Stored {
  readonly id: string;
  readonly kind: Kind;
  readonly org: string;
  readonly created: number;
  /** The newest last. A tool has one. */
  versions: readonly Version[];
  /** Id of the version that answers calls. */
  main: string;
  canary?: JsonObject;
}

/** Keys that answers have with null where nothing is set. */
const NULLS = ["llm_api_key_ref", "messaging_settings", "external_llm", "fallback_config", "conversation_flow"];
/** Keys of a request that are not part of an assistant. */
const OF_REQUEST = ["promote_to_main", "version_name"];

/**
 * A fake of Telnyx's API: assistants are updated by POST, each update is a version, shared tools are resolved in answers,
 * and flows are checked when they are written.
 */
export class LocalTelnyx implements LocalPlatform {
  readonly #options: Required<LocalOptions>;
  readonly #limit: RateLimit;
  readonly #stored = new Map<string, Stored>();
  #newest = 0;

  constructor(options: LocalOptions) {
    this.#options = withDefaultOptions(options);
    const { now, requestsPerSecond, stored } = this.#options;
    this.#limit = new RateLimit(requestsPerSecond, now);
    for (const { kind, id, workspace: org, body } of stored) {
      if (kind !== "assistant" && kind !== "tool") throw new TypeError(`Telnyx has no resources of kind "${kind}"`);
      const version = { id: `version-${id}`, name: "", created: now(), body };
      this.#stored.set(id, { id, kind, org, created: now(), versions: [version], main: version.id });
    }
  }

  answer(request: LocalRequest): LocalAnswer {
    const { keys, random } = this.#options;
    try {
      const org = Object.hasOwn(keys, request.key) ? keys[request.key] : undefined;
      if (org === undefined) throw new Refusal(401, "Authentication failed");
      const tooMany = this.#limit.refuse(org);
      if (tooMany) return tooMany;
      const answer = this.#route(request, org);
      return { ...answer, body: shuffleKeys(answer.body, random) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message } = error;
      const code = message.includes("only one") ? "10015" : String(status);
      return { status, body: { errors: [{ code, title: "Request failed", detail: message }] } };
    }
  }

  #route({ method, path, query, body }: LocalRequest, org: string): LocalAnswer {
    const [, name = "", id = "", rest = ""] = /^\/ai\/(assistants|tools)(?:\/([^/]+))?(?:\/(.+))?$/.exec(path) ?? [];
    const kind = name === "assistants" ? "assistant" : name === "tools" ? "tool" : undefined;
    const unknown = () => new Refusal(404, `There is no ${method} ${path}`);
    if (!kind) throw unknown();
    if (id === "") {
      if (method === "POST") return { status: 201, body: this.#create(kind, body, org) };
      if (method === "GET") return { status: 200, body: this.#list(kind, query, org) };
      throw unknown();
    }
    const stored = this.#stored.get(decodeURIComponent(id));
    if (stored?.kind !== kind || stored.org !== org) throw new Refusal(404, `The ${kind} ${id} does not exist`);
    if (rest !== "") return this.#versions(stored, method, rest, body);
    if (method === "GET") return { status: 200, body: this.#shown(stored) };
    if (method === (kind === "assistant" ? "POST" : "PATCH")) return { status: 200, body: this.#update(stored, body) };
    if (method !== "DELETE") throw unknown();
    this.#stored.delete(stored.id);
    return { status: 200, body: { id: stored.id, object: kind, deleted: true } };
  }

  #create(kind: Kind, sent: JsonObject, org: string): JsonObject {
    const body = withoutNulls(omit(sent, OF_REQUEST));
    this.#check(kind, body, org);
    const { now } = this.#options;
    const version = this.#version(body, sent);
    const id = `${kind}-${this.#id()}`;
    const stored = { id, kind, org, created: now(), versions: [version], main: version.id };
    this.#stored.set(id, stored);
    return this.#shown(stored);
  }

  #update(stored: Stored, sent: JsonObject): JsonObject {
    const before = mainOf(stored).body;
    const body = withoutNulls({ ...before, ...omit(sent, OF_REQUEST) });
    this.#check(stored.kind, body, stored.org);
    const version = this.#version(body, sent);
    if (stored.kind === "tool") Object.assign(stored, { versions: [version], main: version.id });
    else {
      stored.versions = [...stored.versions, version];
      if (sent.promote_to_main !== false) this.#promote(stored, version.id);
    }
    return this.#shown(stored, version);
  }

  #promote(stored: Stored, id: string): void {
    stored.main = id;
    delete stored.canary; // a promotion deletes it
  }

  /** Versions of an assistant, and its canary. */
  #versions(stored: Stored, method: string, rest: string, body: JsonObject): LocalAnswer {
    const [part = "", id = "", action = ""] = rest.split("/");
    if (part === "canary-deploys" && stored.kind === "assistant") return this.#canary(stored, method, body);
    if (part !== "versions" || stored.kind !== "assistant") throw new Refusal(404, `There is no ${method} ${rest}`);
    if (id === "") return { status: 200, body: { data: stored.versions.map((each) => this.#shown(stored, each)) } };
    const version = stored.versions.find((each) => each.id === id);
    if (!version) throw new Refusal(404, `The version ${id} does not exist`);
    const isMain = stored.main === id;
    if (action === "promote" && method === "POST") this.#promote(stored, id);
    else if (method === "DELETE") {
      if (isMain) throw new Refusal(400, "Can not delete main version");
      stored.versions = stored.versions.filter((each) => each !== version);
    } else if (method === "POST") {
      if (isMain) throw new Refusal(400, "Can not update main version");
      const name = typeof body.version_name === "string" ? body.version_name : version.name;
      const changed = { ...version, name, body: withoutNulls({ ...version.body, ...omit(body, OF_REQUEST) }) };
      this.#check("assistant", changed.body, stored.org);
      stored.versions = stored.versions.map((each) => (each === version ? changed : each));
      return { status: 200, body: this.#shown(stored, changed) };
    } else if (method !== "GET") throw new Refusal(404, `There is no ${method} ${rest}`);
    return { status: 200, body: this.#shown(stored, version) };
  }

  #canary(stored: Stored, method: string, body: JsonObject): LocalAnswer {
    if (method === "GET" || method === "DELETE") {
      if (!stored.canary) throw new Refusal(404, "There is no canary");
      const { canary } = stored;
      if (method === "DELETE") delete stored.canary;
      return { status: 200, body: canary };
    }
    if ((method === "POST") === (stored.canary !== undefined))
      throw new Refusal(method === "POST" ? 400 : 404, stored.canary ? "There is a canary" : "There is no canary");
    const slots = records(body.rules).flatMap(({ serve }) => {
      const { rollout, version_id: whole } = recordAt({ serve }, "serve");
      if (Array.isArray(rollout) === (typeof whole === "string")) throw new Refusal(400, "serve is one of two");
      return Array.isArray(rollout) ? records(rollout) : [{ version_id: whole, weight: 1 }];
    });
    for (const { version_id: id, weight } of slots)
      if (!stored.versions.some((each) => each.id === id) || typeof weight !== "number" || weight <= 0 || weight >= 100)
        throw new Refusal(400, `The version ${String(id)} does not exist, or cannot have ${String(weight)} percent`);
    stored.canary = { assistant_id: stored.id, rules: records(body.rules) };
    return { status: 200, body: stored.canary };
  }

  #version(body: JsonObject, { version_name: name }: JsonObject): Version {
    // no two versions are of one moment
    this.#newest = Math.max(this.#newest + 1, this.#options.now());
    return { id: `version-${this.#id()}`, name: String(name ?? ""), created: this.#newest, body };
  }

  /** What is refused: missing keys, a flow that does not hold together, tools that do not exist, and second instances. */
  #check(kind: Kind, body: JsonObject, org: string): void {
    const needed = kind === "tool" ? ["display_name", "type"] : ["name", "instructions"];
    for (const key of needed) if (typeof body[key] !== "string") throw new Refusal(400, `${key} is required`);
    if (kind === "tool") {
      if (!isRecord(body[String(body.type)])) throw new Refusal(400, `${String(body.type)} is required`);
      return;
    }
    const flow = body.conversation_flow;
    const nodes = isRecord(flow) ? records(flow.nodes) : [];
    const named = [
      ...(isTexts(body.tool_ids) ? body.tool_ids : []),
      ...nodes.flatMap(({ shared_tool_ids: some, shared_tool_id: one }) =>
        [...(isTexts(some) ? some : []), one ?? []].flat(),
      ),
    ];
    for (const id of named)
      if (this.#toolOf(String(id), org) === undefined)
        throw new Refusal(400, `The shared tool ${String(id)} does not exist`);
    const ids = isTexts(body.tool_ids) ? body.tool_ids : [];
    const types = [...records(body.tools), ...ids.map((id) => this.#toolOf(id, org) ?? {})].map(({ type }) =>
      String(type),
    );
    const twice = types.find((type, index) => !MULTIPLE_TOOLS.includes(type) && types.indexOf(type) !== index);
    if (twice !== undefined) throw new Refusal(400, `An assistant can have only one ${twice} tool`);
    if (isRecord(flow)) checkFlow(flow);
  }

  #toolOf(id: string, org: string): JsonObject | undefined {
    const stored = this.#stored.get(id);
    return stored?.kind === "tool" && stored.org === org ? mainOf(stored).body : undefined;
  }

  #list(kind: Kind, query: URLSearchParams, org: string): JsonObject {
    const all = [...this.#stored.values()].filter((each) => each.kind === kind && each.org === org);
    const size = Math.min(Number(query.get("page[size]") ?? 20), this.#options.maxPage);
    const number = Number(query.get("page[number]") ?? 1);
    const data = all.slice((number - 1) * size, number * size).map((stored) => this.#shown(stored));
    return { data, meta: { page_number: number, page_size: size, total_pages: Math.ceil(all.length / size) } };
  }

  #shown(stored: Stored, version = mainOf(stored)): JsonObject {
    const { id, kind, org, created } = stored;
    const { body } = version;
    const created_at = new Date(created).toISOString();
    if (kind === "tool") return { ...body, id, created_at, updated_at: new Date(version.created).toISOString() };
    const resolved = (each: unknown) => {
      const { display_name: _, ...tool } = this.#toolOf(String(each), org) ?? {};
      return { ...tool, shared: true };
    };
    const { tool_ids: ids, ...rest } = body;
    const flow = recordAt(body, "conversation_flow");
    const nodes = records(flow.nodes).map((node) => ({
      ...node,
      ...(isTexts(node.shared_tool_ids) ? { tools: node.shared_tool_ids.map(resolved) } : {}),
      ...(typeof node.shared_tool_id === "string" ? { tool: resolved(node.shared_tool_id) } : {}),
    }));
    return {
      ...Object.fromEntries(NULLS.map((key) => [key, null])),
      ...rest,
      tools: [...records(body.tools), ...(isTexts(ids) ? ids.map(resolved) : [])],
      ...(isRecord(body.conversation_flow) ? { conversation_flow: { ...flow, nodes } } : {}),
      ...{ id, created_at, version_id: version.id, version_name: version.name },
      version_created_at: new Date(version.created).toISOString(),
    };
  }

  #id(): string {
    return randomDigits(this.#options, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }
}

function mainOf({ versions, main }: Stored): Version {
  const found = versions.find(({ id }) => id === main);
  if (!found) throw new TypeError("an assistant has a main version");
  return found;
}

function withoutNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Ids are unique, every end of an edge exists, and a tool or speak node with edges has one default edge. */
function checkFlow(flow: JsonObject): void {
  const refuse = (detail: string) => new Refusal(400, `conversation_flow: ${detail}`);
  const nodes = records(flow.nodes);
  const edges = records(flow.edges);
  for (const list of [nodes, edges]) {
    const ids = list.map(({ id }) => id);
    if (ids.some((id, index) => typeof id !== "string" || ids.indexOf(id) !== index))
      throw refuse("ids are not unique");
  }
  const has = (id: unknown) => nodes.some((node) => node.id === id);
  if (!has(flow.start_node_id)) throw refuse("start_node_id is not a node");
  for (const { start_node_id: from, target } of edges) {
    const { type, node_id: to, assistant_id: assistant } = isRecord(target) ? target : {};
    if (!has(from) || (type === "node" ? !has(to) : typeof assistant !== "string"))
      throw refuse("an edge leads nowhere");
  }
  for (const { id, type } of nodes) {
    const mine = edges.filter((edge) => edge.start_node_id === id);
    const defaults = mine.filter((edge) => recordAt(edge, "condition").type === "default").length;
    const moves = type === "tool" || type === "speak";
    if (moves ? mine.length > 0 && defaults !== 1 : defaults > 0)
      throw refuse(`node ${String(id)} has ${defaults} default edges`);
  }
}
