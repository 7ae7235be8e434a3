import {
  isRecord,
  isTexts,
  type JsonObject,
  mergeJson,
  omit,
  own,
  recordAt,
  records,
  setAt,
} from "../../../src/base/values/mod.ts";
import {
  type LocalAnswer,
  type LocalOptions,
  type LocalPlatform,
  type LocalRequest,
  RateLimit,
  randomDigits,
  shuffleKeys,
  withDefaultOptions,
} from "../../serving/mod.ts";
import { ELEVENLABS_TRAITS } from "../traits/mod.ts";

/** An agent, a branch of one, a tool or a number. */
interface Stored {
  readonly kind: "agent" | "tool" | "phone-number";
  readonly id: string;
  readonly workspace: string;
  readonly created: number;
  /** Of a branch that is not the main one. */
  readonly branchName?: string;
  body: JsonObject;
  updated: number;
  /** Names each state of the agent, also after a return to an earlier one. */
  version: string;
}

/** A request that the API refuses, with the path of the fault. */
class Fault extends Error {
  readonly status: number;
  readonly loc: readonly (string | number)[];

  constructor(status: number, message: string, loc: readonly (string | number)[] = ["body"]) {
    super(message);
    this.status = status;
    this.loc = loc;
  }
}

const PROMPT = ["conversation_config", "agent", "prompt"];
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What the API adds to every agent. */
const DEFAULTS: JsonObject = {
  conversation_config: {
    agent: { first_message: "", language: "en", prompt: { prompt: "", llm: "gemini-2.5-flash" } },
  },
  platform_settings: {},
  tags: [],
};

/**
 * A fake of ElevenLabs' API: creating answers with the id alone; a change merges the configuration and replaces the
 * workflow; two edges of one pair and edges without a condition are refused, and are returned with `null` for a condition
 * that they lack; `tools` and `tool_ids` are refused together, and both returned. Every write makes a version.
 */
export class LocalElevenLabs implements LocalPlatform {
  readonly keyHeader = "xi-api-key";
  readonly #options: Required<LocalOptions>;
  readonly #limit: RateLimit;
  readonly #stored = new Map<string, Stored>();

  constructor(options: LocalOptions) {
    this.#options = withDefaultOptions(options);
    const { now, requestsPerSecond, stored } = this.#options;
    this.#limit = new RateLimit(requestsPerSecond, now);
    for (const { kind, id, workspace, body } of stored) {
      if (kind !== "agent" && kind !== "tool" && kind !== "phone-number")
        throw new TypeError(`${ELEVENLABS_TRAITS.title} has no resources of kind "${kind}"`);
      this.#put({ kind, id, workspace, body });
    }
  }

  answer(request: LocalRequest): LocalAnswer {
    const { keys, random } = this.#options;
    try {
      const workspace = Object.hasOwn(keys, request.key) ? keys[request.key] : undefined;
      if (workspace === undefined) throw new Fault(401, "Invalid API key");
      const tooMany = this.#limit.refuse(workspace);
      if (tooMany) return tooMany;
      const body = this.#route(request, workspace);
      return { status: 200, body: shuffleKeys(body, random) };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { status, message: msg, loc } = error;
      const detail = status === 422 ? [{ type: "value_error", loc, msg }] : { status: "error", message: msg };
      return { status, body: { detail } };
    }
  }

  #route({ method, path, query, body }: LocalRequest, workspace: string): unknown {
    const [, kindName = "", id = ""] = /^\/v1\/convai\/(agents|tools|phone-numbers)(?:\/(.+))?$/.exec(path) ?? [];
    const kind =
      kindName === "agents" ? "agent" : kindName === "tools" ? "tool" : kindName === "" ? undefined : "phone-number";
    if (kind === undefined) throw new Fault(404, `Not found: ${path}`);
    if (method === "POST" && (id === "create" || (kind === "tool" && id === "")))
      return this.#create(kind, body, workspace);
    if (method === "GET" && id === "") return this.#list(kind, query, workspace);
    const [, agent, branches] = /^([^/]+)\/(branches)$/.exec(id) ?? [];
    if (kind === "agent" && agent !== undefined && branches !== undefined)
      return this.#branches(this.#find(kind, agent, null, workspace), method, body);
    const stored = this.#find(kind, id, query.get("branch_id"), workspace);
    const version = query.get("version_id");
    if (version !== null && version !== stored.version) throw new Fault(404, `Version ${version} was not found`);
    if (method === "GET") return this.#shown(stored);
    if (method === "PATCH") return this.#update(stored, body);
    if (method !== "DELETE") throw new Fault(405, `${method} is not allowed`);
    this.#stored.delete(stored.id);
    return {};
  }

  #find(kind: Stored["kind"], id: string, branch: string | null, workspace: string): Stored {
    const main = this.#stored.get(id);
    const stored = branch === null || branch === mainBranch(id) ? main : this.#stored.get(`${id}@${branch}`);
    if (stored?.kind === kind && stored.workspace === workspace) return stored;
    throw new Fault(404, `The ${kind} ${id} was not found`);
  }

  #create(kind: Stored["kind"], sent: JsonObject, workspace: string): JsonObject {
    const body = kind === "agent" ? this.#checkedAgent(mergeJson(DEFAULTS, sent), workspace) : checkedTool(sent);
    const stored = this.#put({ kind, id: `${kind}_${randomDigits(this.#options, 26)}`, workspace, body });
    return kind === "agent" ? { agent_id: stored.id } : this.#shown(stored);
  }

  #update(stored: Stored, change: JsonObject): JsonObject {
    const { kind, workspace, body } = stored;
    if (kind === "phone-number") {
      const agent =
        typeof change.agent_id === "string" ? this.#find("agent", change.agent_id, null, workspace).id : undefined;
      stored.body = { ...body, assigned_agent: agent === undefined ? null : { agent_id: agent } };
      return this.#shown(stored);
    }
    if (kind === "tool") stored.body = checkedTool({ ...body, ...change });
    else stored.body = this.#checkedAgent(mergeJson(DEFAULTS, changed(body, change)), workspace);
    Object.assign(stored, { updated: this.#options.now(), version: this.#versionId() });
    return this.#shown(stored);
  }

  /** Lists the branches of an agent, or creates one from a version of the agent. */
  #branches({ id, workspace, ...main }: Stored, method: string, sent: JsonObject): JsonObject {
    const own = [...this.#stored.values()].filter((each) => each.id.startsWith(`${id}@`));
    const shown = (branch: string, name: string) => ({ id: branch, name, agent_id: id, is_archived: false });
    if (method === "GET") {
      const others = own.map((each) => shown(each.id.slice(id.length + 1), each.branchName ?? ""));
      return { results: [shown(mainBranch(id), "Main"), ...others], meta: {} };
    }
    if (method !== "POST") throw new Fault(405, `${method} is not allowed`);
    const { name, parent_version_id: parent } = sent;
    if (typeof name !== "string") throw new Fault(422, "Field required", ["body", "name"]);
    if (name === "Main" || own.some((each) => each.branchName === name))
      throw new Fault(409, `A branch named ${name} exists`);
    const from = [{ ...main, id }, ...own].find(({ version }) => version === parent);
    if (!from) throw new Fault(404, `Version ${String(parent)} was not found`);
    const branch = `agtbrch_${randomDigits(this.#options, 26)}`;
    const body = this.#checkedAgent(
      mergeJson(DEFAULTS, changed(from.body, omit(sent, ["name", "description", "parent_version_id"]))),
      workspace,
    );
    const made = this.#put({ kind: "agent", id: `${id}@${branch}`, workspace, branchName: name, body });
    return { created_branch_id: branch, created_version_id: made.version };
  }

  #put(given: Pick<Stored, "kind" | "id" | "workspace" | "body" | "branchName">): Stored {
    const now = this.#options.now();
    const stored = { ...given, created: now, updated: now, version: this.#versionId() };
    this.#stored.set(given.id, stored);
    return stored;
  }

  #versionId(): string {
    return `agtvrsn_${randomDigits(this.#options, 26)}`;
  }

  #checkedAgent(body: JsonObject, workspace: string): JsonObject {
    const prompt = promptOf(body);
    if (
      Array.isArray(prompt.tools) &&
      isTexts(prompt.tool_ids) &&
      prompt.tools.length > 0 &&
      prompt.tool_ids.length > 0
    )
      throw new Fault(422, "Cannot specify both tools and tool_ids", ["body", ...PROMPT]);
    const workflow = recordAt(body, "workflow");
    const nodes = Object.values(recordAt(workflow, "nodes")).filter(isRecord);
    const named = nodes.flatMap((node) => [
      node.additional_tool_ids,
      promptOf(node).tool_ids,
      records(node.tools).map(({ tool_id: id }) => id),
    ]);
    for (const id of [prompt.tool_ids, ...named].flatMap((list): readonly unknown[] =>
      Array.isArray(list) ? list : [],
    ))
      if (this.#stored.get(String(id))?.kind !== "tool" || this.#stored.get(String(id))?.workspace !== workspace)
        throw new Fault(422, `Tool with id ${String(id)} not found`, ["body", ...PROMPT, "tool_ids"]);
    checkEdges(workflow);
    return body;
  }

  #list(kind: Stored["kind"], query: URLSearchParams, workspace: string): unknown {
    const all = [...this.#stored.values()].filter(
      (each) => each.kind === kind && each.workspace === workspace && !each.id.includes("@"),
    );
    if (kind === "phone-number") return all.map((each) => this.#shown(each));
    const size = Math.min(Number(query.get("page_size") ?? 30), this.#options.maxPage, 100);
    const from = Number(query.get("cursor") ?? 0);
    const page = all.slice(from, from + size);
    const more = from + size < all.length;
    const key = kind === "agent" ? "agents" : "tools";
    const items =
      kind === "agent"
        ? page.map(({ id, body }) => ({ agent_id: id, name: body.name ?? "", access_info: PERSON }))
        : page.map((each) => this.#shown(each));
    return { [key]: items, has_more: more, next_cursor: more ? String(from + size) : null };
  }

  #shown(stored: Stored): JsonObject {
    const { kind, id, body, created, updated, version } = stored;
    if (kind === "phone-number") return { phone_number_id: id, ...body };
    if (kind === "tool") return { id, ...body, access_info: PERSON, usage_stats: { total_calls: 0 } };
    const [agent = "", branch] = id.split("@");
    return {
      ...this.#expanded(withEdges(body)),
      ...{
        agent_id: agent,
        version_id: version,
        branch_id: branch ?? mainBranch(agent),
        main_branch_id: mainBranch(agent),
      },
      metadata: {
        created_at_unix_secs: Math.floor(created / 1_000),
        updated_at_unix_secs: Math.floor(updated / 1_000),
      },
      ...{ access_info: PERSON, phone_numbers: [], whatsapp_accounts: [] },
    };
  }

  /** Writes out the tools of `tool_ids` and the built-in ones. */
  #expanded(body: JsonObject): JsonObject {
    const { tool_ids: ids, built_in_tools: builtIn, tools } = promptOf(body);
    const stored = (isTexts(ids) ? ids : []).map((id) => this.#stored.get(id)?.body.tool_config);
    const system = isRecord(builtIn) ? Object.values(builtIn).filter(isRecord) : [];
    const all = [...records(tools), ...stored, ...system];
    return all.length > 0 ? setAt(body, [...PROMPT, "tools"], all) : body;
  }
}

/** Who made a resource: made up, as all of this. */
const PERSON = { is_creator: true, creator_name: "A Person", creator_email: "person@example.com", role: "admin" };

const mainBranch = (agent: string) => `agtbrch_${agent.replace(/^agent_/, "")}`;

const promptOf = (body: JsonObject) => recordAt(recordAt(recordAt(body, "conversation_config"), "agent"), "prompt");

function withoutNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** A configuration with a change, which is merged key by key; `null` removes a key. */
function patched(before: JsonObject, change: JsonObject): JsonObject {
  const entries = Object.entries(change).map(([key, value]) => {
    const old = own(before, key);
    const isMap = ["dynamic_variable_placeholders", "language_presets", "data_collection"].includes(key);
    return [key, isRecord(old) && isRecord(value) && !isMap ? patched(old, value) : value] as const;
  });
  return withoutNulls({ ...before, ...Object.fromEntries(entries) });
}

/** An agent with a change: its configuration is merged, all else is replaced. */
function changed(body: JsonObject, change: JsonObject): JsonObject {
  const parts = ["conversation_config", "platform_settings"].flatMap((key) => {
    const part = own(change, key);
    return isRecord(part) ? [[key, patched(recordAt(body, key), part)] as const] : [];
  });
  const next = { ...body, ...withoutNulls(change), ...Object.fromEntries(parts) };
  const gone = Object.keys(change).filter((key) => change[key] === null);
  return omit(next, gone);
}

function checkedTool(body: JsonObject): JsonObject {
  const { name, type } = recordAt(body, "tool_config");
  if (typeof name !== "string" || !NAME.test(name))
    throw new Fault(422, "String should match pattern", ["body", "tool_config", "name"]);
  if (typeof type !== "string") throw new Fault(422, "Field required", ["body", "tool_config", "type"]);
  return body;
}

function checkEdges(workflow: JsonObject): void {
  const nodes = recordAt(workflow, "nodes");
  const pairs = new Set<string>();
  for (const [id, edge] of Object.entries(recordAt(workflow, "edges"))) {
    const loc = ["body", "workflow", "edges", id];
    const { source, target, forward_condition: forward, backward_condition: backward } = isRecord(edge) ? edge : {};
    for (const end of [source, target])
      if (typeof end !== "string" || !Object.hasOwn(nodes, end))
        throw new Fault(422, `Node ${String(end)} does not exist`, loc);
    if (forward == null && backward == null) throw new Fault(422, "Edge must have at least one condition", loc);
    const pair = JSON.stringify([source, target].sort());
    if (pairs.has(pair)) throw new Fault(422, "Duplicate edge", loc);
    pairs.add(pair);
  }
}

/** A workflow as it is returned: every edge has both conditions, every node a position and an order. */
function withEdges(body: JsonObject): JsonObject {
  const { workflow } = body;
  const given = isRecord(workflow) ? workflow : { nodes: { start_node: { type: "start" } } };
  const each = (key: string, defaults: JsonObject) => {
    const entries = Object.entries(recordAt(given, key)).map(([id, item]) => [
      id,
      isRecord(item) ? { ...defaults, ...item } : item,
    ]);
    return Object.fromEntries(entries);
  };
  const nodes = each("nodes", { position: { x: 0, y: 0 }, edge_order: [] });
  const edges = each("edges", { forward_condition: null, backward_condition: null });
  return { ...body, workflow: { prevent_subagent_loops: false, ...given, nodes, edges } };
}
