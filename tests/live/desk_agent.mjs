// The help desk of the tests, as an agent of LiveKit Agents with LiveKit's own model for tests.

import process from "node:process";
import { fileURLToPath } from "node:url";
import { beta, cli, defineAgent, llm, ServerOptions, voice } from "@livekit/agents";
import { z } from "zod";
import { speaking, Voice } from "./_tone_agent.mjs";
import { LONG_REPLY } from "./_tones.mjs";

const lookUp = llm.tool({
  description: "Looks an order up.",
  parameters: z.object({ order_number: z.string() }),
  execute: async ({ order_number: number }) => {
    if (number === "A-1042") return { status: "shipped", arrives: "Friday" };
    throw new llm.ToolError(`no order ${number}`);
  },
});

class Manager extends voice.Agent {
  constructor() {
    super({
      instructions: "You are the manager.",
      tools: [beta.createEndCallTool({ endInstructions: "say goodbye" })],
    });
  }
  async onEnter() {
    this.session.say("The manager calls you back.");
  }
}

class Desk extends voice.Agent {
  constructor() {
    const toManager = llm.tool({
      description: "Hands over to the manager.",
      execute: async () => llm.handoff({ agent: new Manager(), returns: "handed over" }),
    });
    super({ instructions: "You are the help desk.", tools: { look_up_order: lookUp, to_manager: toManager } });
  }
  async onEnter() {
    if (!hasVoice) this.session.output.setAudioEnabled(false);
    this.session.say("Lamp shop, how can I help?");
  }
}

const hasVoice = process.env.DESK_VOICE !== undefined;
/** Whether words survive the network, in calls by voice. Otherwise its voice is silent. */
const isSpoken = process.env.DESK_VOICE === "spoken";

const calls = (name, args = {}) => [{ name, args }];
const model = new voice.testing.FakeLLM([
  { input: "Where is order A-1042?", toolCalls: calls("look_up_order", { order_number: "A-1042" }) },
  { input: '{"status":"shipped","arrives":"Friday"}', content: "It is shipped and arrives on Friday." },
  { input: "Where is order B-77?", toolCalls: calls("look_up_order", { order_number: "B-77" }) },
  { input: "no order B-77", content: "I find no order B-77." },
  { input: "I ask for a manager!", toolCalls: calls("to_manager") },
  { input: "Yes, I accept the label.", content: LONG_REPLY },
  { input: "Goodbye.", toolCalls: calls("end_call") },
  { input: '"say goodbye"', content: "Goodbye!" },
]);

// biome-ignore lint/style/noDefaultExport: LiveKit loads it
export default defineAgent({
  entry: async (context) => {
    const silent = hasVoice ? { tts: new Voice({ isSilent: true }) } : {};
    const parts = isSpoken ? speaking() : silent;
    const session = new voice.AgentSession({ llm: model, ...parts });
    await session.start({ agent: new Desk(), room: context.room });
  },
});

cli.runApp(
  new ServerOptions({
    agent: fileURLToPath(import.meta.url),
    agentName: process.env.DESK_AGENT_NAME ?? "",
    host: "127.0.0.1",
    port: Number(process.env.DESK_PORT ?? 0),
    numIdleProcesses: 1,
    // a busy machine would refuse jobs
    loadFunc: async () => 0,
    // and end the processes of jobs that do not start within 10 s
    initializeProcessTimeout: 120_000,
  }),
);
