import type { StudioRouteName } from "../../../../src/surface/studio/api/mod.ts";
import type { Answer, FixtureAgent } from "./_studio_data.ts";

interface Asked {
  readonly path: { readonly [name: string]: string };
  // biome-ignore lint/suspicious/noExplicitAny: bodies are those that the page sends; the schemas check them
  readonly body: any;
}

/** Chats in which the agent repeats what it hears. */
export function createChats(agents: readonly FixtureAgent[]) {
  let before: Answer<"chat">[] = [];
  let chat: Answer<"chat"> | undefined;
  const message = (role: "user" | "assistant", content: string, node: string) => ({
    role,
    content,
    node_id: node,
    timestamp: "2026-01-05T10:00:00.000Z",
    metadata: {},
  });
  const step = (next: Answer<"chat">) => {
    if (chat) before = [...before, chat];
    chat = next;
    return chat;
  };
  const answers: { readonly [Name in StudioRouteName]?: (asked: Asked) => unknown } = {
    createChat: ({ body }) => {
      const agent = agents.find(({ id }) => id === body.agent);
      const node = agent?.graph.entry_node_id ?? "";
      before = [];
      chat = {
        id: "chat-1",
        agent: body.agent,
        model: "offline",
        offline: body.connection === undefined,
        connection: body.connection ?? null,
        node,
        transcript: [message("assistant", "Hello, how can I help?", node)],
        nodesVisited: [node],
        variables: {},
        endReason: null,
        steps: [],
      };
      return chat;
    },
    chat: () => chat,
    undoChat: () => {
      chat = before.at(-1) ?? chat;
      before = before.slice(0, -1);
      return chat;
    },
    setInChat: ({ body }) =>
      chat &&
      step({
        ...chat,
        variables: { ...chat.variables, [body.name]: body.value },
        steps: [...chat.steps, { kind: "set", what: body.name }],
      }),
    gotoInChat: ({ body }) =>
      chat && step({ ...chat, node: body.node, steps: [...chat.steps, { kind: "goto", what: body.node }] }),
    whyInChat: () => ({
      decisions: [
        {
          node: chat?.node ?? "",
          to: null,
          because: "no condition held",
          reasoning: "The caller has only said hello.",
          considered: [
            { target: chat?.node ?? "", kind: "llm", condition: "Caller asks for an order", outcome: "did not hold" },
          ],
        },
      ],
    }),
  };
  return {
    answers,
    say: async function* (_id: string, text: string) {
      if (!chat) return;
      for (const token of ["You said: ", text]) yield { type: "token", text: token };
      const reply = message("assistant", `You said: ${text}`, chat.node);
      yield { type: "message", message: reply };
      step({
        ...chat,
        transcript: [...chat.transcript, message("user", text, chat.node), reply],
        steps: [...chat.steps, { kind: "said", what: text }],
      });
      yield { type: "turn", chat };
    },
  };
}
