import { defined, madeOnce } from "../../../src/base/values/mod.ts";
import {
  type AgentConnection,
  type CallRequest,
  createAgentClient,
  type OpenOptions,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { loadRtc, type Rtc } from "../../../src/call/rtc/mod.ts";
import { type VoiceFacts, type VoiceOptions, type VoiceParts, voiceConnection } from "../../../src/call/voice/mod.ts";
import { endpointOf } from "../../talking/mod.ts";
import { RETELL_TRAITS } from "../traits/mod.ts";
import { type RetellAgent, readRetellAgent } from "./agent.ts";
import type { RetellOptions } from "./options.ts";
import { dialRetell } from "./web_call.ts";

/** What calls by voice need besides the options of the user. */
export interface RetellVoiceParts extends Partial<Pick<VoiceParts, "voice" | "clock">> {
  /** Default: the packages `werift` and `opusscript`. */
  readonly loadRtc?: () => Promise<Rtc>;
  /** How often the platform is asked whether a call is over, in milliseconds. Default: 2,000. */
  readonly askMs?: number;
}

const ASK_MS = 2_000;

/** What web calls can do. Tools run, and what they and the nodes were is known afterwards. */
const CAPABILITIES = {
  ...TEXT_ONLY,
  text: false,
  voice: true,
  toolArguments: true,
  startVariables: true,
  endSignal: true,
  version: true,
};

/**
 * Calls an agent of Retell by voice, over the gateway of its web calls.
 *
 * @throws {ScenarioError} `missing-key-variable`.
 */
export function retellVoice(options: RetellOptions, voice: VoiceOptions, parts: RetellVoiceParts): AgentConnection {
  const { agentId, version, name = `retell:${agentId}` } = options;
  const { loadRtc: given = loadRtc, askMs = ASK_MS, ...others } = parts;
  const endpoint = endpointOf(options, RETELL_TRAITS.connection);
  const client = createAgentClient(name, endpoint);
  const load = madeOnce(given);
  const look = async (request: CallRequest) => await readRetellAgent(client, { name, agentId, version }, request);
  const factsOf = (agent?: RetellAgent): VoiceFacts => ({
    name,
    ...defined({ version: agent?.version ?? version }),
    capabilities: { ...CAPABILITIES, nodeAfterwards: agent?.hasNodes ?? true, opening: agent?.opens ?? true },
    reportsCost: true,
    ...(agent?.tools ? { tools: agent.tools.map((tool) => ({ name: tool, isMockable: false })) } : {}),
    ...defined({ document: agent?.document, nodes: agent?.hasNodes ? agent.nodes : undefined }),
  });
  const dial = async (open: OpenOptions, agent?: RetellAgent) =>
    await dialRetell({
      ...{ name, agentId, endpoint, client, open, askMs },
      rtc: await load(),
      agent: agent ?? (await look(open)),
    });
  return voiceConnection(factsOf(), voice, {
    dial,
    look: async (request) => {
      // packages that are missing are told before the first call
      await load();
      const agent = await look(request);
      return { facts: factsOf(agent), dial: async (open) => await dial(open, agent) };
    },
    ...others,
  });
}
