import { isRecord, type JsonObject, own, records, repeated } from "../../../src/base/values/mod.ts";
import { findingsOf } from "../../findings.ts";
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
import { EDGE_SLOTS } from "../flow/mod.ts";
import { checkKeys, retellTables } from "../shared/mod.ts";
import {
  engineOf,
  IDS,
  type ResourceVersion,
  type RetellKind,
  retellKindNamed,
  type Stored,
  sharedComponents,
  shownVersion,
  storedBody,
  versionOf,
} from "./resource.ts";

/** Kinds whose keys the published schema lists, with the schema's name. */
const ROOTS = { agent: "agent", "conversation-flow": "flow", "retell-llm": "llm" } as const;

/**
 * Voices of the account, one of each provider; agents may name others.
 *
 * @see https://docs.retellai.com/api-references/list-voices
 */
const VOICES = [
  { voice_id: "11labs-Adrian", voice_name: "Adrian", provider: "elevenlabs", gender: "male", accent: "American" },
  { voice_id: "openai-Alloy", voice_name: "Alloy", provider: "openai", gender: "female", accent: "American" },
  { voice_id: "cartesia-Cleo", voice_name: "Cleo", provider: "cartesia", gender: "female", accent: "American" },
];

/**
 * A fake of Retell's API: it has versions, of which published ones cannot be changed, an engine behind each
 * agent, keys in another order in every response, server defaults and keys, and it stores unknown keys unless `strictSchema` is set.
 */
export class LocalRetell implements LocalPlatform {
  readonly #options: Required<LocalOptions>;
  readonly #limit: RateLimit;
  readonly #stored = new Map<string, Stored>();

  constructor(options: LocalOptions) {
    this.#options = withDefaultOptions(options);
    const { now, requestsPerSecond, stored } = this.#options;
    this.#limit = new RateLimit(requestsPerSecond, now);
    for (const { kind: name, id, workspace, body } of stored) {
      const kind = retellKindNamed(name);
      if (!kind) throw new TypeError(`Retell has no resources of kind "${name}"`);
      const version = { number: 0, body: storedBody(kind, body), isPublished: false, changed: now() };
      this.#stored.set(id, { id, kind, workspace, versions: [version] });
    }
  }

  answer(request: LocalRequest): LocalAnswer {
    const { keys, random } = this.#options;
    try {
      const workspace = Object.hasOwn(keys, request.key) ? keys[request.key] : undefined;
      if (workspace === undefined) throw new Refusal(401, "Invalid API Key");
      const tooMany = this.#limit.refuse(workspace);
      if (tooMany) return tooMany;
      const answer = this.#route(request, workspace);
      return { ...answer, body: shuffleKeys(answer.body, random) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: { status: "error", message: error.message } };
    }
  }

  #route(request: LocalRequest, workspace: string): LocalAnswer {
    const { method, path, query, body } = request;
    const [, verb = "", rest = "", id = ""] = /^\/(?:v\d\/)?([a-z]+)-([a-z-]+)(?:\/(.+))?$/.exec(path) ?? [];
    const find = (kind: RetellKind) => this.#find(kind, id, workspace);
    switch (`${method} ${verb}-${rest}`) {
      case "GET list-voices":
        return { status: 200, body: VOICES };
      case "GET get-voice": {
        const voice = VOICES.find(({ voice_id }) => voice_id === id);
        if (!voice) throw new Refusal(404, `Item ${id} not found from voice`);
        return { status: 200, body: voice };
      }
      case "POST create-agent-version":
        return { status: 201, body: this.#newVersion(find("agent"), body) };
      case "POST publish-agent-version":
        this.#publish(find("agent"), body);
        return { status: 200 };
      case "GET list-agent-versions": {
        const agent = find("agent");
        return { status: 200, body: { items: agent.versions.map((version) => this.#shown(agent, version)) } };
      }
      case "POST import-phone-number":
        return { status: 201, body: this.#create("phone-number", { phone_number_type: "custom", ...body }, workspace) };
    }
    const kind = retellKindNamed(verb === "list" ? rest.replace(/s$/, "") : rest);
    if (!kind) throw new Refusal(404, `Cannot ${method} ${path}`);
    switch (`${method} ${verb}`) {
      case "POST create":
        return { status: 201, body: this.#create(kind, body, workspace) };
      case "GET get": {
        const stored = find(kind);
        return { status: 200, body: this.#shown(stored, versionOf(stored, query.get("version"))) };
      }
      case "PATCH update":
        return { status: 200, body: this.#update(find(kind), request) };
      case "DELETE delete":
        this.#delete(find(kind), query.get("force_delete") === "true");
        return { status: 204 };
      case kind === "agent" ? "POST list" : "GET list":
        return { status: 200, body: this.#list(kind, query, workspace) };
      default:
        throw new Refusal(404, `Cannot ${method} ${path}`);
    }
  }

  #find(kind: RetellKind, id: string, workspace: string): Stored {
    const stored = this.#stored.get(id);
    if (stored?.kind !== kind || stored.workspace !== workspace) throw new Refusal(404, `Item ${id} not found`);
    return stored;
  }

  #create(kind: RetellKind, body: JsonObject, workspace: string): JsonObject {
    const own = storedBody(kind, body);
    this.#check(kind, own, workspace);
    const [key, prefix] = IDS[kind];
    const id = kind === "phone-number" ? this.#number(body[key]) : `${prefix}${randomDigits(this.#options, 12)}`;
    if (this.#stored.has(id)) throw new Refusal(400, `${key} ${id} is taken`);
    const version = { number: 0, body: own, isPublished: false, changed: this.#options.now() };
    const stored = { id, kind, workspace, versions: [version] };
    this.#stored.set(id, stored);
    return this.#shown(stored, version);
  }

  #update(stored: Stored, { body, query }: LocalRequest): JsonObject {
    const version = versionOf(stored, query.get("version"));
    if (version.isPublished) {
      const what = stored.kind === "retell-llm" ? "LLM" : stored.kind.replaceAll("-", " ");
      throw new Refusal(400, `Cannot update published ${what}`);
    }
    const next = storedBody(stored.kind, body, version.body);
    this.#check(stored.kind, next, stored.workspace);
    const changed = { ...version, body: next, changed: this.#options.now() };
    stored.versions[stored.versions.indexOf(version)] = changed;
    return this.#shown(stored, changed);
  }

  #check(kind: RetellKind, body: JsonObject, workspace: string): void {
    const [fault] = retellFaults(kind, body, this.#options.strictSchema);
    if (fault !== undefined) throw new Refusal(400, fault);
    if (kind === "conversation-flow")
      for (const id of sharedComponents(body)) this.#find("conversation-flow-component", id, workspace);
    if (kind === "agent") {
      const engine = engineOf(body);
      if (!engine) throw new Refusal(400, "response_engine is required");
      versionOf(this.#find(engine.kind, engine.id, workspace), engine.version);
    }
    if (kind === "phone-number")
      for (const { agent_id: id, agent_version: version } of boundAgents(body)) {
        const agent = this.#find("agent", String(id), workspace);
        if (typeof version === "number") versionOf(agent, version);
      }
  }

  /** Copies a version of an agent, and the version of its engine, to new drafts. */
  #newVersion(agent: Stored, { base_version: from }: JsonObject): JsonObject {
    const base = agent.versions.find(({ number }) => number === from);
    if (!base) throw new Refusal(400, `Version ${String(from)} does not exist`);
    const engine = engineOf(base.body);
    const used = engine ? this.#stored.get(engine.id) : undefined;
    const number = Math.max(...[...agent.versions, ...(used?.versions ?? [])].map((each) => each.number)) + 1;
    const copy = { number, base: base.number, isPublished: false, changed: this.#options.now() };
    used?.versions.push({ ...copy, body: versionOf(used, engine?.version ?? null).body });
    const { response_engine: named } = base.body;
    const response_engine = { ...(isRecord(named) ? named : {}), version: number };
    const version = { ...copy, body: { ...base.body, response_engine } };
    agent.versions.push(version);
    return this.#shown(agent, version);
  }

  /** Publishes a version of an agent; it and the version of its engine can no longer be changed. */
  #publish(agent: Stored, { version: wanted, version_title: title }: JsonObject): void {
    const version = agent.versions.find(({ number }) => number === wanted);
    if (!version) throw new Refusal(400, `Version ${String(wanted)} does not exist`);
    const body = title === undefined ? version.body : { ...version.body, version_title: title };
    agent.versions[agent.versions.indexOf(version)] = { ...version, body, isPublished: true };
    const engine = engineOf(version.body);
    const used = engine ? this.#stored.get(engine.id) : undefined;
    if (!used) return;
    const frozen = versionOf(used, engine?.version ?? null);
    used.versions[used.versions.indexOf(frozen)] = { ...frozen, isPublished: true };
  }

  #delete(stored: Stored, isForced: boolean): void {
    const users = [...this.#stored.values()].filter(
      (each) => each.kind === "agent" && each.versions.some(({ body }) => engineOf(body)?.id === stored.id),
    );
    if (users.length > 0 && !isForced) throw new Refusal(400, `${stored.id} is used by ${users[0]?.id}`);
    this.#stored.delete(stored.id);
  }

  #list(kind: RetellKind, query: URLSearchParams, workspace: string): JsonObject {
    const all = [...this.#stored.values()].filter((each) => each.kind === kind && each.workspace === workspace);
    const start = all.findIndex(({ id }) => id === query.get("pagination_key")) + 1;
    const limit = Math.min(Number(query.get("limit") ?? 50), this.#options.maxPage);
    const page = all.slice(start, start + limit);
    const has_more = start + limit < all.length;
    return {
      items: page.map((stored) => this.#shown(stored, versionOf(stored, null))),
      has_more,
      ...(has_more ? { pagination_key: page.at(-1)?.id } : {}),
    };
  }

  #shown(stored: Stored, version: ResourceVersion): JsonObject {
    const linked = [...this.#stored.values()].filter(
      ({ kind, versions }) =>
        kind === "conversation-flow" && versions.some(({ body }) => sharedComponents(body).includes(stored.id)),
    );
    return shownVersion(
      stored,
      version,
      linked.map(({ id }) => id),
    );
  }

  #number(wanted: unknown): string {
    if (typeof wanted === "string" && wanted !== "") return wanted;
    return `+1415555${randomDigits(this.#options, 4, 10)}`;
  }
}

/** The agents that answer a number's calls and place them. */
function boundAgents({ inbound_agents: inbound, outbound_agents: outbound }: JsonObject): readonly JsonObject[] {
  return [inbound, outbound].flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []));
}

/**
 * Validates a document like Retell, with the messages of its API.
 *
 * @param isStrict Whether to reject keys that the published schema lacks.
 */
function retellFaults(kind: RetellKind, body: JsonObject, isStrict: boolean): readonly string[] {
  const root = Object.entries(ROOTS).find(([name]) => name === kind)?.[1];
  const unknown = isStrict && root ? unknownKeys(root, body) : [];
  return [...faultsOf(kind, body), ...unknown.map((path) => `${path} is not a known key`)];
}

function faultsOf(kind: RetellKind, body: JsonObject): readonly string[] {
  switch (kind) {
    case "agent":
      return typeof body.voice_id === "string" && body.voice_id !== "" ? [] : ["voice_id is required"];
    case "conversation-flow":
      return [...missing(body, retellTables().flow.required, "The flow"), ...nodeFaults(body)];
    case "conversation-flow-component":
      return [...missing(body, ["name", "nodes"], "The component"), ...nodeFaults(body)];
    case "retell-llm":
      return llmFaults(body);
    case "phone-number":
      return [];
  }
}

function nodeFaults(flow: JsonObject): readonly string[] {
  const nodes = records(flow.nodes);
  const { nodes: known, flow_tools: toolTypes, tools } = retellTables();
  const faults: string[] = [];
  if (flow.nodes !== undefined && !Array.isArray(flow.nodes)) faults.push("nodes must be array");
  const ids = new Set(nodes.map(({ id }) => id));
  for (const id of repeated(texts(nodes.map(({ id }) => id)))) faults.push(`Node id ${id} is used twice`);
  if (typeof flow.start_node_id === "string" && !ids.has(flow.start_node_id))
    faults.push(`start_node_id ${flow.start_node_id} does not exist`);
  for (const node of nodes) {
    const table = typeof node.type === "string" ? own(known, node.type) : undefined;
    if (table) faults.push(...missing(node, table.required, `Node ${node.id}`));
    else faults.push(`Node ${node.id}: type must be one of oneOf: ${Object.keys(known).join(", ")}`);
    for (const { destination_node_id: to } of records(node.finetune_transition_examples))
      if (typeof to === "string" && !ids.has(to))
        faults.push("Please remove or update finetune examples before deleting the associated node or edge");
  }
  for (const tool of records(flow.tools)) {
    const table = toolTypes.find((type) => type === tool.type);
    if (table) faults.push(...missing(tool, [...(own(tools, table)?.required ?? []), "tool_id"], `Tool ${tool.name}`));
    else faults.push(`Tool ${tool.name}: type must be one of ${toolTypes.join(", ")}`);
  }
  return [...faults, ...edgeFaults(nodes, ids)];
}

function edgeFaults(nodes: readonly JsonObject[], ids: ReadonlySet<unknown>): readonly string[] {
  const edges = nodes.flatMap((node) => edgesOf(node).map((edge) => ({ node, edge })));
  const twice = repeated(texts(edges.map(({ edge }) => edge.id)));
  const faults = [...twice].map((id) => `Edge id ${id} is used twice`);
  for (const { node, edge } of edges) {
    const { id, destination_node_id: to, transition_condition: condition } = edge;
    if (typeof to === "string" && !ids.has(to)) faults.push(`Edge ${id} leads to ${to}, which does not exist`);
    if (typeof to === "string" && to === node.id) faults.push(`Edge ${id} leads from ${to} to itself`);
    if (condition === undefined || condition === null) continue;
    const { type, equations } = isRecord(condition) ? condition : {};
    if (type !== "prompt" && type !== "equation")
      faults.push(`Edge ${id}: transition_condition must be of type prompt or equation`);
    else if (type === "equation" && !(Array.isArray(equations) && equations.every(isRecord)))
      faults.push(`Edge ${id}: equations must be objects`);
  }
  return faults;
}

function llmFaults(llm: JsonObject): readonly string[] {
  const { tools } = retellTables();
  const states = records(llm.states);
  const faults: string[] = [];
  for (const tool of [...records(llm.general_tools), ...states.flatMap((state) => records(state.tools))]) {
    const table = typeof tool.type === "string" ? own(tools, tool.type) : undefined;
    if (table) faults.push(...missing(tool, table.required, `Tool ${tool.name}`));
    else faults.push(`Tool ${tool.name}: type must be one of oneOf: ${Object.keys(tools).join(", ")}`);
  }
  const names = new Set(states.map(({ name }) => name));
  if (states.length > 0 && !names.has(llm.starting_state)) faults.push("starting_state must be one of the states");
  for (const state of states) {
    const targets = texts(records(state.edges).map((edge) => edge.destination_state_name));
    if (repeated(targets).size > 0) faults.push("Destination states must be unique for a particular state");
    for (const target of targets) if (!names.has(target)) faults.push(`State ${target} does not exist`);
  }
  return faults;
}

function missing(object: JsonObject, keys: readonly string[], what: string): readonly string[] {
  return keys
    .filter((key) => object[key] === undefined || object[key] === null)
    .map((key) => `${what} must have required property '${key}'`);
}

function edgesOf(node: JsonObject): readonly JsonObject[] {
  return EDGE_SLOTS.flatMap((key) => (Array.isArray(node[key]) ? records(node[key]) : records([node[key]])));
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

/** Returns the paths of keys, at any depth, that Retell's published schema lacks. */
function unknownKeys(root: "flow" | "llm" | "agent", body: JsonObject): readonly string[] {
  return findingsOf((report) => checkKeys(root, body, [], report)).map(({ path }) => path.join("."));
}
