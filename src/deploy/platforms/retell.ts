import { DeployError } from "../../errors.ts";
import { isRecord, type JsonObject, recordAt } from "../../values/mod.ts";
import type { PlatformClient } from "../http/mod.ts";
import type { RemoteResource, ResourceIds } from "../resources/mod.ts";
import { type Adapter, addressOf, type WriteOptions } from "./adapter.ts";
import { changedKeys, sendForObject } from "./requests.ts";
import { COMPONENT, ENGINES, type Engine, joinRetell, openRetell, sharedIds, splitRetell } from "./retell_document.ts";
import { retellNumbers } from "./retell_numbers.ts";
import { asRetell, getRetell, idKey, listRetell, numberOf, words } from "./retell_requests.ts";

/** Retell: an agent, the conversation flow or LLM that answers its calls, and the flow's shared components. */
export const retell: Adapter = {
  name: "retell",
  kinds: [COMPONENT, ...ENGINES.map(({ kind }) => kind), "agent"],
  open: openRetell,
  split: splitRetell,
  join: joinRetell,
  read,
  prepare: async (client, remote) => {
    const agent = remote.find(({ kind }) => kind === "agent");
    if (!agent?.isPublished) return remote;
    // a published version cannot be changed; the new draft has an engine version of its own
    await client.send({
      method: "POST",
      path: `/create-agent-version/${encodeURIComponent(agent.id)}`,
      body: { base_version: agent.version },
      about: `a new version of agent ${agent.id}`,
    });
    return await read(client, Object.fromEntries(remote.map((each) => [addressOf(each), each.id])));
  },
  write: async (client, resource, options) => {
    const { kind } = resource;
    const { remote } = options;
    const whole = kind === "agent" ? withEngine(resource.body, options) : resource.body;
    const body = remote ? changedKeys(remote.body, whole) : whole;
    if (remote && Object.keys(body).length === 0) return remote;
    const answer = await sendForObject(client, {
      method: remote ? "PATCH" : "POST",
      path: remote ? `/update-${kind}/${encodeURIComponent(remote.id)}` : `/create-${kind}`,
      query: { version: numberOf(remote?.version) },
      body,
      about: remote ? `${words(kind)} ${remote.id}` : `a new ${words(kind)}`,
    });
    return asRetell(kind, resource.name, answer);
  },
  publish: async (client, written) => {
    const agent = written.find(({ kind }) => kind === "agent");
    if (!agent || agent.isPublished) return;
    const about = `publishing agent ${agent.id}`;
    await client.send({
      method: "POST",
      path: `/publish-agent-version/${encodeURIComponent(agent.id)}`,
      body: { version: agent.version },
      about,
    });
    const now = await getRetell(client, "agent", agent.id, numberOf(agent.version));
    if (now?.is_published === true) return;
    // according to one report, publishing was answered with 200 and published nothing
    throw new DeployError(`${about}: version ${agent.version} is still a draft`, {
      code: "platform-refused",
      hint: "Publish the version in the dashboard",
    });
  },
  remove: async (client, { kind, id }) => {
    const about = `${words(kind)} ${id}`;
    await client.send({ method: "DELETE", path: `/delete-${kind}/${encodeURIComponent(id)}`, about });
  },
  list: async (client, kind) =>
    (await listRetell(client, kind)).map((item) => ({
      id: String(item[idKey(kind)]),
      name: String(item.agent_name ?? item.name ?? ""),
    })),
  find: async (client, id) => {
    const found = await read(client, { [kindOf(id)]: id });
    const [root] = found.slice(-1);
    if (!root) {
      throw new DeployError(`Cannot read ${id}: the workspace has no such agent, flow or Retell LLM`, {
        code: "platform-missing",
        hint: "Check the id, and the key of the environment",
      });
    }
    if (root.kind === "agent" && found.length === 1) {
      throw new DeployError(`Cannot adopt agent ${id}: it has neither a conversation flow nor a Retell LLM`, {
        code: "not-deployable",
        hint: "Pass the id of an agent with a conversation flow or a Retell LLM",
      });
    }
    const flow = found.find(({ kind }) => kind === "conversation-flow");
    const components: RemoteResource[] = [];
    for (const shared of new Set(flow ? sharedIds(flow.body) : [])) {
      const answer = await getRetell(client, COMPONENT, shared);
      if (answer) components.push(asRetell(COMPONENT, shared, answer));
    }
    // names come from the document
    return Object.fromEntries(
      splitRetell(joinRetell([...components, ...found])).flatMap((each) =>
        each.id === undefined ? [] : [[addressOf(each), each.id] as const],
      ),
    );
  },
  workspaceOf: async () => undefined, // Retell's responses do not contain the workspace
  numbers: retellNumbers,
};

/** The kind of a resource, from the prefix of its id. Ids of older agents have none. */
function kindOf(id: string): string {
  if (id.startsWith("conversation_flow_component_")) return COMPONENT;
  if (id.startsWith("conversation_flow_")) return "conversation-flow";
  return id.startsWith("llm_") ? "retell-llm" : "agent";
}

/** Reads the components, the engine in the version that the agent uses, and the agent. */
async function read(client: PlatformClient, ids: ResourceIds): Promise<readonly RemoteResource[]> {
  const found: RemoteResource[] = [];
  for (const [address, id] of Object.entries(ids)) {
    const [kind = "", name = kind] = address.split(/:(.*)/s);
    const component = kind === COMPONENT ? await getRetell(client, COMPONENT, id) : undefined;
    if (component) found.push(asRetell(COMPONENT, name, component));
  }
  const agent = ids.agent === undefined ? undefined : await getRetell(client, "agent", ids.agent);
  const running = agent ? runningEngine(agent) : undefined;
  for (const engine of ENGINES) {
    // without its agent: creation was interrupted, or the agent was deleted since
    const id = agent ? (running?.engine === engine ? running.id : undefined) : ids[engine.kind];
    const answer = id === undefined ? undefined : await getRetell(client, engine.kind, id, running?.version);
    if (answer) found.push(asRetell(engine.kind, engine.kind, answer));
  }
  return agent ? [...found, asRetell("agent", "agent", agent)] : found;
}

function runningEngine(agent: JsonObject): { engine: Engine; id: string; version?: number } | undefined {
  const response = recordAt(agent, "response_engine");
  const engine = ENGINES.find(({ kind }) => kind === response.type);
  const id = engine && isRecord(response) ? response[engine.id] : undefined;
  const version = numberOf(response.version);
  return engine && typeof id === "string" ? { engine, id, ...(version === undefined ? {} : { version }) } : undefined;
}

/** The agent's body with the id of the engine written before it. */
function withEngine(body: JsonObject, { written }: WriteOptions): JsonObject {
  const found = [...written.values()].find(({ kind }) => ENGINES.some((engine) => engine.kind === kind));
  const engine = ENGINES.find(({ kind }) => kind === found?.kind);
  if (!engine || !found) return body;
  return { ...body, response_engine: { type: engine.kind, [engine.id]: found.id, version: found.version } };
}
