import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { SYSTEM_CLOCK } from "../../../src/base/values/mod.ts";
import { type Caller, checkedCaller } from "../../../src/call/callers/mod.ts";
import { conversation, createCallbackGuard } from "../../../src/call/engine/mod.ts";
import { createCallClock, type ScriptedQueues, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { CallbackError, type RunOptions, run, runScenarios } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { TestClock } from "../../test_clock.ts";

const graph = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "Talk.", tools: [{ name: "look" }] } } });
const scenarios = ["one", "two"].map((name) => ({ name, says: ["Hi"], visits: ["a"] }));
const look = { toolCalls: [{ name: "look", arguments: {} }] };
const agent = () => scripted({ respond: [look, look, "Found", "Found", "Well", "Well"] });
const boom = () => {
  throw new Error("boom");
};

/** What a run that must fail has thrown. */
async function failure(options: unknown, context: Parameters<typeof runScenarios>[3] = {}): Promise<unknown> {
  // the point is what plain JavaScript may pass
  const given = { models: { agent: agent() }, tools: { look: () => 1 }, store: false, ...(options as object) };
  return await runScenarios(graph, scenarios, given as RunOptions, context).then(
    () => assert.fail("the run has succeeded"),
    (error: unknown) => error,
  );
}

test("a failing listener does not stop the run and is reported afterwards", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callweave-"));
  try {
    for (const [index, name] of ["onResult", "onProgress", "onToken", "onMessage", "onTool"].entries())
      for (const callback of [boom, async () => boom(), () => Promise.reject(null)]) {
        const url = join(folder, `${index}.db`);
        const error = await failure({ listeners: { [name]: callback }, store: url });
        assert.ok(error instanceof CallbackError, String(error));
        assert.deepEqual([error.code, error.path], ["callback-failed", [name]]);
        assert.deepEqual(error.report.counts.pass, 2);
        await using store = await openStore(url);
        const stored = await store.findRun(error.report.id);
        assert.notEqual(stored.finishedAt, null);
        assert.equal(stored.counts.pass, 2);
      }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a listener's promise that never settles is awaited up to a limit", async () => {
  const guard = createCallbackGuard();
  guard.wrap("onResult", () => new Promise(() => {}))();
  const clock = new TestClock();
  const settled = guard.settle(1_000, clock);
  clock.advance(1_000);
  await settled;
  const failure = guard.takeFailure();
  assert.equal(failure?.name, "onResult");
  assert.match(String(failure?.error), /did not settle within 1000 ms/);
});

test("run() awaits a listener's promise that never settles as long as a turn may take", async () => {
  const timers = {
    ...SYSTEM_CLOCK,
    after: (ms: number, done: () => void) => {
      if (ms === 50) queueMicrotask(done);
      return () => {};
    },
  };
  const standing = { startCall: () => createCallClock(new TestClock()) };
  const options = {
    limits: { turnTimeoutMs: 50 },
    listeners: { onResult: () => new Promise(() => {}) },
    clock: standing,
  };
  const error = await failure(options, { timers });
  assert.ok(error instanceof CallbackError);
  assert.match(error.message, /did not settle within 50 ms/);
});

test("a broken clock is rejected before the first call, and replaced during a run", async () => {
  for (const time of [undefined, null, 5, "2026-01-01", Number.NaN, new Date(Number.NaN), {}]) {
    const error = await failure({ clock: { now: () => time } });
    assert.ok(isCallweaveError(error));
    assert.deepEqual([error.code, error.path], ["callback-return", ["clock", "now"]]);
  }
  let asked = 0;
  const error = await failure({ clock: { now: () => (asked++ > 2 ? "later" : new Date(0)) } });
  assert.ok(error instanceof CallbackError);
  assert.deepEqual([error.path, error.report.counts.pass], [["clock", "now"], 2]);
});

test("a custom caller with an answer of the wrong shape is an error", async () => {
  const moves = [{}, null, undefined, 5, "Hi", { say: 5 }, { say: null }, { hangUp: "bored" }, { say: "x", hangUp: 1 }];
  for (const move of moves) {
    const createCaller = () => ({ next: async () => move });
    const report = await run(graph, scenarios, { store: false, createCaller } as never as RunOptions);
    for (const { status, errorMessage: message } of report.results) {
      assert.equal(status, "error", JSON.stringify(move));
      assert.match(
        message ?? "",
        /the caller's next\(\).*\(Return \{ say: "…" \}, \{ hangUp: "caller_ended" \} or both\)/,
      );
    }
  }
  for (const caller of [5, "x", {}, { next: 1 }, [], Promise.resolve({ next: boom })]) {
    const report = await run(graph, scenarios, { store: false, createCaller: () => caller } as never as RunOptions);
    assert.match(report.results[0]?.errorMessage ?? "", /createCaller\(\) returned/);
  }
  const scripts = ["caller_ended", "caller_exhausted"] as const;
  for (const hangUp of scripts) {
    const report = await run(graph, scenarios, {
      store: false,
      createCaller: () => ({ next: async () => ({ hangUp }) }),
    });
    assert.equal(report.results[0]?.endReason, hangUp);
  }
});

test("a custom caller that never answers times out, and its signal is aborted", async () => {
  const clock = {
    now: () => 0,
    pause: () => () => {},
    after: (_ms: number, done: () => void) => {
      queueMicrotask(done);
      return () => {};
    },
  };
  let signal: AbortSignal | undefined;
  const next: Caller["next"] = (_history, options) => {
    signal = options?.signal;
    return new Promise(() => {});
  };
  const caller = checkedCaller({ next }, { limitMs: 7, clock });
  await assert.rejects(caller.next([]), { code: "callback-failed", message: /did not answer within 7 ms/ });
  assert.equal(signal?.aborted, true);
});

test("a cancelled call of a custom caller that never answers leaves no timer, which would keep the process alive", async () => {
  const timers = new Set<() => void>();
  const clock = {
    now: () => 0,
    pause: () => () => {},
    after: (_ms: number, done: () => void) => {
      timers.add(done);
      return () => void timers.delete(done);
    },
  };
  const caller = checkedCaller({ next: () => new Promise(() => {}) }, { limitMs: 7, clock });
  const controller = new AbortController();
  const move = caller.next([], { signal: controller.signal });
  assert.equal(timers.size, 1);
  controller.abort(new Error("cancelled"));
  await assert.rejects(move, /cancelled/);
  assert.equal(timers.size, 0);
});

test("a variable that JSON cannot represent is rejected before the first call", async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const value of [circular, { big: 1n }, { toJSON: boom }]) {
    const model = agent();
    const given = { models: { agent: model }, store: false } as const;
    const wanted = { code: "invalid-option", path: ["variables", "x"] };
    await assert.rejects(run(graph, scenarios, { ...given, variables: { x: value } }), wanted);
    assert.throws(() => conversation(graph, { models: { agent: model }, variables: { x: value } }), wanted);
    await assert.rejects(
      run(graph, [{ name: "x", says: ["Hi"], dynamic_variables: { x: value } }], given),
      isCallweaveError,
    );
    assert.equal(model.calls.length, 0);
  }
});

test("wrong middleware and call clocks are errors that name their option", async () => {
  const middleware = (wrapGenerate: unknown) => ({ specificationVersion: "v3", wrapGenerate });
  const clock = { now: () => 0, pause: () => () => {}, after: () => () => {} };
  for (const [requests, option, timer = clock] of [
    [{ around: () => 5 }, "around"],
    [{ around: () => [null] }, "around"],
    [{ around: () => [{}] }, "around"],
    [{ around: () => [middleware(async () => undefined)] }, "around"],
    [{ around: () => [middleware(async () => ({ content: [null] }))] }, "around"],
    [{ within: [5] }, "within"],
    [{ within: [middleware(async () => ({}))] }, "within"],
    [{}, "clock", { ...clock, now: () => "soon" }],
    [{}, "clock", { now: () => 0 }],
    [
      {
        within: [middleware(({ doGenerate }: never) => (doGenerate as () => never)())],
      },
      "clock",
      { ...clock, pause: () => null },
    ],
  ] as const) {
    const model = agent();
    const open = async () =>
      await conversation(graph, {
        models: { agent: model },
        requests,
        clock: { startCall: () => timer },
      } as never).open();
    await assert.rejects(open, { code: "callback-return", path: [option] }, JSON.stringify(requests));
  }
});

test("a scripted answer that JSON cannot represent names its queue", async () => {
  for (const answer of [() => undefined, () => Promise.resolve({}), () => ({ big: 1n })]) {
    const queues: ScriptedQueues = { extract: [answer] };
    const extract = { a: { node_type: "extract", variables_to_extract: [{ name: "x" }] } };
    const call = conversation(parseGraph({ entry_node_id: "a", nodes: extract }), {
      models: { agent: scripted(queues) },
    });
    await assert.rejects(call.open(), { code: "callback-return", path: ["extract"] });
  }
});

test("a failing listener of a conversation is reported after its turn, and the call continues", async () => {
  let messages = 0;
  const call = conversation(graph, {
    models: { agent: scripted({ respond: ["Hello", "Well"] }) },
    listeners: {
      onMessage: () => {
        if (++messages === 1) boom();
      },
    },
  });
  await assert.rejects(call.open(), { code: "callback-failed", path: ["onMessage"], message: /boom/ });
  assert.deepEqual((await call.hear("Hi")).spoken, ["Well"]);
});

test("a callback that throws an unreadable value causes a typed error only", async () => {
  const unreadable = () => Object.defineProperty(new Error("x"), "message", { get: boom });
  const revocable = Proxy.revocable({}, {});
  revocable.revoke();
  for (const make of [unreadable, () => revocable.proxy, () => Object.assign(new Error("x"), { message: 5 })]) {
    const thrower = () => {
      throw make();
    };
    for (const [group, name, path] of [
      ["listeners", "onResult", ["onResult"]],
      ["listeners", "onTool", ["onTool"]],
      ["clock", "now", ["clock", "now"]],
    ] as const) {
      const error = await failure({ [group]: { [name]: thrower } });
      assert.ok(isCallweaveError(error));
      assert.deepEqual([error.code, error.path], ["callback-failed", path]);
    }
    for (const [name, option] of Object.entries({
      createCaller: { createCaller: thrower },
      next: { createCaller: () => ({ next: thrower }) },
      around: { requests: { around: thrower } },
    })) {
      const given: unknown = { models: { agent: agent() }, tools: { look: () => 1 }, store: false, ...option };
      const { results } = await run(graph, scenarios, given as RunOptions); // what plain JavaScript may pass
      for (const { status, errorMessage: message } of results) {
        assert.equal(status, "error", name);
        assert.match(message ?? "", /an unreadable value was thrown|5/);
      }
    }
  }
});

test("a scenario that expects failure does not pass because its caller throws undefined", async () => {
  const createCaller = () => ({ next: () => Promise.reject() });
  const { results } = await run(graph, [{ name: "one", says: ["Hi"], ends: "failed" }], {
    models: { agent: agent() },
    tools: { look: () => 1 },
    store: false,
    createCaller,
  });
  assert.deepEqual([results[0]?.status, results[0]?.errorMessage], ["error", "undefined was thrown"]);
});
