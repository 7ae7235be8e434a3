import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AgentTool,
  type AgentTurn,
  type ConnectionCapabilities,
  type ConnectionRecord,
  connect,
} from "../../../api/connect.ts";
import { type AgentConnection, run, scenario } from "../../../mod.ts";
import { ModelError } from "../../../src/base/errors.ts";

const NOW = { store: false } as const;

/** An agent that does one thing in each turn, and says the rest when the call is over. */
function agentWith(
  turn: AgentTurn,
  record: ConnectionRecord,
  can: Partial<ConnectionCapabilities>,
  tools?: readonly AgentTool[],
): AgentConnection {
  const base = connect.custom({ name: "late", agent: () => "Hello" });
  return {
    ...base,
    capabilities: { ...base.capabilities, ...can },
    ...(tools ? { tools } : {}),
    open: async () => ({ opening: { events: [] }, say: async () => turn, close: async () => record }),
  };
}

const look = (args: object = {}) => ({ name: "look", arguments: { ...args } });

test("the tool calls of a record complete those of the turns, in their place, and others come last", async () => {
  const events: AgentTurn["events"] = [
    { kind: "tool", call: look() },
    { kind: "says", text: "Shipped." },
  ];
  const toolsCalled = [
    { name: "hidden", arguments: { a: 1 }, outcome: "failed" as const, result: "no" },
    { ...look({ order: "B-1" }), result: "shipped", mocked: true },
  ];
  const agent = agentWith({ events }, { toolsCalled }, { toolArguments: true });
  const given = [scenario("looks").says("Where is it?").calls("look", { order: "B-1" }).calls("hidden", { a: 1 })];
  const { results } = await run(agent, given, NOW);
  assert.equal(results[0]?.status, "pass");
  assert.deepEqual(
    results[0]?.toolsCalled.map(({ name, arguments: args, result, mocked }) => [name, args, result, mocked]),
    [
      ["hidden", { a: 1 }, "no", false],
      ["look", { order: "B-1" }, "shipped", true],
    ],
  );
  assert.deepEqual(
    results[0]?.transcript.map(({ content }) => content),
    ["Where is it?", 'look({"order":"B-1"}) succeeded: shipped', "Shipped.", 'hidden({"a":1}) failed: no'],
  );
});

test("the end of a record replaces the caller's, not an error", async () => {
  const events: AgentTurn["events"] = [{ kind: "says", text: "Goodbye." }];
  const ended = agentWith({ events }, { ended: "agent_ended" }, { endSignal: true });
  const open = agentWith({ events }, {}, { endSignal: true });
  const given = [scenario("ends").says("Bye").ends("agent_ended")];
  assert.equal((await run(ended, given, NOW)).results[0]?.status, "pass");
  assert.equal((await run(open, given, NOW)).results[0]?.status, "fail");
  const broken: AgentConnection = {
    ...ended,
    open: async (options) => ({
      ...(await ended.open(options)),
      say: async () => {
        throw new Error("broken");
      },
    }),
  };
  const [result] = (await run(broken, given, NOW)).results;
  assert.equal(result?.status, "error");
  assert.equal(result?.endReason, "failed");
});

test("a connection can say when the first word came, and what is no time is an error", async () => {
  const events: AgentTurn["events"] = [{ kind: "says", text: "Goodbye." }];
  const given = [scenario("fast").says("Bye").answersWithin(1_000)];
  for (const [firstWordMs, status] of [
    [999, "pass"],
    [1_001, "fail"],
    [-1, "error"],
    [Number.NaN, "error"],
  ] as const) {
    const [result] = (await run(agentWith({ events, firstWordMs }, {}, {}), given, NOW)).results;
    assert.equal(result?.status, status, `${firstWordMs}`);
    if (status !== "error") assert.equal(result.latency?.[0]?.firstWordMs, firstWordMs);
  }
});

test("an agent needs text or voice", async () => {
  const events: AgentTurn["events"] = [{ kind: "says", text: "Goodbye." }];
  const given = [scenario("bye").says("Bye").includes("Goodbye")];
  const voice = agentWith({ events }, {}, { text: false, voice: true });
  assert.equal((await run(voice, given, NOW)).results[0]?.status, "pass");
  const neither = agentWith({ events }, {}, { text: false, voice: false });
  await assert.rejects(run(neither, given, NOW), /needs text or voice for text .* has no text and has no voice/);
});

test("an error of a model behind a connection stays what it is", async () => {
  const error = new ModelError("Cannot speak: no voice", { code: "model-failed", hint: "Try again" });
  const base = agentWith({ events: [] }, {}, {});
  const agent: AgentConnection = {
    ...base,
    open: async (options) => ({ ...(await base.open(options)), say: () => Promise.reject(error) }),
  };
  const [result] = (await run(agent, [scenario("bye").says("Bye").includes("Goodbye")], NOW)).results;
  assert.equal(result?.status, "error");
  assert.match(result?.errorMessage ?? "", /^Cannot speak: no voice/);
});

test("a record that cannot be used is an error", async () => {
  const wrong: readonly object[] = [{ toolsCalled: [{ name: "look" }] }, { toolsCalled: {} }, { ended: "max_turns" }];
  for (const record of wrong) {
    const agent = agentWith({ events: [{ kind: "says", text: "Hello" }] }, { ...record }, {});
    const [result] = (await run(agent, [scenario("hi").says("Hi").includes("Hello")], NOW)).results;
    assert.match(result?.errorMessage ?? "", /\(vendor\).*which is no record/, JSON.stringify(record));
  }
});

test("a tool that cannot be mocked and does not run lets scenarios run that do not mock it", async () => {
  const tool = { name: "look", isMockable: false, runs: false, whyNot: "its mock on the platform has another answer" };
  const turn: AgentTurn = { events: [{ kind: "says", text: "Hello" }] };
  const agent = agentWith(turn, {}, { mocks: true }, [tool]);
  const hi = scenario("hi").says("Hi").includes("Hello");
  assert.equal((await run(agent, [hi], NOW)).results[0]?.status, "pass");
  const mocked = scenario("mocked").says("Hi").includes("Hello").mock("look", "shipped").mock("other", "yes");
  await assert.rejects(run(agent, [mocked], NOW), /mocks "look": its mock on the platform has another answer/);
  assert.equal(
    (await run(agent, [mocked], { ...NOW, connection: { allowRealTools: true } })).results[0]?.status,
    "pass",
  );
  const running = agentWith(turn, {}, { mocks: true }, [{ name: "look", isMockable: false }]);
  await assert.rejects(run(running, [hi], NOW), /cannot be mocked and would run: look/);
});
