import { type CustomReply, connect } from "../../../api/connect.ts";
import type { AgentConnection } from "../../../mod.ts";
import { type Answer, startServer, type TakenRequest, type TestServer } from "../../call/connection/_server.ts";
import type { SocketServer } from "../../call/connection/_socket_server.ts";
import { PATHWAY_ID, startBland } from "../bland/talk/_server.ts";
import { AGENT_ID as ELEVEN_ID, startElevenLabs } from "../elevenlabs/talk/_server.ts";
import { roomConnection, startRooms } from "../livekit/talk/_rooms.ts";
import { startLiveKit } from "../livekit/talk/_workers.ts";
import { startOpenAI } from "../openai/talk/_server.ts";
import { startPipecat } from "../pipecat/talk/_server.ts";
import { CHAT_AGENT_ID, startChats } from "../retell/talk/_chat.ts";
import { AGENT_ID, startPlayground } from "../retell/talk/_playground.ts";
import { ASSISTANT_ID, startTelnyx } from "../telnyx/talk/_server.ts";
import { SQUAD_ID, startVapi } from "../vapi/talk/_server.ts";
import { replayTurn } from "./_brain.ts";
import { type FaultyAgent, type FaultyPlatform, httpFault, socketFault } from "./_faults.ts";
import { KEY, keyed } from "./_runs.ts";
import { DESK_TOOLS } from "./_tools.ts";

/** As long as an agent may be busy before a run gives up, in milliseconds. */
const THROTTLE_LIMIT_MS = 120;

/** As long as an agent may take to join a room and to answer there, in milliseconds. */
const START_LIMIT_MS = 1_000;

/** An agent on a server of HTTP requests. */
export function overHttp(
  server: Pick<TestServer, "taken" | "statuses"> & AsyncDisposable,
  key: Disposable | undefined,
  connection: AgentConnection,
  messages: () => number,
): FaultyAgent {
  return {
    connection,
    messages,
    sent: () =>
      server.taken.flatMap(({ method, url, body }, at) => {
        // what was refused because there are too many requests is sent again
        const isAgain = server.statuses[at] === 429;
        // each offer over WebRTC has words of its own
        const text = JSON.stringify(body).replace(/"sdp":"(?:[^"\\]|\\.)*"/, '"sdp"');
        return method === "POST" && !isAgain ? [`${url} ${text}`] : [];
      }),
    [Symbol.asyncDispose]: async () => {
      key?.[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** An agent on a socket; `key` is none for a bot without one. */
export function overSocket(
  server: SocketServer,
  connection: AgentConnection,
  { messages, key, isSaid }: { messages: () => number; key?: Disposable; isSaid: (text: string) => boolean },
): FaultyAgent {
  return {
    connection,
    messages,
    sent: () => {
      const texts = server.received.map((message) => JSON.stringify(message));
      return texts.filter(isSaid).map((text) => text.replace(/"(?:id|event_id)":"[^"]*"/g, ""));
    },
    [Symbol.asyncDispose]: async () => {
      key?.[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A server of each platform, with a fault. */
export const FAULTY_PLATFORMS: readonly FaultyPlatform[] = [
  {
    name: "retell",
    start: async (fault) => {
      const planned = httpFault(fault);
      const server = await startPlayground({ instead: planned.instead });
      const key = keyed("retell");
      const given = { agentId: AGENT_ID, baseUrl: server.url, throttleLimitMs: THROTTLE_LIMIT_MS };
      return overHttp(server, key, connect.retell(given), planned.count);
    },
  },
  {
    name: "retell chat",
    start: async (fault) => {
      const planned = httpFault(fault);
      const server = await startChats(planned.instead);
      const key = keyed("retell");
      const given = { agentId: CHAT_AGENT_ID, chat: true, baseUrl: server.url, throttleLimitMs: THROTTLE_LIMIT_MS };
      return overHttp(server, key, connect.retell(given), planned.count);
    },
    ends: false,
  },
  {
    name: "vapi",
    start: async (fault) => {
      const planned = httpFault(fault);
      const server = await startVapi({ instead: planned.instead });
      const key = keyed("vapi");
      const given = { squadId: SQUAD_ID, baseUrl: server.url, throttleLimitMs: THROTTLE_LIMIT_MS };
      return overHttp(server, key, connect.vapi(given), planned.count);
    },
  },
  {
    name: "telnyx",
    start: async (fault) => {
      const planned = httpFault(fault);
      const server = await startTelnyx({ instead: planned.instead });
      const key = keyed("telnyx");
      const given = { assistantId: ASSISTANT_ID, baseUrl: server.url, throttleLimitMs: THROTTLE_LIMIT_MS };
      return overHttp(server, key, connect.telnyx(given), planned.count);
    },
  },
  {
    name: "bland",
    start: async (fault) => {
      const planned = httpFault(fault);
      const server = await startBland({ instead: planned.instead });
      const key = keyed("bland");
      const given = { pathwayId: PATHWAY_ID, baseUrl: server.url, throttleLimitMs: THROTTLE_LIMIT_MS };
      return overHttp(server, key, connect.bland(given), planned.count);
    },
  },
  {
    name: "http",
    start: async (fault) => {
      const planned = httpFault(fault);
      const server = await startDesk(planned.instead);
      const key = keyed("http", "DESK_KEY");
      const connection = connect.http({
        name: "http",
        url: server.url,
        keyVariable: "DESK_KEY",
        opening: true,
        mocks: true,
        startVariables: true,
        throttleLimitMs: THROTTLE_LIMIT_MS,
        paths: { text: "$.reply", node: "$.node", toolCalls: "$.tools", variables: "$.variables", ended: "$.ended" },
      });
      return overHttp(server, key, connection, planned.count);
    },
  },
  {
    name: "openai-compatible",
    ends: false,
    start: async (fault) => {
      const planned = httpFault(fault);
      const server = await startCompletions(planned.instead);
      const key = keyed("http", "DESK_KEY");
      const connection = connect.openAICompatible({
        url: `${server.url}/v1`,
        model: "desk",
        keyVariable: "DESK_KEY",
        opening: true,
        tools: DESK_SESSION.tools.map(({ type, ...definition }) => ({ type, function: definition })),
        throttleLimitMs: THROTTLE_LIMIT_MS,
      });
      return overHttp(server, key, connection, planned.count);
    },
  },
  {
    name: "custom",
    isOwn: true,
    start: async (fault) => {
      const planned = httpFault(fault);
      const server = await startDesk(planned.instead);
      const connection = connect.custom({
        name: "custom",
        agent: async (messages, { mocks, variables, signal }) =>
          await askDesk(server.url, { messages, mocks: mocks.list, variables }, signal),
        capabilities: {
          ...{ nodeEachTurn: true, toolArguments: true, mocks: true, opening: true, startVariables: true },
          ...{ variables: true, endSignal: true, transferSignal: true },
        },
      });
      return overHttp(server, keyed("http", "DESK_KEY"), connection, planned.count);
    },
  },
  {
    name: "livekit over TCP",
    start: async (fault) => {
      const workers = await startLiveKit({ planned: fault });
      const given = { listen: workers.address, opening: true, transfers: ["transfer_call"], hangUpMs: 0 };
      return {
        connection: connect.livekit({ ...given, name: "desk", startTimeoutMs: THROTTLE_LIMIT_MS * 100 }),
        messages: workers.messages,
        sent: () => workers.taken.flatMap(({ kind, text }) => (kind === "runInput" ? [text] : [])),
        [Symbol.asyncDispose]: async () => await workers[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: "pipecat",
    ends: false,
    start: async (fault) => {
      const planned = socketFault(fault);
      const server = await startPipecat({ fault: planned.fault });
      const given = { url: `${server.socketUrl}/ws`, transfers: ["transfer_call"], hangUpMs: 0 };
      const isSaid = (text: string) => text.includes('"send-text"');
      return overSocket(server, connect.pipecat(given), { messages: planned.count, isSaid });
    },
  },
  {
    name: "elevenlabs",
    start: async (fault) => {
      const planned = socketFault(fault);
      const server = await startElevenLabs({ fault: planned.fault });
      const key = keyed("elevenlabs");
      const connection = connect.elevenlabs({ agentId: ELEVEN_ID, baseUrl: server.url, settleMs: 150 });
      return overSocket(server, connection, {
        messages: planned.count,
        key,
        isSaid: (text) => text.includes('"user_message"'),
      });
    },
  },
  {
    name: "livekit",
    start: async (fault) => {
      const rooms = startRooms({ fault });
      const given = { opening: true, transfers: ["transfer_call"], startTimeoutMs: START_LIMIT_MS };
      return {
        connection: roomConnection(rooms, given),
        messages: rooms.messages,
        sent: () => rooms.taken.flatMap(({ kind, text }) => (kind === "runInput" ? [text] : [])),
        [Symbol.asyncDispose]: async () => {
          if (rooms.open() > 0) throw new Error("a room was not left");
        },
      };
    },
  },
  {
    name: "openai",
    start: async (fault) => {
      const planned = socketFault(fault);
      const server = await startOpenAI({ fault: planned.fault });
      const key = keyed("openai");
      const connection = connect.openai({ ...DESK_SESSION, baseUrl: `${server.url}/v1` });
      const isSaid = (text: string) => text.includes('"input_text"');
      return overSocket(server, connection, { messages: planned.count, key, isSaid });
    },
  },
];

/** The help desk as a session of OpenAI. */
export const DESK_SESSION = {
  model: "gpt-realtime",
  instructions: "You are a help desk. The order's number: {{order_number}}",
  tools: ["look_up_order", "end_call", "transfer_call"].map((name) => {
    return { type: "function", name, parameters: { type: "object", properties: {} } };
  }),
  opening: true,
  ends: ["end_call"],
  transfers: ["transfer_call"],
};

/** The help desk behind HTTP, in a protocol of its own. */
async function startDesk(instead: (request: TakenRequest) => Answer | undefined): Promise<TestServer> {
  return await startServer(async (request): Promise<Answer> => {
    const other = instead(request);
    if (other) return other;
    const { messages, mocks, variables } = request.body;
    const said = messages.flatMap(({ role, content }: Record<string, string>) => (role === "user" ? [content] : []));
    const turn = await replayTurn(said, { mocks, variables });
    return {
      json: {
        reply: turn.events.flatMap((event) => (event.kind === "says" ? [event.text] : [])),
        tools: turn.events.flatMap((event) => (event.kind === "calls" ? [{ ...event, mocked: true }] : [])),
        node: [...turn.events.flatMap((event) => (event.kind === "moves" ? [event.to] : [])), turn.node],
        variables: turn.variables,
        ended: turn.ended ?? false,
      },
    };
  });
}

/** Asks the help desk behind HTTP as a function of one's own does that trusts the answer. */
async function askDesk(url: string, turn: object, signal: AbortSignal): Promise<CustomReply> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, connection: "close" },
    body: JSON.stringify(turn),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the desk answers ${response.status}: ${text}`);
  const { reply, tools: toolCalls, node: nodes, variables, ended } = JSON.parse(text);
  return { text: reply.join(" "), toolCalls, nodes, variables, ended };
}

/** The help desk as a model that calls tools, without nodes and an end. */
async function startCompletions(instead: (request: TakenRequest) => Answer | undefined): Promise<TestServer> {
  return await startServer(async (request): Promise<Answer> => {
    const other = instead(request);
    if (other) return other;
    const messages: readonly { readonly role: string; readonly content: string }[] = request.body.messages;
    const said = messages.flatMap(({ role, content }) => (role === "user" ? [content] : []));
    const { events } = await replayTurn(said, { mocks: DESK_TOOLS });
    const last = messages.findLastIndex(({ role }) => role === "user");
    const done = messages.slice(last + 1).filter(({ role }) => role === "tool").length;
    const call = events.filter((event) => event.kind === "calls")[done];
    const content = events.flatMap((event) => (event.kind === "says" ? [event.text] : [])).join(" ");
    const called = call && { name: call.name, arguments: JSON.stringify(call.arguments) };
    const answer = called
      ? { content: null, tool_calls: [{ id: `call_${done}`, type: "function", function: called }] }
      : { content };
    return { json: { choices: [{ message: { role: "assistant", ...answer } }] } };
  });
}
