import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelMiddleware } from "ai";
import { parseGraph } from "../../src/graph/mod.ts";
import { type ScriptedModel, scripted } from "../../src/models/mod.ts";
import { run } from "../../src/runner/mod.ts";

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

test("no wait for a limit outlives its run", { timeout: 30_000 }, async () => {
  const waits: Promise<unknown>[] = [];
  let tryAgain = () => {};
  const triesAgain = new Promise<void>((resolve) => {
    tryAgain = resolve;
  });
  const watch: LanguageModelMiddleware = {
    specificationVersion: "v4",
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
      if (options.providerOptions?.callweave?.signature === "respond") throw new Error("network: gone");
      await triesAgain;
      return await model.doGenerate(options);
    },
  };
  // the decision comes while the reply that was written ahead waits for its second try, which is then given up
  const report = await run(graph, [{ name: "bye", says: ["Bye"] }], {
    models: { agent },
    store: false,
    turn: "speculative",
    limits: { requestsPerMinute: 2 },
    calls: { within: [watch], retry: { minDelayMs: 1 } },
  });
  assert.equal(report.results[0]?.end_reason, "agent_ended");
  // the reply's minute would not be over for another one
  assert.deepEqual(
    (await Promise.allSettled(waits)).map(({ status }) => status),
    ["rejected", "fulfilled", "rejected"],
  );
});
