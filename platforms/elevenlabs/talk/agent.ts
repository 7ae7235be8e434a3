import { isRecord, type JsonObject, jsonOrText, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import {
  type AgentClient,
  type AgentTool,
  type CallRequest,
  ConnectionError,
} from "../../../src/call/connection/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import { mockText } from "../../talking/mod.ts";

/** What a connection needs to know of an agent before it talks to it. */
export interface ElevenLabsAgent {
  /** The version that answers; `undefined` if it is not known. */
  readonly version: string | undefined;
  /** Whether the agent speaks first; `undefined` if it is not known. */
  readonly opens: boolean | undefined;
  /** Whether it has a workflow with nodes. */
  readonly hasNodes: boolean;
  /** Whether all its conversations are text only. */
  readonly isTextOnly: boolean;
  /** Its tools that do something outside of the call; `undefined` if they are not known. */
  readonly tools: readonly AgentTool[] | undefined;
  /** Names of tools that the agent calls without waiting for an answer: no words need to follow them. */
  readonly unanswered: ReadonlySet<string>;
}

/** Which agent is meant. */
export interface AgentPlace {
  readonly agentId: string;
  readonly branchId?: string | undefined;
  readonly version?: string | undefined;
}

const UNKNOWN: ElevenLabsAgent = {
  version: undefined,
  opens: undefined,
  hasNodes: false,
  isTextOnly: false,
  tools: undefined,
  unanswered: new Set(),
};

/**
 * Looks an agent up, with its tools and the mocks that are stored on them.
 *
 * @throws {ConnectionError}
 */
export async function readElevenLabsAgent(
  client: AgentClient,
  { agentId, branchId, version }: AgentPlace,
  request: CallRequest,
): Promise<ElevenLabsAgent> {
  const read = async (path: string, query: { readonly [name: string]: string | undefined } = {}) => {
    try {
      const found = await client.send({ path, query }, request);
      return isRecord(found) ? found : undefined;
    } catch (error) {
      // a proxy may pass on the conversation alone; for an agent that does not exist, the signed URL says so
      if (error instanceof ConnectionError && MISSING.includes(error.kind)) return undefined;
      throw error;
    }
  };
  const agent = await read(`/v1/convai/agents/${encodeURIComponent(agentId)}`, {
    version_id: version,
    branch_id: branchId,
  });
  if (!agent) return { ...UNKNOWN, version };
  const config = recordAt(agent, "conversation_config");
  const { prompt, first_message: first } = recordAt(config, "agent");
  const nodes = nodesOf(agent);
  const tools = new Map<string, AgentTool>();
  const unanswered = new Set<string>();
  const add = (config: JsonObject, mocks?: readonly JsonObject[]) => {
    const tool = toolOf(config, mocks ?? []);
    if (tool) tools.set(tool.name, tool);
    if (tool && config.type === "client" && config.expects_response !== true) unanswered.add(tool.name);
  };
  // the server writes out the tools of `tool_ids` here, without their mocks
  if (isRecord(prompt)) for (const tool of records(prompt.tools)) add(tool);
  for (const id of toolIds(isRecord(prompt) ? prompt : {}, nodes)) {
    const stored = await read(`/v1/convai/tools/${encodeURIComponent(id)}`);
    if (stored) add(recordAt(stored, "tool_config"), records(stored.response_mocks));
  }
  return {
    version: typeof agent.version_id === "string" ? agent.version_id : version,
    opens: (typeof first === "string" && first !== "") || startsSpeaking(agent, nodes),
    hasNodes: [...nodes.values()].some(({ type }) => type !== "start"),
    isTextOnly: recordAt(config, "conversation").text_only === true,
    tools: [...tools.values()],
    unanswered,
  };
}

const MISSING: readonly string[] = ["unknown-agent", "refused"];

function nodesOf(agent: JsonObject): ReadonlyMap<string, JsonObject> {
  const { nodes } = recordAt(agent, "workflow");
  const all = isRecord(nodes) ? Object.entries(nodes) : [];
  return new Map(all.flatMap(([id, node]) => (isRecord(node) ? [[id, node] as const] : [])));
}

/** Whether the first node after the start speaks without waiting: a `say` node, or one that generates at once. */
function startsSpeaking(agent: JsonObject, nodes: ReadonlyMap<string, JsonObject>): boolean {
  const { edges } = recordAt(agent, "workflow");
  const start = [...nodes].find(([, { type }]) => type === "start")?.[0];
  const first = isRecord(edges)
    ? Object.values(edges).find((edge) => isRecord(edge) && start !== undefined && edge.source === start)
    : undefined;
  const node = isRecord(first) && typeof first.target === "string" ? nodes.get(first.target) : undefined;
  return node?.type === "say" || node?.entry_behavior === "generate_immediately";
}

function toolIds(prompt: JsonObject, nodes: ReadonlyMap<string, JsonObject>): readonly string[] {
  const lists = [
    prompt.tool_ids,
    ...[...nodes.values()].map(({ additional_tool_ids: ids }) => ids),
    ...[...nodes.values()].map(({ tools }) => records(tools).map(({ tool_id: id }) => id)),
  ];
  const ids = lists.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  return [...new Set(ids.filter((id) => typeof id === "string"))];
}

/** A tool as runs see it. Those of the client are answered by us, all others by the mocks that are stored on them. */
function toolOf({ type, name }: JsonObject, mocks: readonly JsonObject[]): AgentTool | undefined {
  if (typeof name !== "string" || type === "system") return undefined;
  if (type === "client") return { name, isMockable: true };
  const stored = mocks.map(({ mock_result: result }) => JSON.stringify(result)).join(", ");
  return {
    name,
    isMockable: mocks.length > 0,
    runs: false,
    answersLike: (given) => areAlike(given, mocks),
    whyNot:
      stored === ""
        ? `tool "${name}" has no mock on ElevenLabs, where its answers are kept`
        : `tool "${name}" answers on ElevenLabs with ${stored}, which is not what the scenario has`,
  };
}

/** Whether mocks of a scenario and those stored on a tool answer alike: one by one, with the same conditions. */
function areAlike(given: readonly ToolMock[], stored: readonly JsonObject[]): boolean {
  return (
    given.length === stored.length &&
    given.every((mock, at) => {
      const { mock_result: result, is_error: isError = false, parameter_conditions: conditions } = stored[at] ?? {};
      // a mock on the platform is never used up
      if (typeof mock.times === "number" || isError !== !mock.result) return false;
      return (
        sameJson(jsonOrText(mockText(mock)), jsonOrText(result)) && sameJson(argsOf(mock), conditionsOf(conditions))
      );
    })
  );
}

function argsOf({ input_match_rule: rule }: ToolMock): JsonObject {
  const args = rule.type === "any" ? {} : rule.args;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
}

/** Exact conditions by the name of the parameter; `null` for a condition that a scenario does not have. */
function conditionsOf(conditions: unknown): JsonObject {
  const all = records(conditions).filter((condition) => recordAt(condition, "eval").type !== "anything");
  return Object.fromEntries(
    all.map((condition) => {
      const { type, expected_value: value } = recordAt(condition, "eval");
      return [String(condition.path).replace(/^\$\./, ""), type === "exact" ? value : null];
    }),
  );
}
