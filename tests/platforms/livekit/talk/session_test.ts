import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { type AgentConnection, type RunReport, run, scenario } from "../../../../mod.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { statuses } from "../../connections/_runs.ts";
import { frame, startLiveKit, type WorkerOptions } from "./_workers.ts";

const REAL = { allowRealTools: true } as const;
const ENDS = { transfers: ["transfer_call"], hangUpMs: 0 } as const;

/** Runs scenarios with workers of a test, one call after another. */
async function runWith(options: WorkerOptions, scenarios = DESK_SCENARIOS, more: { readonly opening?: boolean } = {}) {
  await using workers = await startLiveKit(options);
  const agent = connect.livekit({ listen: workers.address, name: "desk", ...ENDS, ...more });
  const report = await run(agent, scenarios, {
    store: false,
    limits: { concurrency: 1 },
    connection: { ...REAL, unchecked: "report" },
  });
  return { report, taken: workers.taken };
}

const VARIANTS: readonly (readonly [string, WorkerOptions, { readonly opening?: boolean }])[] = [
  ["words before the worker connects", {}, {}],
  ["words said later", { opening: "later" }, { opening: true }],
  ["words said later, which nobody expects", { opening: "later" }, {}],
  ["words whose end was not heard", { opening: "unheard" }, {}],
  ["whole answers", { completeAnswers: true }, { opening: true }],
  ["messages in pieces of 7 bytes", { pieces: 7 }, { opening: true }],
  ["a worker that leaves before it answers", { leaves: "before" }, { opening: true }],
];

for (const [name, options, more] of VARIANTS) {
  test(`the help desk's scenarios pass with a worker of LiveKit Agents: ${name}`, async () => {
    const { report } = await runWith(options, DESK_SCENARIOS, more);
    assert.deepEqual(
      statuses(report),
      DESK_SCENARIOS.map(() => "pass"),
    );
    const [first] = report.results;
    assert.deepEqual(
      first?.connection?.notChecked?.map(({ kind }) => kind),
      ["extracts", "extracts", "extracts", "mocks"],
    );
    assert.equal(first?.transcript[0]?.role, "assistant");
  });
}

test("tool calls have arguments, results and outcomes", async () => {
  const { report } = await runWith({}, DESK_SCENARIOS.slice(1, 2));
  assert.deepEqual(
    report.results[0]?.toolsCalled.map(({ name, arguments: args, result, outcome, mocked }) => [
      name,
      args,
      result,
      outcome,
      mocked,
    ]),
    [
      ["look_up_order", { order_number: "B-77" }, "no such order", "failed", false],
      ["look_up_order", { order_number: "A-1042" }, { status: "shipped", arrives: "Friday" }, "succeeded", false],
      ["end_call", {}, "say goodbye to the user", "succeeded", false],
    ],
  );
});

test("a worker that leaves after the last turn, or just before another one, ended the call", async () => {
  await using workers = await startLiveKit({ endTool: "finish" });
  const given = { listen: workers.address, name: "desk", opening: true };
  const agent = connect.livekit({ ...given, endTools: ["finish"] });
  const lines = ["I ask for a manager!", "Goodbye."];
  const ends = scenario("last")
    .says(...lines)
    .ends("agent_ended");
  const speaks = scenario("another")
    .says(...lines, "Are you still there?")
    .ends("agent_ended");
  const options = { store: false, limits: { concurrency: 1 }, connection: REAL } as const;
  const report = await run(agent, [ends, speaks], options);
  assert.deepEqual(statuses(report), ["pass", "pass"]);
  // without the tool's name, it may have crashed
  const unknown = await run(connect.livekit(given), [ends, speaks], options);
  for (const status of statuses(unknown))
    assert.match(status, /^error: .*\(ended-early\): its worker left, and had called no tool that ends the call/);
});

test("a worker whose tools may not run is refused before the caller speaks", async () => {
  await using workers = await startLiveKit();
  const agent = connect.livekit({ listen: workers.address, name: "desk" });
  const report = await run(agent, [scenario("hi").says("Hi").excludes("sorry")], { store: false });
  assert.match(
    statuses(report)[0] ?? "",
    /^error: .*\(refused\): its tools cannot be mocked and would run: look_up_order/,
  );
  assert.ok(workers.taken.every(({ kind }) => kind !== "runInput"));
});

test("tools of another agent than the first one do not run unnoticed", async () => {
  await using workers = await startLiveKit({ tools: [] });
  const agent = connect.livekit({ listen: workers.address, name: "desk" });
  const asks = scenario("asks").says("Where is order A-1042?").includes("Friday");
  const report = await run(agent, [asks], { store: false });
  assert.match(statuses(report)[0] ?? "", /^error: .*\(refused\): tools ran that cannot be mocked: look_up_order/);
});

test("a wrong reply fails the scenario", async () => {
  const wrong = scenario("wrong").says("Where is my order?", "It is A-1042.").includes("lost at sea");
  const { report } = await runWith({}, [wrong]);
  assert.equal(report.results[0]?.status, "fail");
});

test("an agent that does not speak first has no opening", async () => {
  const asks = scenario("asks").says("Where is my order?").includes("order number");
  for (const opening of [false, undefined]) {
    const { report } = await runWith({ opening: "never" }, [asks], opening === undefined ? {} : { opening });
    assert.deepEqual(statuses(report), ["pass"]);
    assert.equal(report.results[0]?.transcript[0]?.role, "user");
  }
});

test("an agent that should speak first and does not is an error", async () => {
  const { report } = await runQuick({ opening: "never" }, { opening: true });
  assert.match(statuses(report)[0] ?? "", /^error: .*\(silence\)|took too long|within/);
});

async function runQuick(options: WorkerOptions, more: { readonly opening?: boolean } = {}) {
  await using workers = await startLiveKit(options);
  const agent = connect.livekit({ listen: workers.address, name: "desk", ...more });
  const hi = scenario("hi").says("Hi", "And?").excludes("sorry");
  return { report: await runHi(agent, hi), workers };
}

async function runHi(
  agent: AgentConnection,
  hi: ReturnType<typeof scenario>,
  turnTimeoutMs = 1_500,
): Promise<RunReport> {
  return await run(agent, [hi], { store: false, limits: { turnTimeoutMs }, connection: REAL });
}

const FAULTS: readonly (readonly [string, string, WorkerOptions])[] = [
  [
    "an error for a turn",
    "vendor",
    {
      instead: ({ kind }) =>
        kind === "runInput" ? { error: "trying to generate reply without an LLM model" } : undefined,
    },
  ],
  ["no answer to a turn", "silence", { instead: ({ kind }) => (kind === "runInput" ? "silent" : undefined) }],
  ["no answer at all", "silence", { instead: () => "silent" }],
  [
    "leaving in the middle of a turn",
    "ended-early",
    { instead: ({ kind }) => (kind === "runInput" ? "leaves" : undefined) },
  ],
  ["leaving at once", "ended-early", { instead: () => "leaves" }],
  ["bytes that are no message", "vendor", { instead: () => frame(new Uint8Array([0x0f, 1, 2])) }],
  ["a field that is cut off", "vendor", { instead: () => frame(new Uint8Array([0x2a, 40, 1, 2])) }],
  ["a message that is too long", "vendor", { instead: () => new Uint8Array([0x7f, 0, 0, 0]) }],
  ["half a message", "silence", { instead: () => new Uint8Array([0, 0, 0, 9, 1]) }],
  [
    "the answer to another request",
    "vendor",
    { instead: ({ kind }, number) => (kind === "runInput" ? otherAnswer(number) : undefined) },
  ],
];

function otherAnswer(number: number): Uint8Array {
  const id = new TextEncoder().encode(`request_${number}`);
  return frame(new Uint8Array([0x2a, id.length + 4, 0x0a, id.length, ...id, 0x62, 0]));
}

for (const [name, kind, options] of FAULTS) {
  test(`${name}: the call ends with ${kind}, and nothing stays open`, async () => {
    await using workers = await startLiveKit(options);
    const agent = connect.livekit({ listen: workers.address, name: "desk" });
    const hi = scenario("hi").says("Hi", "And?").excludes("sorry");
    const { results } = await runHi(agent, hi, kind === "silence" ? 1_500 : 60_000);
    assert.equal(results[0]?.status, "error");
    assert.match(results[0]?.errorMessage ?? "", kind === "silence" ? /silence|1500 ms/ : new RegExp(`\\(${kind}\\)`));
    assert.ok(workers.taken.filter((request) => request.kind === "runInput").length <= 1);
  });
}
