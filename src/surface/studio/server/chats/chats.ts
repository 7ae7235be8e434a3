import { randomUUID } from "node:crypto";
import { StudioError } from "../../../../base/errors.ts";
import { createRedactor } from "../../../../base/redaction/mod.ts";
import { own, recordAt } from "../../../../base/values/mod.ts";
import type { AgentGraph } from "../../../../document/graph/mod.ts";
import type { Message } from "../../../../document/transcript/mod.ts";
import { type ChatListeners, ChatSession, consideredIn, type PreparedChat } from "../../../chat/mod.ts";
import type { StudioAnswer, StudioChat, StudioChatEvent } from "../../api/mod.ts";
import { errorAnswer, unknownThing } from "../answers.ts";
import { type ConnectedBeginning, ConnectedChat, onlyWithGraph, refuseConnection } from "./connected_chat.ts";

/** How a chat begins: the agent as it is now, the prompts that are tried, and where the variables come from. */
export interface ChatBeginning {
  readonly graph: AgentGraph;
  readonly name: string;
  readonly scenario: string | undefined;
  readonly variables: { readonly [name: string]: string };
}

/** Prepares the calls of a chat: the model, the tools and the mocks. */
export type PrepareChat = (beginning: ChatBeginning, signal: AbortSignal) => Promise<PreparedChat>;

/** The chats of a server. Each belongs to who has started it. */
export interface Chats {
  readonly create: (
    beginning: ChatBeginning & { readonly prompts: { readonly [node: string]: string } },
    owner: string,
  ) => Promise<StudioChat>;
  /**
   * Starts a chat with a deployed agent.
   *
   * @throws {StudioError} `real-tools`, `missing-capability`.
   */
  readonly connect: (
    beginning: ConnectedBeginning,
    options: { readonly agent: string; readonly allowRealTools: boolean; readonly owner: string },
  ) => Promise<StudioChat>;
  readonly show: (id: string, owner: string) => StudioChat;
  /** Says something; calls `tell` with what happens, the last time with `turn` or `error`. */
  readonly say: (
    id: string,
    owner: string,
    said: { readonly text: string; readonly tell: (event: StudioChatEvent) => void; readonly signal: AbortSignal },
  ) => Promise<void>;
  readonly undo: (id: string, owner: string) => StudioChat;
  readonly set: (id: string, owner: string, name: string, value: string) => StudioChat;
  readonly goTo: (id: string, owner: string, node: string) => StudioChat;
  readonly why: (id: string, owner: string) => StudioAnswer<"whyInChat">;
  readonly end: (id: string, owner: string) => void;
  readonly close: () => void;
}

interface OpenChat {
  readonly owner: string;
  readonly header: PreparedChat["header"];
  /** The connection's name; `null` for a chat with the graph. */
  readonly connection: string | null;
  readonly session: ChatSession | ConnectedChat;
  readonly stop: AbortController;
  tell: (event: StudioChatEvent) => void;
  isBusy: boolean;
  usedAt: number;
}

/** Chats at one time; the one that was used longest ago makes room. */
const MOST_CHATS = 100;
/** Steps of a chat: what was said, set or gone to. */
const MOST_STEPS = 500;

/** Creates the chats of a server. */
export function createChats(prepare: PrepareChat): Chats {
  const chats = new Map<string, OpenChat>();

  function find(id: string, owner: string): OpenChat {
    const chat = chats.get(id);
    if (!chat || chat.owner !== owner)
      throw unknownThing("chat", id, "Start a chat: POST /api/v1/chats; a restarted server has none");
    chat.usedAt = Date.now();
    return chat;
  }

  /** A chat between two turns. */
  function idle(id: string, owner: string): OpenChat {
    const chat = find(id, owner);
    if (!chat.isBusy) return chat;
    throw new StudioError("Cannot do this in the chat: the agent is replying", {
      code: "call-busy",
      hint: "Wait for the reply",
    });
  }

  function makeRoom(): void {
    if (chats.size < MOST_CHATS) return;
    const [oldest] = [...chats].filter(([, { isBusy }]) => !isBusy).toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    if (!oldest)
      throw new StudioError("Cannot start a chat: too many are open", { code: "too-many", hint: "End one of them" });
    oldest[1].session.abort();
    oldest[1].stop.abort();
    chats.delete(oldest[0]);
  }

  /** A chat whose state the server has. */
  function withGraph(chat: OpenChat, action: string): ChatSession {
    if (chat.session instanceof ChatSession) return chat.session;
    throw onlyWithGraph(action, chat.connection ?? "");
  }

  async function opened(id: string, chat: OpenChat): Promise<StudioChat> {
    chats.set(id, chat);
    try {
      await chat.session.open();
    } catch (error) {
      chats.delete(id);
      throw error;
    } finally {
      chat.isBusy = false;
    }
    return shown(id, chat);
  }

  const shown = (id: string, chat: OpenChat) => shownChat(id, chat);

  return {
    create: async ({ prompts, ...beginning }, owner) => {
      makeRoom();
      const graph = withPrompts(beginning.graph, prompts);
      const stop = new AbortController();
      const prepared = await prepare({ ...beginning, graph }, stop.signal);
      const id = randomUUID();
      const listeners: ChatListeners = {
        onToken: ({ text }) => chat.tell({ type: "token", text }),
        onRetry: () => chat.tell({ type: "retry" }),
        onMessage: ({ message }) => chat.tell({ type: "message", message: { ...message } }),
        onVariables: ({ changes }) => chat.tell({ type: "variables", changes: changes.map((each) => ({ ...each })) }),
      };
      const session = new ChatSession(graph, prepared.options, listeners);
      const chat: OpenChat = {
        ...{ owner, header: prepared.header, connection: null, session, stop },
        tell: () => {},
        isBusy: true,
        usedAt: Date.now(),
      };
      return await opened(id, chat);
    },
    connect: async (beginning, { agent, allowRealTools, owner }) => {
      refuseConnection(beginning, allowRealTools);
      makeRoom();
      const { name, version } = beginning.connection;
      const onMessage = (message: Message) => chat.tell({ type: "message", message: { ...message } });
      const session = new ConnectedChat(beginning, { allowRealTools, onMessage });
      const chat: OpenChat = {
        header: { agent, model: version === undefined ? name : `${name}, version ${version}`, offline: false },
        ...{ owner, connection: name, session, stop: new AbortController() },
        tell: () => {},
        isBusy: true,
        usedAt: Date.now(),
      };
      return await opened(randomUUID(), chat);
    },
    show: (id, owner) => shown(id, find(id, owner)),
    say: async (id, owner, { text, tell, signal }) => {
      const chat = idle(id, owner);
      const { session } = chat;
      if (session.state.endReason !== undefined)
        throw new StudioError("Cannot say this: the call has ended", {
          code: "call-ended",
          hint: "Undo the last turn, or start another chat",
        });
      checkLength(session);
      const redactor = createRedactor();
      // a deployed agent has heard the words already: its reply is awaited
      const abort = () => session instanceof ChatSession && session.abort();
      chat.isBusy = true;
      chat.tell = (event) => tell(event.type === "token" ? event : redactor.value(event));
      signal.addEventListener("abort", abort, { once: true });
      try {
        if (signal.aborted) return;
        await session.say(text);
        chat.tell({ type: "turn", chat: shown(id, chat) });
      } catch (error) {
        const { code, message, hint } = errorAnswer(error).body.error;
        chat.tell({ type: "error", code, message, hint });
      } finally {
        signal.removeEventListener("abort", abort);
        chat.isBusy = false;
        chat.tell = () => {};
      }
    },
    undo: (id, owner) => {
      const chat = idle(id, owner);
      if (!withGraph(chat, "undo").undo())
        throw new StudioError("Cannot undo: nothing was said or changed", {
          code: "nothing-to-undo",
          hint: "Say something first",
        });
      return shown(id, chat);
    },
    set: (id, owner, name, value) => {
      const chat = idle(id, owner);
      const session = withGraph(chat, "set a variable");
      checkLength(session);
      session.set(name, value);
      return shown(id, chat);
    },
    goTo: (id, owner, node) => {
      const chat = idle(id, owner);
      const session = withGraph(chat, "go to a node");
      checkLength(session);
      session.goTo(node);
      return shown(id, chat);
    },
    why: (id, owner) => {
      const session = withGraph(find(id, owner), "say why");
      return createRedactor().value({
        decisions: session.decisions.map((decision) => {
          const { kind, to, because } = decision.message.metadata;
          const { reasoning } = recordAt(decision.message.metadata, "decision");
          return {
            node: decision.message.node_id,
            to: kind === "transition" ? String(to) : null,
            because: kind === "transition" ? String(because) : decision.message.content,
            reasoning: typeof reasoning === "string" ? reasoning : null,
            considered: consideredIn(decision).map((each) => ({ ...each })),
          };
        }),
      });
    },
    end: (id, owner) => {
      const chat = find(id, owner);
      chat.session.abort();
      chat.stop.abort();
      chats.delete(id);
    },
    close: () => {
      for (const { session, stop } of chats.values()) {
        session.abort();
        stop.abort();
      }
      chats.clear();
    },
  };
}

function checkLength({ steps }: { readonly steps: readonly unknown[] }): void {
  if (steps.length < MOST_STEPS) return;
  throw new StudioError(`Cannot do this in the chat: it has ${MOST_STEPS} steps`, {
    code: "too-many",
    hint: "Start another chat",
  });
}

function shownChat(id: string, { session, header, connection }: OpenChat): StudioChat {
  const { state, steps } = session;
  const { agent, model, offline } = header;
  return createRedactor().value({
    id,
    agent,
    model,
    offline,
    connection,
    node: state.nodeId,
    transcript: state.transcript.map((message) => ({ ...message })),
    nodesVisited: [...state.nodesVisited],
    variables: { ...state.variables },
    endReason: state.endReason ?? null,
    steps: steps.map(({ kind, what }) => ({ kind, what })),
  });
}

/** A scratch copy of an agent with other prompts. */
function withPrompts(graph: AgentGraph, prompts: { readonly [node: string]: string }): AgentGraph {
  const names = Object.keys(prompts);
  if (names.length === 0) return graph;
  const unknown = names.find((id) => own(graph.nodes, id) === undefined);
  if (unknown !== undefined)
    throw new StudioError(`Cannot try a prompt of "${unknown}": the agent has no such node`, {
      code: "unknown-target",
      path: ["prompts", unknown],
      hint: "Name a node of the agent",
    });
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const prompt = own(prompts, id);
    return [id, prompt === undefined ? node : { ...node, state_prompt: prompt }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}
