import assert from "node:assert/strict";
import { test } from "node:test";
import { boolean, flow, number, scenario, text } from "../../../dsl/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { reportOf, run, runScenarios } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { TestClock } from "../../test_clock.ts";

const shop = flow("shop", { variables: { price: number("Price"), member: boolean("Member"), name: text("Name") } })
  .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("ask", "Caller wants something")] })
  .extract("ask", { fills: ["price", "member", "name"], next: ({ to }) => [to("bye")] })
  .end("bye", { prompt: "Say the price." })
  .compile();

const agent = () =>
  scripted({
    respond: ["Hello", "It is 30 dollars. Goodbye."],
    transition: [{ objectives_complete: true, transition_to: "ask" }],
    extract: [{ price: 30, member: true, name: "Jo" }],
  });
const call = (name = "priced") => scenario(name, shop).says("The lamp, please");
const options = { store: false } as const;
const runCall = async (one: Parameters<typeof run>[1][number], more: Parameters<typeof run>[2] = {}) => {
  const { results } = await run(shop, [one], { ...options, models: { agent: agent() }, ...more });
  const [result] = results;
  assert.ok(result);
  return result;
};

test("run() passes the finished call with typed variables to a custom check", async () => {
  let seen: unknown;
  const { status, checks } = await runCall(
    call().check("says the price", (finished) => {
      const { variables, nodesVisited, turnCount, endReason, transcript } = finished;
      seen = [variables.price, variables.member, variables.name, nodesVisited, turnCount, endReason];
      return transcript.some(
        ({ role, content }) => role === "assistant" && content.includes(`${variables.price} dollars`),
      );
    }),
  );
  assert.deepEqual(seen, [30, true, "Jo", ["greet", "ask", "bye"], 1, "agent_ended"]);
  assert.equal(status, "pass");
  assert.deepEqual(checks, [{ kind: "check", expected: "says the price", passed: true, reason: "it returned true" }]);
});

test("run() accepts a boolean, a score, a thrown assertion or undefined from a check, also as promises", async () => {
  const verdicts = [
    [() => true, "pass"],
    [() => false, "fail"],
    [async () => true, "pass"],
    [async () => false, "fail"],
    [() => 0.7, "pass"],
    [() => 0.69, "fail"],
    [async () => 1, "pass"],
    [() => 0, "fail"],
    [() => assert.equal(1, 1), "pass"],
    [() => assert.equal(1, 2, "one is not two"), "fail"],
    [async () => assert.equal(1, 2, "one is not two"), "fail"],
    [() => Promise.reject(new Error("one is not two")), "fail"],
  ] as const;
  for (const [index, [judge, expected]] of verdicts.entries()) {
    const { status, checks } = await runCall(call().check("mine", judge));
    assert.equal(status, expected, `verdict ${index}`);
    if (index >= 9) assert.match(checks[0]?.reason ?? "", /one is not two/);
  }
});

test("run() prefers a check's own threshold to the run's", async () => {
  const built = call()
    .check("own", () => 0.5, { threshold: 0.4 })
    .check("run's", () => 0.5);
  const { checks } = await runCall(built, { judging: { threshold: 0.6 } });
  assert.deepEqual(
    checks.map(({ expected, passed, score, threshold }) => [expected, passed, score, threshold]),
    [
      ["own", true, 0.5, 0.4],
      ["run's", false, 0.5, 0.6],
    ],
  );
});

test("run() never passes a check with another return value, a bug or no answer", async () => {
  const answers: readonly unknown[] = ["yes", "", null, Number.NaN, 2, -0.1, {}, [], () => true, 1n, Symbol("yes")];
  for (const answer of answers) {
    const { status, errorMessage } = await runCall(call().check("mine", () => answer as boolean)); // what JavaScript may return
    assert.equal(status, "error", String(typeof answer));
    assert.match(errorMessage ?? "", /^Cannot use check "mine": it returned /);
  }
  const missing: { readonly length: number } | undefined = undefined as { readonly length: number } | undefined;
  const mistaken = await runCall(call().check("mine", () => (missing as { readonly length: number }).length > 0)); // a mistake
  assert.equal(mistaken.status, "error");
  assert.match(mistaken.errorMessage ?? "", /it threw TypeError/);
  const clock = new TestClock();
  let aborted = false;
  const hanging = call().check(
    "mine",
    (_, { signal }) => {
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      clock.advance(500);
      return new Promise<boolean>(() => {});
    },
    { checkTimeoutMs: 500 },
  );
  const given = { ...options, models: { agent: agent() } };
  const [late] = (await runScenarios(shop, [hanging], given, { timers: clock })).results;
  assert.equal(late?.status, "error");
  assert.match(late?.errorMessage ?? "", /it took longer than 500 ms/);
  assert.equal(aborted, true);
});

test("run() names the check that throws an unreadable value", async () => {
  const boom = () => {
    throw new RangeError("boom");
  };
  const revocable = Proxy.revocable(new Error("x"), {});
  revocable.revoke();
  const thrown: readonly unknown[] = [
    Object.defineProperty(new Error("x"), "message", { get: boom }),
    Object.defineProperty(new Error("x"), "name", { get: boom }),
    {
      get message() {
        return boom();
      },
    },
    revocable.proxy,
  ];
  for (const error of thrown) {
    const { status, errorMessage } = await runCall(
      call().check("mine", () => {
        throw error;
      }),
    );
    assert.equal(status, "error");
    assert.match(errorMessage ?? "", /^Cannot use check "mine": an unreadable value was thrown \(/);
  }
});

test("run() keeps the other checks' results when a custom check breaks", async () => {
  const { status, checks } = await runCall(
    call()
      .includes("30 dollars")
      .check("mine", () => "yes" as unknown as boolean),
  ); // what JavaScript may return
  assert.equal(status, "error");
  assert.deepEqual(
    checks.map(({ kind, passed }) => [kind, passed]),
    [["includes", true]],
  );
});

test("a check that changes its argument does not change stored results", async () => {
  const { transcript, nodesVisited } = await runCall(
    call().check("mine", (finished) => {
      Object.assign(finished.transcript[0] ?? {}, { content: "changed" });
      Reflect.apply(Array.prototype.push, finished.nodesVisited, ["changed"]);
      return true;
    }),
  );
  assert.equal(transcript[0]?.content, "Hello");
  assert.deepEqual(nodesVisited, ["greet", "ask", "bye"]);
});

test("run() cancels a check with the run", async () => {
  const controller = new AbortController();
  const built = call().check("mine", () => {
    controller.abort();
    return new Promise<boolean>(() => {});
  });
  assert.equal((await runCall(built, { signal: controller.signal })).status, "cancelled");
});

test("custom checks are stored like any other", async () => {
  await using store = await openStore(":memory:");
  const report = await run(shop, [call().check("mine", () => 0.2)], { models: { agent: agent() }, store });
  const stored = await store.showRun(report.id);
  assert.ok(stored);
  assert.deepEqual(reportOf(stored).results[0]?.checks, report.results[0]?.checks);
  assert.equal(report.results[0]?.checks[0]?.reason, "it scores 0.2, needs 0.7");
});

test("a caller with lines and a persona says the lines first, then plays the persona", async () => {
  const chat = flow("chat").conversation("chat", { prompt: "Chat." }).compile();
  const caller = scripted({ caller: [{ message: "And a lamp.", should_end: true }] });
  const built = scenario("both", chat).persona("You are Jo.").says("Hi", "A chair, please").ends("caller_ended");
  const models = { agent: scripted({}), caller };
  const { results } = await run(chat, [built], { ...options, models });
  const said = results[0]?.transcript.filter(({ role }) => role === "user").map(({ content }) => content);
  assert.deepEqual(said, ["Hi", "A chair, please", "And a lamp."]);
  assert.equal(caller.calls.length, 1);
  assert.equal(results[0]?.status, "pass");
});

test("reportOf() does not pass an empty or unfinished run", async () => {
  await using store = await openStore(":memory:");
  const head = {
    kind: "simulated",
    agent: "shop",
    graph: shop,
    models: { agent: "m", caller: "m", judge: "m" },
  } as const;
  const { id } = await store.startRun({ ...head, startedAt: new Date(0).toISOString(), options: {} });
  const report = await run(shop, [call().check("mine", () => true)], { ...options, models: { agent: agent() } });
  const [result] = report.results;
  assert.ok(result);
  await store.addResult(id, result);
  assert.equal(reportOf(await store.showRun(id)).passed, false);
  await store.finishRun(id);
  assert.equal(reportOf(await store.showRun(id)).passed, true);
  const empty = await store.startRun({ ...head, startedAt: new Date(0).toISOString(), options: {} });
  await store.finishRun(empty.id);
  assert.equal(reportOf(await store.showRun(empty.id)).passed, false);
});
