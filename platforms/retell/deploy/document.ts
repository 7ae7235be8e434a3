import { DeployError } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, Names, omit, recordAt, records } from "../../../src/base/values/mod.ts";
import { addressOf, type Resource, type ResourceIds, referenceTo, unlinkIds } from "../../deploying/mod.ts";
import { retellFlow } from "../flow/mod.ts";
import { RETELL_SERVER_KEYS } from "../traits/mod.ts";

/** The engine that answers an agent's calls. */
export interface Engine {
  readonly kind: "conversation-flow" | "retell-llm";
  /** Key of the engine in an agent's document. */
  readonly key: string;
  /** Key of the engine's id. */
  readonly id: string;
}

export const ENGINES: readonly Engine[] = [
  { kind: "conversation-flow", key: "conversationFlow", id: "conversation_flow_id" },
  { kind: "retell-llm", key: "retellLlmData", id: "llm_id" },
];

/** Key of an agent that names its engine: `{ type, …_id, version? }`. */
export const ENGINE_KEY = "response_engine";

/** Kind of a shared component. */
export const COMPONENT_KIND = "conversation-flow-component";
const COMPONENT_ID = "conversation_flow_component_id";
const COMPONENT_KEYS = [COMPONENT_ID, "linked_conversation_flow_ids"];

/** A document in the form of the dashboard's export of an agent; a flow or a component alone is wrapped. */
export function openRetell(document: unknown): JsonObject {
  const body = retellFlow.shape?.open?.(document).body;
  if (isRecord(body) && ENGINES.some(({ key }) => isRecord(body[key]))) return body;
  throw new DeployError("Cannot deploy to Retell: the document has no conversation flow and no Retell LLM", {
    code: "not-deployable",
    hint: "Deploy a flow from code, or an agent's export",
  });
}

/** Splits a document: shared components, the engine, the agent. */
export function splitRetell(document: unknown): readonly Resource[] {
  const whole = openRetell(document);
  const engine = engineIn(whole);
  const body = recordAt(whole, engine.key);
  if (engine.key === "conversationFlow" && COMPONENT_KEYS.some((key) => Object.hasOwn(body, key)))
    return [resourceOf(COMPONENT_KIND, COMPONENT_KIND, body, body[COMPONENT_ID])];
  const { components, flow } = withoutShared(body);
  const agent = omit(whole, [...ENGINES.map(({ key }) => key), ENGINE_KEY]);
  const main = resourceOf(engine.kind, engine.kind, flow, body[engine.id]);
  // an engine that was imported without an agent is deployed without one
  if (Object.keys(agent).length === 0) return [...components, main];
  const named = { ...agent, [ENGINE_KEY]: { type: engine.kind, [engine.id]: referenceTo(engine.kind) } };
  return [...components, main, resourceOf("agent", "agent", named, whole.agent_id)];
}

/** Joins resources into the form of the dashboard's export. Shared components are put into the flow. */
export function joinRetell(resources: readonly Resource[]): unknown {
  const agent = resources.find(({ kind }) => kind === "agent");
  const engine = ENGINES.find(({ kind }) => resources.some((each) => each.kind === kind));
  const found = resources.find(({ kind }) => kind === engine?.kind);
  const components = resources
    .filter(({ kind }) => kind === COMPONENT_KIND)
    .map((each) => ({ ...each.body, [COMPONENT_ID]: each.id ?? referenceTo(addressOf(each)) }));
  if (!engine || !found)
    return components[0] ? { conversationFlow: components[0], ...agent?.body } : { ...agent?.body };
  const id = found.id === undefined ? {} : { [engine.id]: found.id };
  const all = components.length > 0 ? { components: [...records(found.body.components), ...components] } : {};
  return {
    ...agent?.body,
    ...(agent?.id === undefined ? {} : { agent_id: agent.id }),
    ...(agent ? { [ENGINE_KEY]: { type: engine.kind, ...id } } : {}),
    [engine.key]: { ...found.body, ...all, ...id },
  };
}

/** The engine that an agent's document selects: exports may contain both. */
function engineIn(whole: JsonObject): Engine {
  const { type } = recordAt(whole, ENGINE_KEY);
  const present = ENGINES.filter(({ key }) => isRecord(whole[key]));
  const [first = { kind: "conversation-flow", key: "conversationFlow", id: "conversation_flow_id" }] = present;
  return present.find(({ kind }) => kind === type) ?? first;
}

/** Takes shared components out of a flow. */
function withoutShared(flow: JsonObject): { readonly components: readonly Resource[]; readonly flow: JsonObject } {
  const shared = new Set(sharedIds(flow));
  const names = new Names([COMPONENT_KIND], { joint: "#" });
  const components: Resource[] = [];
  const local = records(flow.components).filter((component) => {
    const id = component[COMPONENT_ID];
    if (typeof id !== "string" || !shared.has(id)) return true;
    components.push(resourceOf(COMPONENT_KIND, names.take(String(component.name ?? "")), component, id));
    return false;
  });
  if (components.length === 0) return { components, flow };
  const ids: ResourceIds = Object.fromEntries(
    components.flatMap((each) => (each.id === undefined ? [] : [[addressOf(each), each.id] as const])),
  );
  return {
    components: components.map((each) => ({ ...each, body: unlinkIds(each.body, ids) })),
    flow: unlinkIds({ ...flow, components: local }, ids),
  };
}

/** The shared components that nodes of a flow, and of its components, reference. */
export function sharedIds(flow: JsonObject): readonly string[] {
  const nodes = [flow, ...records(flow.components)].flatMap((each) => records(each.nodes));
  return nodes.flatMap(({ type, component_type: kind, component_id: id }) =>
    type === "component" && kind === "shared" && typeof id === "string" ? [id] : [],
  );
}

function resourceOf(kind: string, name: string, body: JsonObject, id: unknown): Resource {
  const isId = typeof id === "string" && id !== "" && !id.startsWith(referenceTo(""));
  return { kind, name, ...(isId ? { id } : {}), body: omit(body, RETELL_SERVER_KEYS) };
}
