import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAI } from "@ai-sdk/openai";
import { conversation, type TurnMode } from "../../src/call/engine/mod.ts";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { fitting, startChatServer } from "../../tests/chat_server.ts";
import { type Figure, sized } from "../figure.ts";

const DELAY_MS = sized(200, 5);

const to = (target: string) => ({
  target_node_id: target,
  condition: { type: "llm_prompt", value: `Caller wants ${target}` },
});
const graph = parseGraph({
  entry_node_id: "a",
  nodes: {
    a: { state_prompt: "You are at a.", transitions: [to("b")] },
    b: { state_prompt: "You are at b.", transitions: [to("a")] },
  },
});

/** An opening, then eight turns, of which six stay at their node. */
const LINES = ["one", "two", "go to b", "four", "five", "go to a", "seven", "eight"];

/** Runs the call against a slow server, and returns its duration and requests. */
async function runCall(turn: TurnMode) {
  await using server = await startChatServer(
    (request) => {
      const asked = request.messages.at(-1)?.content ?? "";
      const line = [...asked.matchAll(/^user: (.*)$/gm)].at(-1)?.[1] ?? "";
      const target = /^go to (\w)$/.exec(line)?.[1] ?? "none";
      return fitting(request, { objectives_complete: true, transition_to: target, reply: "All right." });
    },
    { beforeReply: () => sleep(DELAY_MS) },
  );
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const call = conversation(graph, { models: { agent }, turn });
  const started = performance.now();
  await call.open();
  for (const line of LINES) await call.hear(line);
  return {
    wallMs: performance.now() - started,
    calls: server.requests.length,
    transcript: call.transcript.map(({ role, node_id, content }) => `${role} ${node_id} ${content}`).join("\n"),
  };
}

/** Time saved by the turn modes, compared with `split` in the same run. */
export async function bench(): Promise<readonly Figure[]> {
  await runCall("split"); // warm-up
  const split = await runCall("split");
  const speculative = await runCall("speculative");
  const fused = await runCall("fused");
  const wall = speculative.wallMs / split.wallMs;
  const calls = fused.calls / split.calls;
  const same = speculative.transcript === split.transcript && fused.transcript === split.transcript;
  return [
    {
      name: "speculative_over_split_wall",
      value: wall,
      unit: "ratio",
      against: `split: ${split.wallMs.toFixed(0)} ms at ${DELAY_MS} ms a call`,
      bound: 0.7,
    },
    {
      name: "fused_over_split_calls",
      value: calls,
      unit: "ratio",
      against: `split: ${split.calls} calls`,
      bound: 0.6,
      counted: true,
    },
    {
      name: "transcripts_that_differ",
      value: same ? 0 : 1,
      unit: "count",
      against: "split",
      bound: 0,
    },
  ];
}
