import assert from "node:assert/strict";
import { test } from "node:test";
import { type AgentCall, type AgentTurn, type CustomReply, connect } from "../../../api/connect.ts";
import { formatReport } from "../../../api/reporters.ts";
import { type AgentConnection, isCallweaveError, type RunOptions, run, scenario } from "../../../mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { TestClock } from "../../test_clock.ts";
import { BILLING_CALL, billingModel, DESK } from "./_fixtures.ts";

const ALL = { nodeEachTurn: true, toolArguments: true, mocks: true, opening: true, variables: true, endSignal: true };

/** The billing call of the fixtures as a program of its own: it has no graph. */
function desk(capabilities: Parameters<typeof connect.custom>[0]["capabilities"] = ALL): AgentConnection {
  return connect.custom({
    name: "desk",
    version: "7",
    capabilities,
    agent: (messages, { mocks }): CustomReply => {
      const said = messages.filter(({ role }) => role === "user").length;
      if (said === 0) return { text: "Hello, how can I help?", node: "greet" };
      if (said === 1) {
        const call = { name: "lookup_bill", arguments: { id: "A7", year: 2026 } };
        const answer = mocks.answer(call.name, call.arguments);
        return {
          text: "Your bill REF-A7 is 30 dollars.",
          toolCalls: [{ ...call, ...answer }],
          nodes: ["ask", "billing"],
          variables: { intent: "billing" },
        };
      }
      return { text: "Goodbye!", node: "goodbye", ended: true };
    },
  });
}

const EXPECTATIONS = {
  passes: {
    visits: ["greet", "billing", "goodbye"],
    avoids: ["manager"],
    includes: ["30 dollars"],
    excludes: ["sorry"],
    calls: [{ tool: "lookup_bill", args: { id: "A7" } }],
    extracts: { intent: "billing" },
    ends: "agent_ended",
  },
  "wrong path": { visits: ["manager"] },
  "avoided node": { avoids: ["billing"] },
  "wrong tool": { calls: [{ tool: "lookup_bill", args: { id: "B8" } }] },
  "wrong variable": { extracts: { intent: "other" } },
  "wrong end": { ends: "caller_exhausted" },
  "wrong words": { includes: ["31 dollars"] },
} as const;
const scenarios = Object.entries(EXPECTATIONS).map(([name, expected]) => ({ name, ...BILLING_CALL, ...expected }));

const NOW = { store: false, limits: { concurrency: 1 } } as const;

test("the same scenarios have the same results against a graph and against an agent without one", async () => {
  const played = await run(DESK, scenarios, { ...NOW, models: { agent: billingModel(scenarios.length) } });
  const alone = await run(desk(), scenarios, NOW);
  const beside = await run(desk(), scenarios, { ...NOW, connection: { graph: DESK } });
  const said = ({ results }: typeof played) =>
    results.map(({ scenario, status, checks, nodesVisited, toolsCalled, endReason, turnCount }) => ({
      ...{ scenario, status, nodesVisited, endReason, turnCount },
      checks: checks.map(({ kind, expected, passed }) => ({ kind, expected, passed })),
      tools: toolsCalled.map(({ name, arguments: args, result, outcome, mocked }) => ({
        ...{ name, args, result, outcome, mocked },
      })),
    }));
  assert.deepEqual(
    played.results.map(({ status }) => status),
    ["pass", "fail", "fail", "fail", "fail", "fail", "fail"],
  );
  assert.deepEqual(said(alone), said(played));
  assert.deepEqual(said(beside), said(played));
  assert.equal(alone.models.agent, "connection/desk@7");
});

test("a scenario that needs what a connection lacks is refused by name, before the first call", async () => {
  let asked = 0;
  const agent = connect.custom({
    name: "mute",
    agent: () => {
      asked += 1;
      return "Hi";
    },
  });
  await assert.rejects(run(agent, [scenarios[0] ?? assert.fail()], NOW), (error) => {
    assert.ok(isCallweaveError(error));
    assert.equal(error.code, "missing-capability");
    assert.deepEqual(
      error.issues.map(({ path }) => path),
      [
        [0, "visits"],
        [0, "avoids", 0],
        [0, "calls", 0],
        [0, "extracts", "intent"],
        [0, "ends"],
        [0, "tool_mocks"],
      ],
    );
    for (const { message } of error.issues) assert.match(message, /scenario "passes" needs .* "mute" does/);
    return true;
  });
  const given = scenario("has a name").says("Hi").variables({ name: "Jo" }).includes("Hi");
  await assert.rejects(run(agent, [given], NOW), /needs startVariables for variables "name"/);
  assert.equal(asked, 0);
});

test("each capability alone lets the scenarios run that need it", async () => {
  const needs = {
    nodeEachTurn: { visits: ["greet"] },
    toolArguments: { calls: [{ tool: "lookup_bill", args: {} }] },
    variables: { extracts: { intent: "billing" } },
    endSignal: { ends: "agent_ended" },
  } as const;
  for (const [name, expected] of Object.entries(needs)) {
    const one = [{ name, says: ["My bill", "Thanks"], ...expected }];
    const { [name as keyof typeof needs]: _, ...others } = ALL;
    const without = { ...others, mocks: false };
    const report = await run(desk({ ...without, [name]: true }), one, NOW);
    assert.deepEqual(
      report.results.map(({ status }) => status),
      ["pass"],
      name,
    );
    await assert.rejects(run(desk(without), one, NOW), new RegExp(`needs .*${name}`), name);
  }
});

test("with unchecked: report, what a connection lacks is listed as not checked, and the rest decides", async () => {
  const { tool_mocks: _, ...call } = BILLING_CALL;
  const expected = { ...EXPECTATIONS.passes, includes: ["30 dollars"] };
  const right = { name: "right", ...call, ...expected };
  const wrong = { name: "wrong", ...call, ...expected, includes: ["31 dollars"] };
  const store = await openStore(":memory:");
  const report = await run(desk({ opening: true }), [right, wrong], {
    ...NOW,
    store,
    connection: { unchecked: "report" },
  });
  const found = report.results.map(({ status, checks, connection }) => ({
    status,
    checked: checks.map(({ kind }) => kind),
    not: connection?.notChecked?.map(({ kind, expected: what }) => `${kind} ${what}`),
  }));
  const not = [
    "visits greet -> billing -> goodbye",
    "avoids manager",
    "calls lookup_bill",
    "extracts intent",
    "ends agent_ended",
  ];
  assert.deepEqual(found, [
    { status: "pass", checked: ["includes", "excludes"], not },
    { status: "fail", checked: ["includes", "excludes"], not },
  ]);
  assert.match(formatReport(report), /not checked: visits greet -> billing -> goodbye/i);
  const stored = await store.showRun(report.id);
  assert.deepEqual(
    stored.results.map(({ connection }) => connection),
    report.results.map(({ connection }) => connection),
  );
  assert.equal(stored.results[0]?.connection?.version, "7");
  await store.close();
});

test("a node that a connection does not report can neither be visited nor avoided", async () => {
  const agent = { ...desk(), nodes: ["greet", "billing", "goodbye"] };
  const call = { ...BILLING_CALL, visits: ["greet", "ask", "billing"], avoids: ["goodbye", "manager"] };
  await assert.rejects(run(agent, [{ name: "path", ...call }], { ...NOW, connection: { graph: DESK } }), (error) => {
    assert.ok(isCallweaveError(error));
    assert.deepEqual(
      error.issues.map(({ code, path }) => ({ code, path })),
      [
        { code: "missing-capability", path: [0, "visits", 1] },
        { code: "missing-capability", path: [0, "avoids", 1] },
      ],
    );
    assert.match(error.message, /for visits "ask": "desk" does not report the node "ask"/);
    return true;
  });
  const options = { ...NOW, connection: { graph: DESK, unchecked: "report" } } as const;
  const { results } = await run(agent, [{ name: "path", ...call }], options);
  assert.deepEqual(
    results[0]?.checks.map(({ kind, expected, passed }) => ({ kind, expected, passed })),
    [
      { kind: "visits", expected: "greet -> billing", passed: true },
      { kind: "avoids", expected: "goodbye", passed: false },
    ],
  );
  assert.deepEqual(
    results[0]?.connection?.notChecked?.map(({ kind, expected, reason }) => `${kind} ${expected}: ${reason}`),
    ['visits ask: "desk" does not report the node "ask"', 'avoids manager: "desk" does not report the node "manager"'],
  );
  const hidden = { name: "hidden", ...BILLING_CALL, visits: ["ask"], avoids: ["manager"] };
  await assert.rejects(run(agent, [hidden], options), /"hidden" expects nothing that "desk" reports/);
});

test("with unchecked: report, a scenario that expects nothing else is refused", async () => {
  const only = scenario("only a path").says("Hi").visits("greet");
  await assert.rejects(
    run(desk({}), [only], { ...NOW, connection: { unchecked: "report" } }),
    /"only a path" expects nothing that "desk" reports/,
  );
});

test("mocks are never dropped without a word: the tools of the agent run only when the run allows it", async () => {
  const one = { name: "mocked", ...BILLING_CALL, includes: ["30 dollars"] };
  const report: RunOptions = { ...NOW, connection: { unchecked: "report" } };
  await assert.rejects(run(desk({}), [one], report), /needs mocks for mocks "lookup_bill"/);
  const real = await run(desk({}), [one], { ...NOW, connection: { allowRealTools: true } });
  assert.equal(real.results[0]?.status, "pass");
  assert.equal(real.results[0]?.connection?.realTools, true);
  assert.match(formatReport(real), /tools of the agent ran in 1 call/);
});

test("a check function that reads what a connection does not report has no verdict", async () => {
  const reads = (part: "toolsCalled" | "nodesVisited" | "variables") =>
    scenario(`reads ${part}`)
      .says("Hi")
      .includes("Hello")
      .check("nothing happened", (call) => Object.keys(call[part]).length === 0);
  for (const part of ["toolsCalled", "nodesVisited", "variables"] as const) {
    const refused = await run(desk({ opening: true }), [reads(part)], NOW);
    assert.equal(refused.results[0]?.status, "error");
    assert.match(refused.results[0]?.errorMessage ?? "", new RegExp(`reads ${part}`));
    const told = await run(desk({ opening: true }), [reads(part)], { ...NOW, connection: { unchecked: "report" } });
    assert.equal(told.results[0]?.status, "pass");
    assert.deepEqual(
      told.results[0]?.connection?.notChecked?.map(({ kind }) => kind),
      ["check"],
    );
    assert.deepEqual(
      told.results[0]?.checks.map(({ kind }) => kind),
      ["includes"],
    );
  }
  const alone = scenario("nothing else")
    .says("Hi")
    .check("no tool", ({ toolsCalled }) => toolsCalled.length === 0);
  const told = await run(desk({ opening: true }), [alone], { ...NOW, connection: { unchecked: "report" } });
  assert.equal(told.results[0]?.status, "error", "a call of which nothing was checked does not pass");
  const words = scenario("reads words")
    .says("Hi")
    .check("greets", ({ transcript }) => transcript.length > 1);
  assert.equal((await run(desk({ opening: true }), [words], NOW)).results[0]?.status, "pass");
});

test("a connection that does not keep its promise is an error, not a verdict", async () => {
  const one = scenario("stays away").says("Hi").avoids("manager");
  const silent = connect.custom({ name: "silent", capabilities: { nodeEachTurn: true }, agent: () => "Hello" });
  const { results } = await run(silent, [one], NOW);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["error"],
  );
  assert.match(results[0]?.errorMessage ?? "", /\(vendor\): it did not name the node in turn 1/);
  const afterwards: AgentConnection = {
    ...silent,
    capabilities: { ...silent.capabilities, nodeEachTurn: false, nodeAfterwards: true },
  };
  const late = await run(afterwards, [one], NOW);
  assert.match(late.results[0]?.errorMessage ?? "", /its record does not have the visited nodes/);
});

test("a connection can name the nodes after the call", async () => {
  const base = connect.custom({ name: "late", agent: () => "Hello" });
  const late: AgentConnection = {
    ...base,
    capabilities: { ...base.capabilities, nodeAfterwards: true },
    open: async (options) => ({
      ...(await base.open(options)),
      close: async () => ({ nodesVisited: ["greet", "billing"], callId: "c1", costUsd: 0.02, version: "3" }),
    }),
  };
  const { results } = await run(
    late,
    [scenario("a").says("Hi").visits("billing"), scenario("b").says("Hi").avoids("billing")],
    NOW,
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ["pass", "fail"],
  );
  assert.deepEqual(results[0]?.connection, { agent: "late", version: "3", callId: "c1", costUsd: 0.02 });
});

test("an answer that no turn can have is an error", async () => {
  const hi = scenario("hi").says("Hi").excludes("sorry");
  const replies: readonly unknown[] = [
    undefined,
    null,
    1,
    {},
    { txt: "Hi" },
    { text: 1 },
    { ended: "later" },
    { toolCalls: [{}] },
    { toolCalls: [null] },
  ];
  for (const reply of replies) {
    const agent = connect.custom({ agent: () => reply as string }); // a program without types
    const { results } = await run(agent, [hi], NOW);
    assert.equal(results[0]?.status, "error", JSON.stringify(reply));
  }
  const turns: readonly unknown[] = [
    undefined,
    {},
    { events: [null] },
    { events: [{ kind: "says" }] },
    { events: [], ended: true },
  ];
  for (const turn of turns) {
    const base = connect.custom({ agent: () => "Hi" });
    const call = { opening: { events: [] }, say: async () => turn as AgentTurn, close: async () => ({}) };
    const { results } = await run({ ...base, open: async () => call }, [hi], NOW);
    assert.equal(results[0]?.status, "error", JSON.stringify(turn));
    const opened = await run({ ...base, open: async () => turn as AgentCall }, [hi], NOW);
    assert.equal(opened.results[0]?.status, "error", JSON.stringify(turn));
  }
});

test("an agent that throws is an error, and one that does not answer is silence", async () => {
  const hi = scenario("hi").says("Hi").excludes("sorry");
  const broken = connect.custom({
    name: "broken",
    agent: () => {
      throw new Error("no database");
    },
  });
  const thrown = await run(broken, [hi], NOW);
  assert.equal(thrown.results[0]?.status, "error");
  assert.match(thrown.results[0]?.errorMessage ?? "", /Cannot talk to "broken" \(agent\): no database/);
  const mute = connect.custom({ name: "mute", agent: () => new Promise<string>(() => {}) });
  const { results } = await run(mute, [hi], { ...NOW, limits: { turnTimeoutMs: 30 } });
  assert.equal(results[0]?.status, "error");
  assert.match(results[0]?.errorMessage ?? "", /\(silence\): it did not answer within the 30 ms/);
});

test("every open call is closed once, however it ends, and a close that hangs has a limit", async () => {
  const hi = scenario("hi").says("Hi", "And?").excludes("sorry");
  const closed: string[] = [];
  const over = (name: string, agent: () => string | Promise<string>): AgentConnection => {
    const base = connect.custom({ name, agent });
    return {
      ...base,
      open: async (options) => ({
        ...(await base.open(options)),
        close: async () => {
          closed.push(name);
          return {};
        },
      }),
    };
  };
  const abort = new AbortController();
  const hanging = over("hangs", () => {
    abort.abort();
    return new Promise<string>(() => {});
  });
  await run(
    over("answers", () => "Hi"),
    [hi],
    NOW,
  );
  await run(
    over("throws", () => Promise.reject(new Error("no"))),
    [hi],
    NOW,
  );
  const cancelled = await run(hanging, [hi], { ...NOW, signal: abort.signal });
  assert.deepEqual(
    cancelled.results.map(({ status }) => status),
    ["cancelled"],
  );
  assert.deepEqual(closed, ["answers", "throws", "hangs"]);
});

test("a call that cannot be closed is an error within the limit", async () => {
  const timers = new TestClock();
  const base = connect.custom({ name: "stuck", agent: () => "Hi" });
  const open = async (options: Parameters<AgentConnection["open"]>[0]) => {
    const call = await base.open(options);
    const close = () => {
      queueMicrotask(() => timers.advance(10_000));
      return new Promise<never>(() => {});
    };
    return { ...call, close };
  };
  const { sourceParts } = await import("../../../src/run/runner/plan/mod.ts");
  const { runScenarios } = await import("../../../src/run/runner/mod.ts");
  const parts = await sourceParts({ ...base, open }, NOW);
  const hi = scenario("hi").says("Hi").excludes("sorry");
  const { results } = await runScenarios(parts.graph, [hi], parts.options, { ...parts.context, timers });
  assert.match(results[0]?.errorMessage ?? "", /\(silence\): it did not close the call within 10000 ms/);
});

test("options that belong to the agent are refused", async () => {
  const hi = scenario("hi").says("Hi").includes("Hello");
  const wrong: readonly RunOptions[] = [
    { tools: {} },
    { turn: "fused" },
    { liveTools: { hosts: ["example.com"] } },
    { models: { agent: "offline" } },
    { models: { fromScenarios: true } },
  ];
  for (const options of wrong)
    await assert.rejects(run(desk(), [hi], { ...NOW, ...options }), /has no meaning for an agent where it runs/);
  await assert.rejects(run(DESK, [hi], { ...NOW, connection: {} }), /option connection has no meaning for a graph/);
});

test("repeats, gates, variance and statistics work over a connection", async () => {
  let calls = 0;
  const flaky = connect.custom({ agent: () => (++calls % 2 === 0 ? "No" : "Yes") });
  const options = { ...NOW, repeat: { times: 4, gate: { minPassRate: 0.5 } as const, sequential: false } };
  const report = await run(flaky, [scenario("yes").says("Hi").includes("yes")], options);
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "fail", "pass", "fail"],
  );
  assert.equal(report.passed, true);
  assert.equal(report.results[0]?.latency?.length, 1);
});

test("a run is resumed only with the same agent: its version, or the version of the code, shows that", async () => {
  const store = await openStore(":memory:");
  const hi = scenario("hi").says("Hi").includes("Hello");
  const agent = (version?: string) =>
    connect.custom({ name: "shop", agent: () => "Hello", ...(version === undefined ? {} : { version }) });
  const one = await run(agent("1"), [hi], { ...NOW, store });
  const again = await run(agent("1"), [hi], { ...NOW, store, share: { resume: one.id } });
  assert.deepEqual(
    again.results.map(({ id }) => id),
    one.results.map(({ id }) => id),
  );
  await assert.rejects(run(agent("2"), [hi], { ...NOW, store, share: { resume: one.id } }), { code: "different-plan" });
  const nameless = await run(agent(), [hi], { ...NOW, store });
  const resumed = run(agent(), [hi], { ...NOW, store, share: { resume: nameless.id } });
  await assert.rejects(resumed, /the agent "shop" may have changed/);
  const { run: stored } = await store.showRun(one.id);
  assert.equal(stored.models.agent, "connection/shop@1");
  assert.deepEqual(Reflect.get(Object(stored.options.connection), "version"), "1");
  await store.close();
});

const NEVER = { verb: "never", points: [{ node: "manager" }] } as const;

test("policies and the flow judge need a graph's engine", async () => {
  const hi = scenario("hi").says("Hi").includes("Hello");
  const judging = { flow: true, policies: [{ name: "no manager", rules: [NEVER] }] };
  const refused = run(desk(), [hi], { ...NOW, judging });
  await assert.rejects(refused, /needs a graph's engine for (policy "no manager"|flow)/);
  const told = await run(desk(), [hi], { ...NOW, judging, connection: { unchecked: "report" } });
  assert.equal(told.results[0]?.status, "pass");
  assert.deepEqual(told.results[0]?.connection?.notChecked?.map(({ kind }) => kind).toSorted(), ["flow", "policy"]);
});
