import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../api/connect.ts";
import { formatReport } from "../../../api/reporters.ts";
import { type AgentConnection, estimate, flow, run, scenario, scripted } from "../../../mod.ts";

const hi = (name: string) => scenario(name).says("Hi").includes("Hello");
const many = Array.from({ length: 10 }, (_, index) => hi(`call ${index}`));

/** An agent whose platform charges for each call; `undefined`: it does not say how much. */
function charging(costUsd: number | undefined, more: Partial<AgentConnection> = {}): AgentConnection {
  const base = connect.custom({ name: "desk", version: "1", agent: () => "Hello" });
  return {
    ...base,
    reportsCost: true,
    ...more,
    open: async (options) => ({
      ...(await base.open(options)),
      close: async () => (costUsd === undefined ? {} : { costUsd }),
    }),
  };
}

const ONE = { store: false, limits: { concurrency: 1, maxCostUsd: 0.1 } } as const;

test("a run stops when the platform has charged as much as the limit", async () => {
  const report = await run(charging(0.04), many, ONE);
  const statuses = report.results.map(({ status }) => status);
  assert.deepEqual(statuses, ["pass", "pass", "pass", ...Array(7).fill("cancelled")]);
  assert.match(report.stopped ?? "", /its calls have cost \$0\.12, and the limit is \$0\.10/);
  assert.equal(report.passed, false);
  assert.match(formatReport(report), /The platform charged \$0\.12 for 3 calls/);
});

test("what a call has cost counts while it waits for others to be judged with", async () => {
  const agent = charging(0.04);
  let opened = 0;
  const counted: AgentConnection = {
    ...agent,
    open: async (options) => {
      opened += 1;
      return await agent.open(options);
    },
  };
  const judge = scripted({ replies: [] });
  const polite = many.map((_, index) => scenario(`call ${index}`).says("Hi").eachReply("is courteous"));
  const report = await run(counted, polite, { ...ONE, models: { judge } });
  assert.deepEqual([opened, report.counts.cancelled, judge.calls.length], [3, 10, 0]);
  assert.match(report.stopped ?? "", /its calls have cost \$0\.12, and the limit is \$0\.10/);
});

test("a call whose cost is not known stops a run with a limit, and no other", async () => {
  const report = await run(charging(undefined), many, ONE);
  assert.equal(report.counts.pass, 1);
  assert.match(report.stopped ?? "", /what a call cost is not known/);
  const free = await run(charging(undefined), many, { store: false });
  assert.equal(free.counts.pass, 10);
});

test("a price for each reply counts where the platform does not say what a call cost", async () => {
  const agent = charging(undefined, { reportsCost: false, costPerReplyUsd: { least: 0.0078125, most: 0.015625 } });
  const report = await run(agent, many, ONE);
  assert.equal(report.counts.pass, 4, "two replies of 1.6 cents at most for each call");
  const { roles, total, unpriced } = estimate(agent, many);
  assert.deepEqual(roles.agent.calls, { least: 10, most: 20, worst: 20 });
  assert.deepEqual(total.costUsd, { least: 0.078125, most: 0.3125 });
  assert.deepEqual(unpriced, []);
});

test("a limit that could never be reached is refused before the first call", async () => {
  const unknown = connect.custom({ name: "desk", agent: () => "Hello" });
  await assert.rejects(run(unknown, many, ONE), /what calls of "desk" cost is unknown/);
  assert.deepEqual(estimate(unknown, many).unpriced, ["desk"]);
  const graph = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
  const local = { models: { agent: "local/unknown" }, ...ONE } as const;
  process.env.LOCAL_BASE_URL = "http://127.0.0.1:9/v1";
  try {
    await assert.rejects(
      run(graph, [scenario("a", graph).says("Hi").visits("greet")], local),
      /price of .*unknown is unknown/,
    );
  } finally {
    delete process.env.LOCAL_BASE_URL;
  }
});

test("a limit of the cost is for the run, and no setting of its calls", async () => {
  const graph = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
  const one = (name: string) => scenario(name, graph).says("Hi").visits("greet");
  const all = many.map((_, index) => one(`call ${index}`));
  const agent = scripted({ respond: all.flatMap(() => ["Hello", "Hello"]) });
  const free = await run(graph, all, { store: false, models: { agent }, limits: { maxCostUsd: 5 } });
  assert.equal(free.counts.pass, all.length, "a model of the package costs nothing");
});

test("calls with an agent elsewhere keep to the limit of its platform", async () => {
  let [open, most] = [0, 0];
  const base = connect.custom({
    name: "desk",
    agent: async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return "Hello";
    },
  });
  await run({ ...base, maxCalls: 3 }, many, { store: false });
  assert.ok(most <= 3, `${most} calls at once`);
});
