import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose, type FailedResult } from "../../../api/calls.ts";
import { type AgentGraph, flow, run, scenario, scripted, text, tool } from "../../../mod.ts";
import { FAULT, failedCall, MONEY, proposal, RUN, ruleAgent, shop, WIDER } from "./_shop.ts";

/** The first result of a scenario of the shop that did not pass. */
async function failureOf(given: Parameters<typeof run>[1][number], graph: AgentGraph = shop): Promise<FailedResult> {
  const { results } = await run(graph, [given], { ...RUN, models: { agent: ruleAgent() } });
  const failed = results.find(({ status }) => status !== "pass");
  assert.ok(failed, "the scenario passes");
  return failed;
}

test("diagnose() names the transition at which the path left the expected one", async () => {
  const found = await diagnose(await failedCall(), shop);
  assert.deepEqual([found.place, found.node, found.transition], ["transition", "greet", 0]);
  assert.deepEqual(found.quotes, [{ node: "greet", quote: "Caller complains" }]);
  assert.equal(found.evidence[0]?.quote, MONEY);
  assert.match(
    found.facts[0]?.fact ?? "",
    /left the way at "greet": it stayed instead of taking transition 0 to "refund"/,
  );
  assert.deepEqual(
    found.diff.map(({ kind }) => kind),
    ["condition-reworded"],
  );
});

test("diagnose() names a missing transition where no way leads to the expected node", async () => {
  const found = await diagnose(await failureOf(scenario("gift").says("A gift, please").visits("gift")), shop);
  assert.deepEqual([found.place, found.node, found.target], ["missing_transition", "greet", "gift"]);
  assert.deepEqual(found.changes[0]?.verb, "add_transition");
});

test("diagnose() names the prompt of the node that did not say what it should", async () => {
  const found = await diagnose(await failureOf(scenario("price").says("Hello").includes("ten euros")), shop);
  assert.deepEqual([found.place, found.node], ["node_prompt", "greet"]);
  assert.match(JSON.stringify(found.changes), /ten euros/);
});

test("diagnose() names the prompt of the node that did not extract a variable", async () => {
  const desk = flow("desk", { variables: { order: text("Number of the order") } })
    .conversation("greet", { prompt: "Ask for the order.", next: ({ to }) => [to("read", "Caller complains")] })
    .extract("read", { fills: ["order"], prompt: "Read the order.", next: ({ to }) => [to("bye")] })
    .end("bye", { prompt: "Say goodbye." })
    .compile();
  const agent = scripted({
    transition: [{ objectives_complete: true, transition_to: "read" }],
    extract: [{}],
    respond: ["Which order?", "Bye."],
  });
  const given = scenario("order", desk).says("I complain").extracts({ order: "7" });
  const { results } = await run(desk, [given], { ...RUN, models: { agent } });
  const [failed] = results;
  assert.ok(failed);
  const found = await diagnose(failed, desk);
  assert.deepEqual([found.facts[0]?.kind, found.place, found.node], ["missing_variable", "node_prompt", "read"]);
});

test("diagnose() names a tool that nothing answers", async () => {
  const lookup = tool({ name: "lookup", description: "Find the order" });
  const desk = flow("desk", { tools: [lookup] })
    .function("find", { tool: "lookup", next: ({ to }) => [to("bye")] })
    .end("bye", { prompt: "Say goodbye." })
    .compile();
  const failed = await failureOf(scenario("finds", desk).says("Hello").includes("found it"), desk);
  const found = await diagnose(failed, desk);
  assert.deepEqual([found.place, found.tool, found.changes], ["tool", "lookup", []]);
  assert.match(found.reasoning, /Mock the tool/);
});

test("diagnose() names the caller of an invalid call, and the scenario of one that ended in an error", async () => {
  const failed = await failedCall();
  const finding = { kind: "invented-fact", fact: "77", quote: "77", reason: 'it invented "77"' } as const;
  const invalid = await diagnose({ ...failed, status: "invalid", checks: [], audit: { findings: [finding] } }, shop);
  assert.equal(invalid.place, "caller");
  const error = await diagnose({ ...failed, status: "error", checks: [], errorMessage: "no key" }, shop);
  assert.equal(error.place, "scenario");
});

test("diagnose() names the general prompt where a model does", async () => {
  const general = { ...FAULT, place: "general_prompt", node: "", quotes: [{ node: "", quote: "Be brief." }] };
  const change = proposal({ verb: "replace_text", find: "Be brief.", text: "Be brief, and refund." });
  const model = scripted({ diagnosis: [general], repair: [change] });
  const found = await diagnose(await failedCall(), shop, { model });
  assert.deepEqual([found.place, found.node], ["general_prompt", null]);
  assert.deepEqual(found.diff[0]?.nodes, undefined); // every call meets it
});

test("diagnose() refuses quotations that are written or said nowhere, and asks again", async () => {
  const failed = await failedCall();
  const wrong = [
    { ...FAULT, quotes: [{ node: "greet", quote: "Caller moans" }] },
    { ...FAULT, evidence: [{ line: 2, quote: "Give me my money" }] },
    { ...FAULT, quotes: [{ node: "hours", quote: "Caller complains" }] },
    { ...FAULT, quotes: [] },
    { ...FAULT, node: "gret" },
    { ...FAULT, transition: 7 },
  ];
  for (const answer of wrong) {
    const model = scripted({ diagnosis: [answer, FAULT], repair: [WIDER] });
    const found = await diagnose(failed, shop, { model });
    assert.equal(model.calls.length, 3, JSON.stringify(answer));
    assert.deepEqual(found.quotes, FAULT.quotes);
    assert.equal(JSON.parse(JSON.stringify(model.calls[1]?.input.problems)).length, 1);
  }
  const model = scripted({ diagnosis: [wrong[0], wrong[0], wrong[0]], repair: [WIDER] });
  await assert.rejects(diagnose(failed, shop, { model }), { code: "model-output" });
});

test("diagnose() refuses changes that do not fit the graph, and asks again", async () => {
  const failed = await failedCall();
  const wrong = [
    proposal({ verb: "set_condition", node: "greet", transition: 9, text: "Caller wants money" }),
    proposal({ verb: "set_prompt", node: "gret", text: "Greet." }),
    proposal({ verb: "replace_text", node: "greet", find: "not in it", text: "Greet." }),
    proposal({ verb: "add_transition", node: "greet", target: "nowhere", text: "Caller wants money" }),
    proposal({ verb: "set_condition", node: "greet", transition: 0, text: "Caller complains" }),
  ];
  for (const answer of wrong) {
    const model = scripted({ diagnosis: [FAULT], repair: [answer, WIDER] });
    const found = await diagnose(failed, shop, { model });
    assert.equal(found.changes[0]?.verb, "set_condition");
    assert.equal(model.calls.length, 3, JSON.stringify(answer));
  }
  const again = scripted({ diagnosis: [FAULT], repair: [wrong[0], wrong[1], wrong[2]] });
  await assert.rejects(diagnose(failed, shop, { model: again }), { code: "model-output" });
});

test("diagnose() does not accept a change that was refused before", async () => {
  const failed = await failedCall();
  const first = await diagnose(failed, shop, { model: scripted({ diagnosis: [FAULT], repair: [WIDER] }) });
  const model = scripted({ diagnosis: [FAULT], repair: [WIDER, WIDER, WIDER] });
  const refused = [{ changes: first.changes, reason: "it did not improve" }];
  await assert.rejects(diagnose(failed, shop, { model, refused }), /tried already and refused/);
});

test("diagnose() refuses calls that did not fail", async () => {
  const failed = await failedCall();
  const passed = { ...failed, status: "pass", checks: [] } as const;
  await assert.rejects(diagnose(passed, shop), { code: "nothing-to-diagnose" });
});
