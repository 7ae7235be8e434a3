import { isRecord, type JsonObject, own, recordAt, records, recordsAt } from "../../../src/base/values/mod.ts";
import type { AgentClient, CallRequest } from "../../../src/call/connection/mod.ts";
import { lookUp } from "../../talking/mod.ts";
import { GENERATED_GREETING } from "../traits/mod.ts";

/** What a connection needs to know of an assistant before it talks to it. */
export interface TelnyxAssistant {
  /** Id of the main version, which answers chats. */
  readonly version: string | undefined;
  readonly versionName: string | undefined;
  /** What it says first, with placeholders; `undefined` if a model makes the words, or the caller speaks first. */
  readonly greeting: string | undefined;
  /** Default values of variables. */
  readonly variables: JsonObject;
  /** Names of tools that do something outside of the call. `undefined`: they are not known. */
  readonly realTools: readonly string[] | undefined;
  /** Types of tools by the names that calls have. */
  readonly types: ReadonlyMap<string, string>;
}

const UNKNOWN: TelnyxAssistant = {
  ...{ version: undefined, versionName: undefined, greeting: undefined, variables: {}, realTools: undefined },
  types: new Map(),
};

/** Types that only change the conversation itself, or only read what is stored with the assistant. */
const INSIDE: readonly string[] = [
  ...["hangup", "handoff", "send_dtmf", "skip_turn", "update_dynamic_variables", "retrieval"],
];

/**
 * Looks an assistant up. Its answer has shared tools among its tools, and those of the nodes of its flow.
 *
 * @throws {ConnectionError}
 * @see https://developers.telnyx.com/api-reference/assistants/get-an-assistant
 */
export async function readTelnyxAssistant(
  { name, client }: { readonly name: string; readonly client: AgentClient },
  assistantId: string,
  request: CallRequest,
): Promise<TelnyxAssistant> {
  const path = `/ai/assistants/${encodeURIComponent(assistantId)}`;
  const inside = (found: JsonObject) => (isRecord(found.data) ? found.data : found);
  const found = await lookUp(client, { path }, request, { name, has: (each) => isText(inside(each).id) });
  if (!found) return UNKNOWN;
  const assistant = inside(found);
  const { version_id: version, version_name: versionName, greeting } = assistant;
  const nodes = recordsAt(assistant, ["conversation_flow", "nodes"]);
  const tools = [
    ...records(assistant.tools),
    ...nodes.flatMap(({ tools: own, tool }) => [...records(own), ...records([tool])]),
  ];
  const named = tools.map((tool) => ({ type: isText(tool.type) ? tool.type : "function", name: nameOf(tool) }));
  const others = [
    ...records(assistant.mcp_servers).map(({ id }) => `MCP server ${String(id)}`),
    ...records(assistant.integrations).map((each) => `integration ${String(each.integration_id ?? each.id)}`),
    ...records(assistant.a2a_agents).map(({ name }) => `agent ${String(name)}`),
  ];
  const isFixed = isText(greeting) && greeting.trim() !== "" && greeting.trim() !== GENERATED_GREETING;
  return {
    version: isText(version) ? version : undefined,
    versionName: isText(versionName) ? versionName : undefined,
    greeting: isFixed ? greeting : undefined,
    variables: recordAt(assistant, "dynamic_variables"),
    realTools: [...new Set([...named.filter(({ type }) => !INSIDE.includes(type)).map(({ name }) => name), ...others])],
    types: new Map(named.map(({ type, name }) => [name, type])),
  };
}

/** The name of a tool, which stands under its type; tools without one are called as their type. */
function nameOf(tool: JsonObject): string {
  const type = isText(tool.type) ? tool.type : "function";
  const names = [recordAt(tool, type).name, own(tool, "name"), own(tool, "display_name")];
  return names.filter(isText).find((name) => name !== "") ?? type;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
