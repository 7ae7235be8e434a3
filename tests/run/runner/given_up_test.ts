import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelMiddleware } from "ai";
import { type ScriptedModel, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";

const graph = parseGraph({
  entry_node_id: "ask",
  source_metadata: { begin_message: "Hello" },
  nodes: {
    ask: {
      state_prompt: "Ask.",
      transitions: [{ target_node_id: "over", condition: { type: "llm_prompt", value: "Caller says bye" } }],
    },
    over: { node_type: "end" },
  },
});

test("no wait for a rate limit outlives its run", { timeout: 30_000 }, async () => {
  const waits: Promise<unknown>[] = [];
  let tryAgain = () => {};
  const triesAgain = new Promise<void>((resolve) => {
    tryAgain = resolve;
  });
  let isDeciding = () => {};
  const decides = new Promise<void>((resolve) => {
    isDeciding = resolve;
  });
  const watch: LanguageModelMiddleware = {
    specificationVersion: "v3",
    wrapGenerate: ({ doGenerate }) => {
      const wait = Promise.resolve(doGenerate());
      if (waits.push(wait) === 3) tryAgain();
      return wait;
    },
  };
  const model = scripted({ transition: [{ objectives_complete: true, transition_to: "over" }] });
  const agent: ScriptedModel = {
    ...model,
    provider: "elsewhere",
    doGenerate: async (options) => {
      if (options.providerOptions?.callweave?.signature === "respond") {
        await decides; // else a second try could take the minute's last place before the decision does
        throw new Error("network: gone");
      }
      isDeciding();
      await triesAgain;
      return await model.doGenerate(options);
    },
  };
  // the decision comes while the reply that was written ahead waits for its second try, which is then given up
  const report = await run(graph, [{ name: "bye", says: ["Bye"], excludes: ["never said"] }], {
    models: { agent },
    store: false,
    turn: "speculative",
    requests: { perMinute: 2, within: [watch], retry: { minDelayMs: 0 } },
  });
  assert.equal(report.results[0]?.endReason, "agent_ended");
  // the reply's minute would not be over for another one
  assert.deepEqual((await Promise.allSettled(waits)).map(({ status }) => status).sort(), [
    "fulfilled",
    "rejected",
    "rejected",
  ]);
});

test("a request aborted with its run is counted", async () => {
  const controller = new AbortController();
  const agent: ScriptedModel = {
    ...scripted({}),
    doGenerate: () => {
      controller.abort();
      return new Promise(() => {});
    },
  };
  const options = { models: { agent }, store: false, signal: controller.signal } as const;
  const report = await run(graph, [{ name: "bye", says: ["Bye"], excludes: ["never said"] }], options);
  assert.deepEqual([report.results[0]?.status, report.usage.calls], ["cancelled", 1]);
});

test("a speculative reply discarded at the end of a call is counted", async () => {
  const model = scripted({ transition: [{ objectives_complete: true, transition_to: "over" }] });
  let isWriting = () => {};
  const writing = new Promise<void>((resolve) => {
    isWriting = resolve;
  });
  const agent: ScriptedModel = {
    ...model,
    doGenerate: async (options) => {
      if (options.providerOptions?.callweave?.signature === "respond") {
        isWriting();
        await new Promise(() => {});
      }
      await writing;
      return await model.doGenerate(options);
    },
  };
  const options = { models: { agent }, store: false, turn: "speculative" } as const;
  const report = await run(graph, [{ name: "bye", says: ["Bye"], excludes: ["never said"] }], options);
  assert.deepEqual([report.results[0]?.endReason, report.usage.calls], ["agent_ended", 2]);
});
