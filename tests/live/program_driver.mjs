// Holds scripted calls with programs of LiveKit Agents in TypeScript: node --import tsx program_driver.mjs FOLDER…
// Each folder has a program and call.json; result.json gets what happened.

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { initializeLogger, llm, voice } from "@livekit/agents";

initializeLogger({ pretty: false, level: "fatal" });
const LIMIT_MS = 60_000;

class Model extends llm.LLM {
  actions = [];
  faults = [];
  label() {
    return "script";
  }
  chat(options) {
    return new Stream(this, options);
  }
}

class Stream extends llm.LLMStream {
  constructor(model, { chatCtx, toolCtx }) {
    super(model, { chatCtx, toolCtx, connOptions: { maxRetry: 0, retryIntervalMs: 0, timeoutMs: LIMIT_MS } });
    this.model = model;
  }
  async run() {
    const { actions, faults, flow } = this.model;
    const action = actions.shift();
    const offered = Object.keys(this.toolCtx?.functionTools ?? {});
    if (!action) faults.push(`asked too often, with ${offered}`);
    const { text = "", call, moves } = action ?? {};
    const handoffs = new Set([...flow.agents.map(({ spec }) => spec.handoff), flow.goBack, flow.stay]);
    const found = offered.filter((name) => handoffs.has(name)).sort();
    if (action && String(found) !== String(moves ?? []))
      faults.push(`at ${action.node}: offered ${found}, not ${moves}`);
    if (call && !offered.includes(call.name)) faults.push(`at ${action.node}: ${call.name} is not among ${offered}`);
    const { randomUUID } = crypto;
    const toolCalls = call
      ? [llm.FunctionCall.create({ callId: randomUUID.call(crypto), name: call.name, args: JSON.stringify(call.args) })]
      : [];
    this.queue.put({ id: "script", delta: { role: "assistant", content: text, toolCalls } });
  }
}

for (const folder of process.argv.slice(2)) {
  const { variables, transfers, turns } = JSON.parse(readFileSync(join(folder, "call.json"), "utf8"));
  const load = async (name) => await import(pathToFileURL(resolve(folder, name)).href);
  const { FLOW } = await load("agent.ts");
  const { Call } = await load("flow.ts");
  const model = new Model();
  model.flow = FLOW;
  let tools = [];
  const answer = async () => {
    const next = tools.shift();
    if (!next) model.faults.push("a tool was called too often");
    if (next?.failed) throw new Error("failed");
    return next?.result;
  };
  const names = FLOW.agents.flatMap(({ spec }) => (spec.functions ?? []).map(({ name }) => name));
  const real = names.filter((name) => !name.startsWith("extract_"));
  const handlers = Object.fromEntries([
    ...real.map((name) => [name, answer]),
    ...transfers.map((id) => [id, async () => "ok"]),
  ]);
  const call = new Call(FLOW, { variables, handlers });
  const session = new voice.AgentSession({ llm: model, maxToolSteps: 30 });
  const said = [];
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === "message" && item.role === "assistant") said.push(item.textContent);
  });
  const seen = [];
  for (const turn of turns) {
    [model.actions, tools] = [[...turn.actions], [...turn.tools]];
    const [before, started] = [said.length, Date.now()];
    if (turn.line === undefined) await call.begin(session, { record: false });
    else await session.run({ userInput: turn.line }).wait();
    const isOpen = () =>
      call.visited.length < turn.expected.visited.length ||
      said.length - before < turn.expected.said.length ||
      // until a handoff is done, another agent would hear the caller
      session.activity?.agent !== session.currentAgent ||
      session.currentAgent.id !== call.visited.at(-1) ||
      (turn.expected.ended && !call.ended);
    while (isOpen() && model.faults.length === 0 && Date.now() - started < 5_000)
      await new Promise((next) => setTimeout(next, 5));
    const left = model.actions.length + tools.length;
    if (left > 0) model.faults.push(`${left} answers are left`);
    seen.push({
      visited: [...call.visited],
      variables: Object.fromEntries(call.variables),
      said: said.slice(before),
      ended: Boolean(call.ended),
    });
    if (model.faults.length > 0 || call.ended) break;
  }
  await session.close();
  writeFileSync(join(folder, "result.json"), JSON.stringify({ seen, faults: model.faults }));
}
process.exit(0);
