import assert from "node:assert/strict";
import { test } from "node:test";
import { editGraph, generateScenarios } from "../../../api/analysis.ts";
import { formatHtml, formatReport, formatResult } from "../../../api/reporters.ts";
import {
  type AgentGraph,
  choice,
  estimate,
  flow,
  openStore,
  type RunOptions,
  run,
  scenario,
  scripted,
  tool,
} from "../../../mod.ts";

const LONG =
  "The caller has named the medication, or says EITHER that they take none OR that somebody else takes care of it. Only go on when this is certain";
const pharmacy = flow("pharmacy", {
  variables: { need: choice("What the caller needs", ["refill", "advice"]), fee: choice("", ["none"]) },
  tools: [tool({ name: "look_up", description: "Looks up stock", parameters: { type: "object", properties: {} } })],
})
  .conversation("greet", {
    prompt: "Greet the caller.",
    next: ({ to }) => [to("ask", LONG), to("bye", "Emergency signals detected, transfer")],
  })
  .conversation("ask", {
    prompt: "Ask what is needed.",
    tools: ["look_up"],
    next: ({ to }) => [to("sort", "All details collected, ready to confirm")],
  })
  .extract("sort", {
    fills: ["need"],
    next: ({ to, when, otherwise }) => [to("stock", when("need", "==", "refill")), otherwise("bye")],
  })
  .function("stock", {
    tool: "look_up",
    next: ({ to }) => [to("offer", { outcome: "succeeded" }), to("bye", { outcome: "failed" })],
  })
  .conversation("offer", { prompt: "Offer it.", next: ({ to }) => [to("bye", "Confirmed", { timing: undefined })] })
  .global("manager", { when: "Wants a manager", goBack: "Ready to continue", prompt: "Take a message." })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

const generated = async () => (await generateScenarios(pharmacy)).scenarios.map((each) => each.scenario);
const runOffline = async (options: RunOptions = {}, graph: AgentGraph = pharmacy) =>
  await run(graph, await generated(), { store: false, ...options });

for (const turn of ["split", "speculative", "fused"] as const) {
  test(`generated scenarios pass offline along their path, in turn mode ${turn}`, async () => {
    const report = await runOffline({ turn });
    const scenarios = await generated();
    assert.ok(scenarios.length > 4);
    assert.deepEqual(
      report.results.map(({ status, offlinePath, nodesVisited }) => [status, offlinePath, nodesVisited]),
      scenarios.map(({ visits }) => ["pass", { followed: true }, visits]),
    );
    const estimated = estimate(pharmacy, scenarios, { turn });
    const { calls } = report.usage;
    assert.ok(estimated.total.calls.least <= calls && calls <= estimated.total.calls.most, `${calls} calls`);
  });
}

test("reports say that a call was played along the path of its scenario", async () => {
  await using store = await openStore(":memory:");
  const report = await runOffline({ store });
  const notice = `${report.results.length} calls were played along the path of the scenario, without a language model`;
  for (const text of [formatReport(report), formatHtml(report)])
    assert.ok(text.replaceAll(/\s+/g, " ").includes(notice), text.slice(-600));
  const { results } = await store.showRun(report.id);
  assert.deepEqual(results[0]?.offlinePath, { followed: true });
  assert.match(formatResult(results[0] ?? assert.fail()), /played along the path of the scenario/);
});

test("a scenario whose path the agent has no more fails, and says where it left the path", async () => {
  const changed = editGraph(pharmacy).retarget("greet", "ask", "bye").graph;
  const report = await runOffline({}, changed);
  const failed = report.results.filter(({ status }) => status === "fail");
  assert.ok(failed.length > 0);
  assert.match(formatReport(report), /left the path of the scenario\n.*"ask", which is not offered there/);
  for (const { offlinePath } of failed) assert.equal(offlinePath?.followed, false);
});

test("only the offline model on both sides follows a path", async () => {
  const [first] = await generated();
  assert.ok(first);
  const played = async (given: typeof first, options: RunOptions) =>
    (await run(pharmacy, [given], { store: false, ...options })).results[0]?.offlinePath;
  const agent = scripted({ respond: ["Hello."], transition: [], caller: [] });
  assert.equal(await played(first, { models: { agent } }), undefined);
  const caller = scripted({ caller: [{ message: "Bye.", should_end: true }] });
  assert.equal(await played(first, { models: { agent: "offline", caller } }), undefined);
  assert.equal(await played({ ...first, says: ["Hello"] }, {}), undefined);
  const own = { next: async () => ({ hangUp: "caller_ended" as const }) };
  assert.equal(await played(first, { createCaller: () => own }), undefined);
  assert.deepEqual(await played(first, {}), { followed: true });
});

test("calls that are repeated for their variance follow the path again", async () => {
  const report = await runOffline({ repeat: { variance: { agent: 2, judge: 1 } } });
  for (const { variance } of report.results)
    for (const call of variance?.calls ?? []) assert.equal(call.status, "judged", JSON.stringify(call.errorMessage));
});

test("a path can be written in code and in a document, and is checked like its other keys", () => {
  const turns = [{ says: "Hello", moves: [{ to: "ask" }], extracts: [{ need: "refill" }], tools: ["look_up"] }];
  const written = scenario("x", pharmacy)
    .persona("You call.")
    .offlinePath(...turns)
    .toJSON();
  assert.deepEqual(written.offline_path, turns);
  assert.throws(
    () => scenario("x").offlinePath(JSON.parse('{ "say": "Hello" }')),
    (error: { readonly message?: string; readonly hint?: string }) => /offline_path.0.say/.test(String(error.message)),
  );
});
