import { elevenLabsConnection } from "../../../platforms/elevenlabs/talk/conversation.ts";
import { openAIConnection } from "../../../platforms/openai/talk/realtime.ts";
import { pipecatConnection } from "../../../platforms/pipecat/talk/bot.ts";
import { sipConnection } from "../../../platforms/sip/talk/phone.ts";
import { twilioConnection } from "../../../platforms/twilio/talk/bot.ts";
import { vapiConnection } from "../../../platforms/vapi/talk/chat.ts";
import { webSocketConnection } from "../../../src/call/voice/mod.ts";
import { socketAgentOptions, startSocketAgent } from "../../call/voice/_socket_agent.ts";
import { FAST, spokenModels } from "../../call/voice/_spoken.ts";
import { AGENT_ID as ELEVEN_ID, startElevenLabs } from "../elevenlabs/talk/_server.ts";
import { roomConnection, startRooms } from "../livekit/talk/_rooms.ts";
import { startOpenAI } from "../openai/talk/_server.ts";
import { startPipecat } from "../pipecat/talk/_server.ts";
import { startPhone } from "../sip/talk/_phone.ts";
import { startTwilioDesk } from "../twilio/talk/_desk_bot.ts";
import { SQUAD_ID } from "../vapi/talk/_server.ts";
import { startVapiVoice } from "../vapi/talk/_voice_server.ts";
import type { FaultyPlatform } from "./_faults.ts";
import { socketFault } from "./_faults.ts";
import { DESK_SESSION, overSocket } from "./_faulty_platforms.ts";
import { KEY, keyed } from "./_runs.ts";

/** How callers of the tests speak and hear. */
export const CALLER = { ...spokenModels(), hangUpMs: 8_000, concurrency: 64, turns: { giveUpMs: 60_000 } };

/** A server of each platform that is called by voice, with a fault. */
export const VOICE_PLATFORMS: readonly FaultyPlatform[] = [
  {
    name: "elevenlabs by voice",
    start: async (fault) => {
      const planned = socketFault(fault);
      const server = await startElevenLabs({
        fault: planned.fault,
        voice: { caller: "pcm_16000", agent: "pcm_16000" },
      });
      const key = keyed("elevenlabs");
      const given = { agentId: ELEVEN_ID, baseUrl: server.url, voice: CALLER };
      const connection = elevenLabsConnection(given, { clock: FAST });
      return overSocket(server, connection, {
        messages: planned.count,
        key,
        isSaid: (text) => text.includes('"client_tool_result"'),
      });
    },
  },
  {
    name: "openai by voice",
    start: async (fault) => {
      const planned = socketFault(fault);
      const server = await startOpenAI({ fault: planned.fault });
      const key = keyed("openai");
      const given = { ...DESK_SESSION, baseUrl: `${server.url}/v1`, voice: CALLER };
      const isSaid = (text: string) => text.includes('"function_call_output"');
      return overSocket(server, openAIConnection(given, { clock: FAST }), { messages: planned.count, key, isSaid });
    },
  },
  ...(["json", "protobuf"] as const).map(
    (frames): FaultyPlatform => ({
      name: `pipecat by voice (${frames})`,
      start: async (fault) => {
        const planned = socketFault(fault);
        const server = await startPipecat({ fault: planned.fault, voice: { frames } });
        const transfers = frames === "json" ? { transfers: ["transfer_call"] } : {};
        const given = { url: `${server.socketUrl}/ws`, frames, voice: CALLER, hangUpMs: 2_000, ...transfers };
        const connection = pipecatConnection(given, { clock: FAST });
        return overSocket(server, connection, { messages: planned.count, isSaid: () => false });
      },
    }),
  ),
  {
    name: "vapi by voice",
    start: async (fault) => {
      const planned = socketFault(fault);
      const server = await startVapiVoice({ fault: planned.fault });
      const key = keyed("vapi");
      const given = { squadId: SQUAD_ID, baseUrl: server.url, voice: CALLER };
      const connection = vapiConnection(given, { clock: FAST });
      return overSocket(server, connection, { messages: planned.count, key, isSaid: () => false });
    },
  },
  {
    name: "twilio",
    start: async (fault) => {
      const planned = socketFault(fault);
      const server = await startTwilioDesk({ fault: planned.fault });
      const connection = twilioConnection({ url: server.socketUrl, ...CALLER, startVariables: true }, { clock: FAST });
      return overSocket(server, connection, { messages: planned.count, isSaid: () => false });
    },
  },
  {
    name: "a WebSocket",
    start: async (fault) => {
      const planned = socketFault(fault);
      const server = await startSocketAgent({ fault: planned.fault });
      const given = { ...socketAgentOptions(server.socketUrl, {}), ...CALLER };
      const connection = webSocketConnection(given, { clock: FAST });
      return overSocket(server, connection, { messages: planned.count, isSaid: () => false });
    },
  },
  {
    name: "livekit by voice",
    start: async (fault) => {
      const rooms = startRooms({ fault });
      const given = { voice: CALLER, transfers: ["transfer_call"], opening: true, startTimeoutMs: 1_000 };
      return {
        connection: roomConnection(rooms, given, { clock: FAST }),
        messages: rooms.messages,
        sent: () => rooms.taken.flatMap(({ kind, text }) => (kind === "runInput" ? [text] : [])),
        [Symbol.asyncDispose]: async () => {},
      };
    },
  },
  {
    name: "sip",
    isLossy: true,
    start: async (fault) => {
      const phone = await startPhone({ fault, password: KEY });
      const login = { username: "6001", passwordVariable: "DESK_PASSWORD", env: { DESK_PASSWORD: KEY } };
      const given = { to: phone.to, answerTimeoutMs: 1_000, ...login, ...CALLER };
      return {
        connection: sipConnection(given, { clock: FAST }),
        messages: phone.messages,
        sent: () => phone.heard,
        [Symbol.asyncDispose]: async () => await phone[Symbol.asyncDispose](),
      };
    },
  },
];
