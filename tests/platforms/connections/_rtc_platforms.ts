import { pipecatConnection } from "../../../platforms/pipecat/talk/bot.ts";
import { retellConnection } from "../../../platforms/retell/talk/playground.ts";
import { RTC_CALLER } from "../../call/rtc/_caller.ts";
import { FAST } from "../../call/voice/_fast_clock.ts";
import { startWebRtcBot } from "../pipecat/talk/_web_rtc_bot.ts";
import { startGateway } from "../retell/talk/_gateway.ts";
import { AGENT_ID } from "../retell/talk/_playground.ts";
import { type FaultyPlatform, rtcFault } from "./_faults.ts";
import { overHttp } from "./_faulty_platforms.ts";
import { KEY, keyed } from "./_runs.ts";

const CALLER = { ...RTC_CALLER, turns: { ...RTC_CALLER.turns, giveUpMs: 60_000 } };
/** As long as a server may throttle before a run gives up, in milliseconds. */
const THROTTLE_LIMIT_MS = 120;
const ASK_MS = 300;
/** A part of words that were cut off, or of a packet, says nothing: see `isLossy`. */
const SLOW = { isLossy: true, stallLimitMs: 3_000, atOnce: 8 };
const FATAL = { label: "rtvi-ai", type: "error", data: { error: `no voice with ${KEY}`, fatal: true } };

/** A server of each platform that is called over WebRTC, with a fault. */
export const RTC_PLATFORMS: readonly FaultyPlatform[] = [
  {
    name: "pipecat over WebRTC",
    ...SLOW,
    start: async (fault) => {
      const planned = rtcFault(fault, { text: JSON.stringify(FATAL) });
      const server = await startWebRtcBot({ answers: () => planned.instead(), fault: planned.fault });
      // it is read here, and not later
      using _ = keyed("pipecat");
      const key = { keyVariable: "PIPECAT_API_KEY", throttleLimitMs: THROTTLE_LIMIT_MS };
      const connection = pipecatConnection({ url: server.url, voice: CALLER, ...key }, { clock: FAST });
      return overHttp(server, undefined, connection, planned.count);
    },
  },
  {
    name: "retell by voice",
    ...SLOW,
    start: async (fault) => {
      const planned = rtcFault(fault, "close");
      const server = await startGateway({ instead: planned.instead, fault: planned.fault });
      const key = { env: { RETELL_API_KEY: KEY }, throttleLimitMs: THROTTLE_LIMIT_MS };
      const given = { agentId: AGENT_ID, baseUrl: server.url, voice: CALLER, ...key };
      return overHttp(server, undefined, retellConnection(given, { clock: FAST, askMs: ASK_MS }), planned.count);
    },
  },
];
