import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { type Answer, startServer, type TakenRequest, type TestServer } from "../../../call/connection/_server.ts";
import { replayTurn } from "../../connections/_brain.ts";
import { DESK_TOOLS } from "../../connections/_tools.ts";

/** How a server differs from the usual one. */
export interface BlandServerOptions {
  /** What a request without a message is answered with; it is not documented. Default: the opening. */
  readonly empty?: "opening" | "nothing" | "refused" | "errors";
  /** Whether the server answers look-ups; a proxy may pass on only chats. Default: true. */
  readonly looksUp?: boolean;
  /** Whether answers name the version. Default: only if one was asked for. */
  readonly answersVersion?: string;
  /** Changes the agent's words. */
  readonly words?: (text: string) => string;
  /** Answers in place of the usual ones, by the number of the request; `undefined`: the usual one. */
  readonly instead?: (request: TakenRequest, number: number) => Answer | undefined;
}

export const PATHWAY_ID = "pathway-1";

const TYPES: { readonly [type: string]: string } = {
  logic: "Route",
  function: "Webhook",
  end: "End Call",
  transfer: "Transfer Call",
};

/** The help desk as a pathway (CINTELLILABS/docs, the pages on pathways): silent nodes are passed within a turn. */
export const PATHWAY = {
  name: "desk",
  description: null,
  nodes: [
    ...Object.values(helpDesk.nodes).map(({ id, node_type: type, global_node_setting: global }) => ({
      id,
      type: TYPES[type] ?? "Default",
      data: {
        name: `The node ${id}`,
        ...(id === helpDesk.entry_node_id ? { isStart: true } : {}),
        ...(type === "extract" ? { text: ".", modelOptions: { skipUserResponse: true } } : {}),
        ...(global ? { isGlobal: true, enableGlobalAutoReturn: false } : {}),
      },
    })),
    { globalConfig: { globalPrompt: "You answer the phone." }, position: { x: 0, y: 0 } },
  ],
  edges: [],
};

interface State {
  readonly said: string[];
  readonly variables: { readonly [name: string]: unknown };
  readonly version: number | undefined;
}

/** A server that behaves as Bland's pathway chat is described. It runs webhooks itself. */
export async function startBland(options: BlandServerOptions = {}): Promise<TestServer> {
  const { empty = "opening", looksUp = true, answersVersion, words = (text) => text, instead } = options;
  const states = new Map<string, State>();
  return await startServer(async (request, number): Promise<Answer> => {
    const other = instead?.(request, number);
    if (other) return other;
    const { method, url, body } = request;
    if (method === "GET") {
      const [, version] = new RegExp(`^/v1/pathway/${PATHWAY_ID}(?:/version/(\\d+))?$`).exec(url) ?? [];
      const isKnown = looksUp && (url === `/v1/pathway/${PATHWAY_ID}` || version !== undefined);
      return isKnown ? { json: { ...PATHWAY, ...(version ? { version_number: Number(version) } : {}) } } : missing;
    }
    if (url === "/v1/pathway/chat/create") {
      if (body.pathway_id !== PATHWAY_ID) return missing;
      const id = `chat-${states.size + 1}`;
      states.set(id, { said: [], variables: body.request_data ?? {}, version: body.pathway_version });
      return ok({ chat_id: id, message: "Chat instance created successfully", variables: body.request_data ?? null });
    }
    const id = url.split("/").at(-1) ?? "";
    const state = states.get(id);
    if (!state) return missing;
    const { said, variables, version } = state;
    const isOpening = body.message === undefined;
    if (isOpening && empty === "refused")
      return { status: 400, json: { data: null, errors: [{ message: "no message" }] } };
    if (isOpening && empty === "errors")
      return { json: { data: null, errors: [{ error: "MISSING", message: "no message" }] } };
    if (!isOpening) said.push(body.message);
    const turn = await replayTurn(said, { mocks: DESK_TOOLS, variables });
    // a pathway that did not open says the words of its start node in its first answer
    const first = said.length === 1 && empty !== "opening" ? (await replayTurn([], { variables })).events : [];
    const texts = [...first, ...turn.events].flatMap((event) => (event.kind === "says" ? [words(event.text)] : []));
    return ok({
      chat_id: id,
      assistant_responses: isOpening && empty === "nothing" ? [] : [...texts, "."],
      current_node_id: turn.node,
      current_node_name: `The node ${turn.node}`,
      chat_history: [],
      pathway_id: PATHWAY_ID,
      pathway_version: answersVersion ?? version ?? null,
      variables: { ...variables, ...turn.variables, callID: id },
      completed: turn.ended !== undefined,
    });
  });
}

const ok = (data: object): Answer => ({ json: { data, errors: null } });
const missing: Answer = { status: 404, json: { data: null, errors: [{ error: "NOT_FOUND", message: "Not found" }] } };
