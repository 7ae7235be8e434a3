import { defined, isRecord, isTexts, type JsonObject, rule, shown } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentClient,
  type AgentConnection,
  type AgentEvent,
  type AgentTurn,
  type CallRequest,
  ConnectionError,
  connectionFailure,
  createAgentClient,
  type OpenOptions,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { AGENT_ID, type AgentOptions, checkTalkOptions, endpointOf } from "../../talking/mod.ts";
import { BLAND_CONNECTION, SILENT } from "../traits/mod.ts";
import { type BlandPathway, readBlandPathway } from "./pathway.ts";

/** Options of `connect.bland()`. */
export interface BlandOptions extends AgentOptions {
  readonly pathwayId: string;
  /** Number of the pathway's version. Default: the one in production. */
  readonly version?: string;
  /** Id of the node at which calls start. Default: the pathway's start node. */
  readonly startNodeId?: string;
}

const RULES = {
  pathwayId: AGENT_ID,
  startNodeId: AGENT_ID,
  version: rule('the number of a version, such as "3"', (value) => typeof value === "string" && /^\d+$/.test(value)),
};

/** The default limit of requests of an organization; its unit is not documented. */
const MAX_CALLS = 5;

/**
 * Connects to a pathway of Bland in text, by the platform's chat. It names the node and has all variables each turn.
 * Webhooks and tools run: Bland takes no mocks, and does not report tool calls.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function blandConnection(given: BlandOptions): AgentConnection {
  const options = checkTalkOptions(given, RULES, { pathwayId: '"…"' });
  const { pathwayId, version, startNodeId, name = `bland:${pathwayId}` } = options;
  const client = createAgentClient(name, endpointOf(options, BLAND_CONNECTION));
  const look = (request: CallRequest) => readBlandPathway({ name, client }, { pathwayId, version }, request);
  const connectionTo = (pathway?: BlandPathway): AgentConnection => ({
    name,
    ...defined({ version, nodes: pathway?.nodes }),
    maxCalls: MAX_CALLS,
    capabilities: {
      ...TEXT_ONLY,
      // without the list of nodes that turns can end at, nobody knows which ones are passed unseen
      nodeEachTurn: pathway ? pathway.nodes !== undefined : true,
      opening: true,
      startVariables: true,
      variables: true,
      endSignal: true,
      transferSignal: pathway ? pathway.nodes !== undefined : true,
      version: true,
    },
    ...(pathway?.realTools ? { tools: pathway.realTools.map((tool) => ({ name: tool, isMockable: false })) } : {}),
    prepare: async (request) => connectionTo(await look(request)),
    open: async (open) => {
      const known = pathway ?? (await look(open));
      return await openChat({ name, pathwayId, version, startNodeId, client, open, pathway: known });
    },
  });
  return connectionTo();
}

/** What a call is made of. */
interface ChatParts {
  readonly name: string;
  readonly pathwayId: string;
  readonly version: string | undefined;
  readonly startNodeId: string | undefined;
  readonly client: AgentClient;
  readonly pathway: BlandPathway;
  readonly open: OpenOptions;
}

async function openChat(parts: ChatParts): Promise<AgentCall> {
  const { name, pathwayId, version, startNodeId, open } = parts;
  const body = {
    pathway_id: pathwayId,
    ...defined({ start_node_id: startNodeId, pathway_version: version === undefined ? undefined : Number(version) }),
    ...(Object.keys(open.variables).length > 0 ? { request_data: open.variables } : {}),
  };
  const { chat_id: chatId } = await send(parts, "/v1/pathway/chat/create", body);
  if (typeof chatId !== "string" || chatId === "")
    throw connectionFailure(name, "vendor", "its answer has no id of the chat");
  let answered: string | undefined;
  const take = async (text?: string): Promise<AgentTurn> => {
    const data = await send(parts, `/v1/pathway/chat/${encodeURIComponent(chatId)}`, defined({ message: text }));
    answered = versionOf(data, parts) ?? answered;
    return readTurn(data, parts);
  };
  return {
    opening: await opening(take),
    say: take,
    close: async () => defined({ callId: chatId, version: answered ?? version }),
  };
}

/**
 * What the pathway says first. The message of a request can be left out, but what is answered then is not documented: if
 * it is refused, or nothing is said, the caller begins.
 */
async function opening(take: () => Promise<AgentTurn>): Promise<AgentTurn> {
  try {
    return await take();
  } catch (error) {
    if (error instanceof ConnectionError && error.kind === "refused") return { events: [] };
    throw error;
  }
}

/** Sends a request, and returns the data of its answer. Some refusals have the status 200 and a list of errors. */
async function send({ name, client, open }: ChatParts, path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await client.send({ path, body }, open);
  const { data, errors } = isRecord(answer) ? answer : {};
  if (Array.isArray(errors) ? errors.length > 0 : Boolean(errors))
    throw connectionFailure(
      name,
      "refused",
      `it answers ${client.withoutSecrets(JSON.stringify(errors)).slice(0, 200)}`,
    );
  if (isRecord(data)) return data;
  throw connectionFailure(name, "vendor", "its answer has no data");
}

/** The version that answered, if the answer has it. Another one than was asked for is an error. */
function versionOf({ pathway_version: given }: JsonObject, { name, version }: ChatParts): string | undefined {
  if (given === undefined || given === null) return undefined;
  const found = String(given);
  if (version === undefined || found === version) return found;
  throw connectionFailure(name, "vendor", `version ${found} answered, not version ${version}`);
}

function readTurn(data: JsonObject, { name, pathway }: ChatParts): AgentTurn {
  const wrong = (what: string) => connectionFailure(name, "vendor", `its answer has ${what}`);
  const { assistant_responses: texts, current_node_id: node, variables, completed } = data;
  if (!isTexts(texts)) throw wrong("no list of texts as assistant_responses");
  if (typeof node !== "string" || node === "") throw wrong("no current_node_id");
  if (!isRecord(variables)) throw wrong(`${shown(variables)} as variables`);
  if (typeof completed !== "boolean") throw wrong(`${shown(completed)} as completed`);
  const said = texts.filter((text) => text.trim() !== SILENT);
  // the words may be of a node before: what answers tell is where the turn ended
  const events: readonly AgentEvent[] = [
    { kind: "node", node },
    ...said.map((text) => ({ kind: "says", text }) as const),
  ];
  const ended = pathway.transfers.has(node) ? "agent_transferred" : "agent_ended";
  return { events, variables, ...(completed ? { ended } : {}) };
}
