import assert from "node:assert/strict";
import { test } from "node:test";
import { chatScenario } from "../../../src/surface/chat/chat_scenario.ts";
import { ANSWERS, pick, SHOP, startSession } from "./_shop.ts";

const START = { variables: {}, mocks: [] };

test("tools that were really called become mocks that give the same answers in the same order", async () => {
  const answers = [{ status: "packed" }, { status: "packed" }, { status: "shipped" }];
  const again = {
    ...SHOP.nodes.tell,
    transitions: [{ target_node_id: "look", condition: { type: "llm_prompt", value: "Again" } }],
  };
  const { session } = startSession(
    {
      transition: [pick("read"), pick("look"), pick("look"), pick("look")],
      extract: ANSWERS.extract,
      arguments: [{ order: "A-1" }, { order: "A-1" }, { order: "A-1" }, {}],
      respond: ["One.", "Two.", "Three.", "Four."],
    },
    { mocks: [], tools: { look_up: () => answers.shift() ?? { status: "any" } } },
    { ...SHOP, nodes: { ...SHOP.nodes, tell: again } },
  );
  await session.open();
  for (const words of ["A-1", "Again", "Again", "Again"]) await session.say(words);
  const { scenario, warnings } = chatScenario(session, START);
  const exact = { type: "partial_match", args: { order: "A-1" } };
  assert.deepEqual(scenario.tool_mocks, [
    { tool_name: "look_up", input_match_rule: exact, output: { status: "packed" }, result: true, times: 2 },
    { tool_name: "look_up", input_match_rule: exact, output: { status: "shipped" }, result: true },
    { tool_name: "look_up", input_match_rule: { type: "any" }, output: { status: "any" }, result: true },
  ]);
  assert.deepEqual(warnings, []);
  assert.equal(scenario.ends, undefined);
});

test("a saved chat says what it cannot repeat: goto, and variables that were set late", async () => {
  const { session } = startSession({ transition: [pick("none"), pick("none")], respond: ["Well.", "Well."] });
  await session.open();
  session.set("shop", "Lumen");
  await session.say("Hello?");
  session.set("status", "lost");
  session.goTo("tell");
  await session.say("And now?");
  const { scenario, warnings } = chatScenario(session, { variables: { tier: "gold" }, mocks: [] });
  assert.deepEqual(scenario.dynamic_variables, { tier: "gold", shop: "Lumen", status: "lost" });
  assert.deepEqual(scenario.visits, []);
  assert.deepEqual(warnings, [
    "/goto tell is not in the scenario, which starts at the entry and expects no path and no end",
    "/set status is set from the start of the call in the scenario",
  ]);
});
