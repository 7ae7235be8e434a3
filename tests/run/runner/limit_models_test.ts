import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTask } from "node:timers/promises";
import { type ScriptedModel, scripted } from "../../../src/call/models/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { type ChatServer, fitting, startChatServer } from "../../chat_server.ts";
import { CHAT } from "./_fixtures.ts";

/** A model that knows how many of its requests, and of those that count with it, are under way at once. */
function counting(model: ScriptedModel, load: { now: number; most: number }): ScriptedModel {
  return {
    ...model,
    doGenerate: async (options) => {
      load.most = Math.max(load.most, ++load.now);
      for (let task = 0; task < 5; task++) await nextTask(); // others could begin meanwhile
      load.now -= 1;
      return await model.doGenerate(options);
    },
  };
}

test("run() applies limits to all models of one name, and keeps each role's own model", async () => {
  const load = { now: 0, most: 0 };
  const answer = { message: "Hi", should_end: true };
  const caller = scripted({ caller: Array.from({ length: 6 }, () => answer) });
  const agent = scripted({});
  const scenarios = Array.from({ length: 6 }, (_, index) => ({
    name: `call ${index}`,
    user_prompt: "You are Jo.",
    excludes: ["never said"],
  }));
  const report = await run(CHAT, scenarios, {
    models: { agent: counting(agent, load), caller: counting(caller, load) },
    requests: { maxParallel: 1 },
    store: false,
  });
  assert.equal(report.counts.pass, 6);
  assert.equal(load.most, 1);
  assert.equal(caller.calls.length, 6);
  assert.ok(agent.calls.every(({ signature }) => signature === "respond"));
});

test("run() applies limits to the models of scenarios too", async () => {
  const load = { now: 0, most: 0 };
  await using server: ChatServer = await startChatServer(
    (request) => {
      load.most = Math.max(load.most, ++load.now);
      return fitting(request);
    },
    {
      beforeReply: async () => {
        for (let task = 0; task < 50; task++) await nextTask();
        load.now -= 1;
      },
    },
  );
  process.env.LIMITED_BASE_URL = server.url;
  try {
    const scenarios = Array.from({ length: 6 }, (_, index) => ({
      name: `call ${index}`,
      says: ["Hi"],
      excludes: ["never said"],
      llm_model: "limited/m",
    }));
    const options = { models: { agent: scripted({}), fromScenarios: true }, store: false } as const;
    const report = await run(CHAT, scenarios, { ...options, requests: { maxParallel: 1 } });
    assert.equal(report.counts.pass, 6);
    assert.equal(server.requests.length, 6);
    assert.equal(load.most, 1);
  } finally {
    delete process.env.LIMITED_BASE_URL;
  }
});
