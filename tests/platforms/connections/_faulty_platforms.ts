import { connect } from "../../../api/connect.ts";
import type { AgentConnection } from "../../../mod.ts";
import type { TestServer } from "../../call/connection/_server.ts";
import { startPipecat } from "../pipecat/talk/_server.ts";
import { AGENT_ID, startPlayground } from "../retell/talk/_playground.ts";
import { SQUAD_ID, startVapi } from "../vapi/talk/_server.ts";
import { type FaultyAgent, type FaultyPlatform, httpFault, socketFault } from "./_faults.ts";
import { keyed } from "./_runs.ts";

/** As long as an agent may be busy before a run gives up, in milliseconds. */
const THROTTLE_LIMIT_MS = 120;

function overHttp(
  server: TestServer,
  key: Disposable,
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
        return method === "POST" && !isAgain ? [`${url} ${JSON.stringify(body)}`] : [];
      }),
    [Symbol.asyncDispose]: async () => {
      key[Symbol.dispose]();
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
    name: "pipecat",
    ends: false,
    start: async (fault) => {
      const planned = socketFault(fault);
      const server = await startPipecat({ fault: planned.fault });
      return {
        connection: connect.pipecat({ url: `${server.socketUrl}/ws`, transfers: ["transfer_call"], hangUpMs: 0 }),
        messages: planned.count,
        sent: () =>
          server.received.flatMap((message) => {
            const text = JSON.stringify(message);
            return text.includes('"send-text"') ? [text.replace(/"id":"[^"]*"/, "")] : [];
          }),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  },
];
