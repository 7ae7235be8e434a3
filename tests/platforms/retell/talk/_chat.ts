import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emit } from "../../../../mod.ts";
import { type Answer, startServer, type TakenRequest, type TestServer } from "../../../call/connection/_server.ts";
import { type Brain, startBrain } from "../../connections/_brain.ts";
import { TOOLS } from "../../livekit/talk/_workers.ts";
import { messagesOf } from "./_playground.ts";

export const CHAT_AGENT_ID = "agent_chat";
const VERSION = 7;

/** A server that has a chat agent of Retell, as its API is described: it keeps the chats, and the tools run there. */
export async function startChats(
  instead: (request: TakenRequest) => Answer | undefined = () => undefined,
): Promise<TestServer> {
  const { conversationFlow } = JSON.parse(emit(helpDesk, "retell").text);
  const chats = new Map<string, { readonly brain: Brain; status: string; turns: number }>();
  return await startServer(async (request): Promise<Answer> => {
    const other = instead(request);
    if (other) return other;
    const { pathname } = new URL(request.url, "http://server");
    if (pathname === `/get-chat-agent/${CHAT_AGENT_ID}`) {
      const response_engine = { type: "conversation-flow", conversation_flow_id: "flow_1", version: VERSION };
      return { json: { agent_id: CHAT_AGENT_ID, version: VERSION, response_engine } };
    }
    if (pathname === "/get-conversation-flow/flow_1") return { json: conversationFlow };
    if (pathname === "/create-chat") {
      const { agent_id, agent_version, retell_llm_dynamic_variables: variables } = request.body;
      if (agent_id !== CHAT_AGENT_ID || agent_version !== VERSION)
        return { status: 404, json: { message: "no agent" } };
      const brain = startBrain({ mocks: TOOLS, variables });
      const chat_id = `chat_${chats.size + 1}`;
      chats.set(chat_id, { brain, status: "ongoing", turns: 0 });
      const { events } = await brain.open();
      const messages = events.flatMap((event, at) => messagesOf(event, `tool_0_${at}`, "m"));
      return { json: { chat_id, chat_status: "ongoing", message_with_tool_calls: messages } };
    }
    const id = pathname.startsWith("/create-chat-completion") ? request.body.chat_id : pathname.split("/").at(-1);
    const chat = chats.get(id);
    if (!chat) return { status: 404, json: { message: "no chat" } };
    if (pathname.startsWith("/get-chat/")) return { json: { chat_id: id, chat_status: chat.status } };
    if (pathname.startsWith("/end-chat/")) {
      chat.status = "ended";
      return { status: 204 };
    }
    const { events, ended } = await chat.brain.hear(request.body.content);
    chat.turns += 1;
    if (ended) chat.status = "ended";
    return { json: { messages: events.flatMap((event, at) => messagesOf(event, `tool_${chat.turns}_${at}`, "m")) } };
  });
}
