import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate, replay } from "../../../api/calls.ts";
import { connect } from "../../../api/connect.ts";
import { conversation, flow, parseScenarios, run, scenario, tool } from "../../../mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { scenarioFingerprint } from "../../../src/document/scenario/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";

interface Order {
  status: string;
}

const orderOf = (orders: unknown, id: string): Order | undefined =>
  typeof orders === "object" && orders !== null ? Reflect.get(orders, id) : undefined;

const cancel = tool({
  name: "cancel_order",
  description: "Cancels an order",
  execute: (args: { readonly [name: string]: unknown }, call) => {
    const order = orderOf(call?.state?.orders, String(args.id));
    if (!order) throw new Error("Order not found");
    order.status = "cancelled";
    return { ...order };
  },
});
const shop = flow("shop", { tools: [cancel] })
  .conversation("serve", { prompt: "Serve the caller.", tools: ["cancel_order"] })
  .compile();

const ORDERS = { "#W1": { status: "pending", items: ["lamp"] }, W2: { status: "pending", items: [] } };

/** An agent that cancels orders in its first turn. */
const agent = (...ids: readonly string[]) =>
  scripted({
    respond: [
      "Hello",
      ...ids.map((id) => ({ toolCalls: [{ name: "cancel_order", arguments: { id } }] })),
      ...Array.from({ length: 4 }, () => "Done."),
    ],
  });
const call = (name = "cancels") => scenario(name, shop).says("Cancel my order").toolState({ orders: ORDERS });
const runOne = async (one: Parameters<typeof run>[1][number], ids: readonly string[] = ["#W1"], more = {}) => {
  const { results } = await run(shop, [one], { store: false, models: { agent: agent(...ids) }, ...more });
  const [result] = results;
  assert.ok(result);
  return result;
};

test("run() compares the tools' state after a call with the expected values, and names the places that differ", async () => {
  const expected = call().endState({ orders: { "#W1": { status: "cancelled" }, W2: { status: "pending" } } });
  const good = await runOne(expected);
  assert.deepEqual(
    [good.status, good.checks.map(({ kind, reason }) => [kind, reason])],
    ["pass", [["end_state", "the state has these values"]]],
  );
  const bad = await runOne(expected, ["W2"]);
  assert.equal(bad.status, "fail");
  assert.equal(
    bad.checks[0]?.reason,
    'orders["#W1"].status: expected "cancelled", found "pending"; orders.W2.status: expected "pending", found "cancelled"',
  );
  assert.deepEqual(bad.checks[0]?.differs, ['orders["#W1"].status', "orders.W2.status"]);
});

test("each call starts with its own copy of the state of the run, with that of its scenario over it", async () => {
  const orders = structuredClone(ORDERS);
  const toolState = { orders, shop: "Lumen" };
  const one = scenario("one", shop)
    .says("Cancel it")
    .endState({ orders: { "#W1": { status: "cancelled" } }, shop: "Lumen" });
  const two = scenario("two", shop)
    .says("Cancel it")
    .toolState({ orders: { "#W1": null, W3: { status: "new" } } })
    .endState({ orders: { "#W1": null, W2: { status: "pending" }, W3: { status: "new" } } });
  const models = { agent: scripted({ respond: [...Array(2)].flatMap(() => ["Hi", () => CANCEL, "Done."]) }) };
  const { results } = await run(shop, [one, two], { store: false, models, toolState, limits: { concurrency: 1 } });
  assert.deepEqual(
    results.map(({ status, toolsCalled }) => [status, toolsCalled[0]?.outcome]),
    [
      ["pass", "succeeded"],
      ["pass", "failed"],
    ],
  );
  assert.deepEqual(orders, ORDERS);
  let made = 0;
  const make = () => {
    made += 1;
    return structuredClone(toolState);
  };
  const { passed } = await run(shop, [{ ...one.toJSON(), repeat: 2 }], {
    store: false,
    models: { agent: scripted({ respond: [...Array(2)].flatMap(() => ["Hi", () => CANCEL, "Done."]) }) },
    toolState: make,
    limits: { concurrency: 1 },
  });
  assert.deepEqual([passed, made], [true, 2]);
});
const CANCEL = { toolCalls: [{ name: "cancel_order", arguments: { id: "#W1" } }] };

test("a function checks the end state; it may answer, throw and wait, and cannot change what is judged next", async () => {
  const built = call()
    .endState((state) => {
      state.orders = {};
    })
    .endState(
      async (state, { toolsCalled }) =>
        orderOf(state.orders, "#W1")?.status === "cancelled" && toolsCalled.length === 1,
      {
        name: "cancelled once",
      },
    )
    .endState((state) => assert.equal(orderOf(state.orders, "W2")?.status, "shipped"), { name: "W2 is shipped" });
  const { status, checks } = await runOne(built);
  assert.equal(status, "fail");
  assert.deepEqual(
    checks.map(({ kind, expected, passed }) => [kind, expected, passed]),
    [
      ["end_state", "end state", true],
      ["end_state", "cancelled once", true],
      ["end_state", "W2 is shipped", false],
    ],
  );
  assert.deepEqual(built.toJSON().checks, ["end state", "cancelled once", "W2 is shipped"]);
  await assert.rejects(runOne({ ...JSON.parse(JSON.stringify(built)) }), { code: "invalid-scenario" });
});

test("mocks change the state where they say so, also when they fail, and only as often as they answer", async () => {
  const built = call()
    .mock("cancel_order", { output: "ok", times: 1, stateChanges: { orders: { "#W1": { status: "cancelled" } } } })
    .mock("cancel_order", { output: "no", fails: true, stateChanges: { refused: [1], orders: { W2: null } } })
    .endState({ orders: { "#W1": { status: "cancelled", items: ["lamp"] }, W2: null }, refused: [1] });
  assert.equal((await runOne(built, ["#W1", "#W1"])).status, "pass");
  const once = await runOne(built, ["#W1"]);
  assert.deepEqual(once.checks[0]?.differs, ["orders.W2", "refused"]);
});

test("values of the end state are compared as JSON: lists by length and order, numbers are not texts", async () => {
  const state = { n: 5, list: [{ a: 1, b: 2 }, { a: 2 }], empty: null, deep: { x: { y: true } } };
  const statusOf = async (expected: { readonly [name: string]: unknown }) =>
    (await runOne(scenario("s").says("Hi").toolState({ s: state }).endState({ s: expected }), [])).status;
  for (const good of [{ n: 5 }, { list: [{ a: 1 }, {}] }, { empty: null }, { other: null }, { deep: { x: {} } }])
    assert.equal(await statusOf(good), "pass", JSON.stringify(good));
  for (const bad of [
    ...[{ n: "5" }, { n: 6 }, { n: null }, { list: [{ a: 1 }] }, { list: [{ a: 2 }, { a: 1 }] }, { list: {} }],
    ...[{ empty: 0 }, { empty: false }, { deep: { x: [] } }, { deep: { x: { y: "true" } } }, { toString: {} }],
  ])
    assert.equal(await statusOf(bad), "fail", JSON.stringify(bad));
});

test("an end state is a part of the document, of its fingerprint and of the plan of a run", async () => {
  const built = call()
    .endState({ a: { b: 1 } })
    .endState({ a: { c: [2] } });
  const document = built.toJSON();
  assert.deepEqual([document.tool_state, document.end_state], [{ orders: ORDERS }, { a: { b: 1, c: [2] } }]);
  assert.deepEqual(parseScenarios(JSON.parse(JSON.stringify(document)))[0], JSON.parse(JSON.stringify(document)));
  const variants = [built, call(), built.toolState({ x: 1 }), built.endState(() => true), built.endState(() => false)];
  assert.equal(new Set(variants.map((each) => scenarioFingerprint(each.toJSON()))).size, variants.length);
  await using store = await openStore(":memory:");
  const first = { store, models: { agent: agent("#W1") }, share: { codeVersion: "1" } };
  const { id } = await run(shop, [built], first);
  const again = (one: typeof built, more = {}) =>
    run(shop, [one], { ...first, models: { agent: agent("#W1") }, share: { codeVersion: "1", resume: id }, ...more });
  await assert.rejects(again(built.endState({ a: 1 })), { code: "different-plan" });
  await assert.rejects(again(built, { toolState: { a: 1 } }), { code: "different-plan" });
  await again(built);
  for (const wrong of [{}, [], 1])
    assert.throws(
      () => parseScenarios({ name: "x", end_state: wrong }),
      { code: "invalid-scenario" },
      JSON.stringify(wrong),
    );
  assert.throws(() => call().endState({}), { code: "invalid-option" });
  assert.throws(() => call().endState({ a: 1 }, { name: "x" }), { code: "invalid-option" });
});

test("a result is stored with the places that differ", async () => {
  await using store = await openStore(":memory:");
  const { id } = await run(shop, [call().endState({ orders: { W2: { status: "cancelled" } } })], {
    store,
    models: { agent: agent("#W1") },
  });
  const { results } = await store.showRun(id);
  assert.deepEqual(results[0]?.checks[0]?.differs, ["orders.W2.status"]);
});

test("over a connection an end state is refused by name, or not checked", async () => {
  const mute = connect.custom({ name: "mute", agent: () => "Hello there." });
  const built = scenario("state")
    .says("Hi")
    .includes("Hello")
    .toolState({ a: 1 })
    .endState({ a: 2 })
    .endState(() => true, { name: "by code" });
  await assert.rejects(run(mute, [built], { store: false }), (error) => {
    const text = String(error instanceof Error && "issues" in error ? JSON.stringify(error.issues) : error);
    for (const part of ["tool_state", "end_state", "by code"]) assert.ok(text.includes(part), text);
    return error instanceof Error && "code" in error && error.code === "missing-capability";
  });
  const { results } = await run(mute, [built], { store: false, connection: { unchecked: "report" } });
  assert.equal(results[0]?.status, "pass");
  assert.deepEqual(
    results[0]?.connection?.notChecked?.map(({ kind, expected }) => [kind, expected]),
    [
      ["tool_state", '{"a":1}'],
      ["end_state", '{"a":2}'],
      ["end_state", "by code"],
    ],
  );
  const only = scenario("only").says("Hi").endState({ a: 2 });
  await assert.rejects(run(mute, [only], { store: false, connection: { unchecked: "report" } }), {
    code: "missing-capability",
  });
});

test("in replays and stored calls the end state is not known: it is not checked, and does not pass", async () => {
  await using store = await openStore(":memory:");
  const built = call().endState({ orders: { "#W1": { status: "pending" } } });
  const { id, results } = await run(shop, [built], { store, models: { agent: agent("#W1") } });
  assert.equal(results[0]?.status, "fail");
  const again = await replay(id, shop, { store, scenarios: [built], judge: true, models: { agent: agent("#W1") } });
  const [replayed] = again.results;
  assert.deepEqual([replayed?.checks.length, replayed?.status], [0, "error"]);
  assert.deepEqual(
    replayed?.notChecked?.map(({ kind }) => kind),
    ["end_state"],
  );
  const judged = await evaluate(results, { scenarios: [built] });
  assert.equal(judged.results[0]?.status, "error");
});

test("a snapshot has the state, and a call that continues from it has a copy", async () => {
  const models = { agent: agent("#W1") };
  const first = conversation(shop, { models, toolState: { orders: ORDERS } });
  await first.open();
  const before = first.snapshot();
  await first.hear("Cancel #W1");
  assert.equal(orderOf(first.toolState?.orders, "#W1")?.status, "cancelled");
  assert.equal(orderOf(before.toolState?.orders, "#W1")?.status, "pending");
  const from = JSON.parse(JSON.stringify(first.snapshot()));
  const next = conversation(shop, { models, from });
  assert.equal(orderOf(next.toolState?.orders, "#W1")?.status, "cancelled");
  assert.equal(conversation(shop, { models }).snapshot().toolState, undefined);
});

test("a state that JSON cannot represent is an error of the call, and no pass", async () => {
  const toolState = () => {
    const state: { [key: string]: unknown } = { a: 1 };
    state.self = state;
    return state;
  };
  const result = await runOne(scenario("loop").says("Hi").endState({ a: 1 }), [], { toolState });
  assert.deepEqual([result.status, result.checks.length], ["error", 0]);
  assert.match(result.errorMessage ?? "", /JSON cannot represent it/);
  const none = await runOne(scenario("none").says("Hi").endState({ a: 1 }), [], { toolState: () => 5 });
  assert.equal(none.status, "error");
});
