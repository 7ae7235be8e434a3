import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate, replay } from "../../../api/calls.ts";
import { flow, openStore, run, scenario } from "../../../mod.ts";
import { scenariosAsPlayed, toScenarios } from "../../../src/document/scenario/mod.ts";
import { missingInResults } from "../../../src/run/summary/mod.ts";

const shop = flow("shop", { beginMessage: "Hello, this is the shop." })
  .conversation("greet", {
    prompt: "Ask what the caller wants.",
    next: ({ to }) => [to("bye", "Caller says goodbye")],
  })
  .end("bye", { prompt: "Say: Goodbye." })
  .compile();
const greets = scenario("greets", shop)
  .persona("You want to know when the shop opens.")
  .includes("this is the shop")
  .eachReply.words(40);
const plain = scenario("plain", shop).says("Hello").includes("this is the shop");
/** A caller of a set, and one of one's own. */
const callers = ["angry", { cross: { mood: "angry", pace: "fast" } }] as const;
const NAMES = ["greets (angry)", "greets (cross)"];

test("stored calls of callers are evaluated and replayed by the scenario that they were cast from", async () => {
  await using store = await openStore(":memory:");
  const { id } = await run(shop, [greets], { callers, store, judging: { audit: "off" } });
  const stored = await store.showRun(id);
  assert.deepEqual(stored.results.map(({ scenario }) => scenario).sort(), NAMES);
  const evaluated = await evaluate(stored.results, { scenarios: [greets], agent: shop });
  const replayed = await replay(id, shop, { scenarios: [greets], judge: true, store });
  for (const { results } of [evaluated, replayed]) {
    assert.deepEqual(results.map(({ scenario }) => scenario).sort(), NAMES);
    for (const { status, checks } of results)
      assert.deepEqual(
        [status, checks.map(({ expected }) => expected)],
        ["pass", ["this is the shop", "each reply: at most 40 words"]],
      );
  }
  const other = await evaluate(stored.results, { scenarios: [greets.includes("never said")], agent: shop });
  assert.equal(other.counts.fail, 2);
});

test("a gate over scenarios knows those that callers played, and notices a scenario that has changed since", async () => {
  await using store = await openStore(":memory:");
  const { id } = await run(shop, [greets], { callers, store, judging: { audit: "off" } });
  const { run: record, results } = await store.showRun(id);
  assert.deepEqual(missingInResults(record, results, { wanted: [greets] }), []);
  assert.match(missingInResults(record, results, { wanted: [greets.includes("more")] }).join(), /had another content/);
  assert.match(missingInResults(record, results, { wanted: [greets, plain] }).join(), /does not have "plain"/);
});

test("scenarios are cast again as a run played them, and those that it played as written stay", () => {
  const scenarios = toScenarios([greets, plain]);
  const cast = { scenario: "greets", caller: "cross" };
  const calls = [
    { scenario: "greets (cross)", caller: { traits: { mood: "angry" }, cast } },
    { scenario: "plain" },
    { scenario: "greets (gone)", caller: { traits: {}, cast: { scenario: "another", caller: "gone" } } },
  ];
  const names = (played: readonly object[]) => scenariosAsPlayed(scenarios, played).map(({ name }) => name);
  assert.deepEqual(names(calls), ["greets (cross)", "plain"]);
  assert.deepEqual(names([...calls, { scenario: "greets" }]), ["greets", "greets (cross)", "plain"]);
  assert.deepEqual(names([{ scenario: "x" }]), ["greets", "plain"]);
  const [again] = scenariosAsPlayed(scenarios, calls);
  assert.deepEqual([again?.caller, again?.cast, again?.includes], [{ mood: "angry" }, cast, ["this is the shop"]]);
});
