// The help desk of the connections' tests, as an agent of LiveKit Agents: each node is an agent, and a transition is a
// handoff. Its model asks the server at DESK_TURNS what to do.

import { randomUUID } from "node:crypto";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { cli, defineAgent, getJobContext, llm, ServerOptions, voice } from "@livekit/agents";
import { z } from "zod";

const FIRST = "welcome";
const LIMIT_MS = 60_000;

class Model extends llm.LLM {
  id = randomUUID();
  steps = [];
  /** Words of the caller that were answered. */
  heard = 0;
  label() {
    return "desk";
  }
  chat(options) {
    return new Stream(this, options);
  }
  async turn(text) {
    const body = JSON.stringify({ call: this.id, text });
    return await (await fetch(process.env.DESK_TURNS, { method: "POST", body })).json();
  }
}

class Stream extends llm.LLMStream {
  constructor(model, { chatCtx, toolCtx }) {
    super(model, { chatCtx, toolCtx, connOptions: { maxRetry: 0, retryIntervalMs: 0, timeoutMs: LIMIT_MS } });
    this.model = model;
    this.items = chatCtx.items;
  }
  async run() {
    const { model } = this;
    const heard = this.items.filter((item) => item.type === "message" && item.role === "user");
    if (heard.length > model.heard) {
      model.heard = heard.length;
      model.steps = await model.turn(heard.at(-1).textContent);
    }
    // a step is done when its tool runs: what is generated may be thrown away
    const { say, move, call } = model.steps[0];
    const given = move === undefined ? call : { name: "move_on", arguments: { node: move } };
    const toolCalls = given
      ? [llm.FunctionCall.create({ callId: randomUUID(), name: given.name, args: JSON.stringify(given.arguments) })]
      : [];
    this.queue.put({ id: randomUUID(), delta: { role: "assistant", content: say ?? "", toolCalls } });
  }
}

const lookUp = llm.tool({
  description: "Looks an order up.",
  parameters: z.object({ order_number: z.string() }),
  execute: async ({ order_number: number }, { ctx }) => {
    ctx.session.llm.steps.shift();
    if (number === "A-1042") return { status: "shipped", arrives: "Friday" };
    throw new llm.ToolError("no such order");
  },
});

/** Ends the call when the words behind the tool's result were said. */
const ends = (description) =>
  llm.tool({
    description,
    execute: async (_args, { ctx }) => {
      ctx.session.llm.steps.shift();
      const job = getJobContext(false);
      ctx.session.once(voice.AgentSessionEventTypes.Close, () => {
        job?.addShutdownCallback(async () => void (await job.deleteRoom()));
        job?.shutdown("the call is over");
      });
      ctx.speechHandle.addDoneCallback(() => ctx.session.shutdown());
      return "say the last words";
    },
  });

class Node extends voice.Agent {
  constructor(id, chatCtx, opening) {
    const moveOn = llm.tool({
      description: "Goes to another node.",
      parameters: z.object({ node: z.string() }),
      execute: async ({ node }, { ctx }) => {
        ctx.session.llm.steps.shift();
        const agent = new Node(node, ctx.session.currentAgent.chatCtx.copy());
        return llm.handoff({ agent });
      },
    });
    const tools = {
      look_up_order: lookUp,
      move_on: moveOn,
      end_call: ends("Ends the call."),
      transfer_call: ends("Puts the caller through."),
    };
    super({ id, instructions: `You are at ${id}.`, tools, ...(chatCtx ? { chatCtx } : {}) });
    this.opening = opening;
  }
  async onEnter() {
    this.session.output.setAudioEnabled(false);
    if (this.opening !== undefined) this.session.say(this.opening);
    else this.session.generateReply();
  }
}

// biome-ignore lint/style/noDefaultExport: LiveKit loads it
export default defineAgent({
  entry: async (context) => {
    const model = new Model();
    const [{ say }] = await model.turn();
    const session = new voice.AgentSession({ llm: model, maxToolSteps: 30 });
    await session.start({ agent: new Node(FIRST, undefined, say), room: context.room });
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
