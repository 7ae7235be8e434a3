import assert from "node:assert/strict";
import { test } from "node:test";
import { emitAssistant, emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { always, at, equal, graphOf, json, nameOf, records, told } from "./graphs.ts";
import { isVetoed } from "./liquid.ts";
import { SquadCall } from "./squads/squad_call.ts";

const BOOK = { name: "book_slot", description: "Books the slot", parameters: { type: "object", properties: {} } };
const KINDS: readonly (readonly [string, JsonObject])[] = [
  ["a request", { ...BOOK, url: "https://example.com/book" }],
  ["a function of the server", BOOK],
];
const call = (tool: JsonObject, transitions: readonly object[]) => ({
  node_type: "function",
  tools: [tool],
  transitions,
});

/** Starts a call of a graph's squad in which all tools succeed. */
function callOf(graph: AgentGraph) {
  const squad = new SquadCall(json(emitSquad(graph).config), { server: () => ({ body: { status: "taken" } }) });
  const use = async (name: string) => {
    const tool = squad.tools.find((each) => nameOf(each) === name);
    assert.ok(tool, `"${squad.node}" has no tool "${name}"`);
    assert.equal(await squad.use(tool), "succeeded", name);
  };
  return { squad, use, ways: () => [...squad.ways].sort() };
}

for (const [kind, tool] of KINDS) {
  test(`one call of ${kind} opens the transitions of one of two consecutive function nodes`, async () => {
    const { use, ways } = callOf(
      graphOf({
        offer: { transitions: [told("first", "Caller wants both slots")] },
        first: call(tool, [always("second")]),
        second: call(tool, [always("done")]),
        done: {},
      }),
    );
    assert.deepEqual(ways(), []);
    await use("book_slot");
    assert.deepEqual(ways(), ["second"]);
    await use("to_second");
    assert.deepEqual(ways(), []);
    await use("book_slot");
    assert.deepEqual(ways(), ["done"]);
  });

  test(`one call of ${kind} opens the transitions of one of two parallel function nodes`, async () => {
    const { use, ways } = callOf(
      graphOf({
        offer: { transitions: [told("early", "Caller wants the morning"), told("late", "Caller wants the evening")] },
        early: call(tool, [always("morning")]),
        late: call(tool, [always("evening")]),
        morning: {},
        evening: {},
      }),
    );
    assert.deepEqual(ways(), ["late"]);
    await use("book_slot");
    assert.deepEqual(ways(), ["late", "morning"]);
    await use("to_late");
    assert.deepEqual(ways(), []);
    await use("book_slot");
    assert.deepEqual(ways(), ["evening"]);
  });

  test(`a restarted member has to call ${kind} again`, async () => {
    const { squad, use, ways } = callOf(
      graphOf({
        offer: { transitions: [told("book", "Caller accepts"), told("offer", "Caller wants to hear it again")] },
        book: call(tool, [told("offer", "Caller wants another slot"), told("done", "Caller is content")]),
        done: {},
      }),
    );
    await use("book_slot");
    assert.deepEqual(ways(), ["done", "offer"]);
    await use("restart_offer");
    assert.deepEqual([squad.node, ways()], ["offer", ["offer"]], "only starting again is open before the booking");
    await use("book_slot");
    assert.deepEqual(ways(), ["done", "offer"]);
  });

  test(`a conversation node's call of ${kind} does not open the transitions of a function node with the same tool`, async () => {
    const { use, ways } = callOf(
      graphOf({
        offer: { tools: [tool], transitions: [told("book", "Caller accepts")] },
        book: call(tool, [always("done")]),
        done: {},
      }),
    );
    await use("book_slot");
    assert.deepEqual(ways(), ["book"]);
    await use("to_book");
    assert.deepEqual(ways(), []);
    await use("book_slot");
    assert.deepEqual(ways(), ["done"]);
  });

  for (const node of [{ node_type: "end" }, { node_type: "end", state_prompt: "Say goodbye." }])
    test(`a call cannot end without ${kind} although another route allows it (${JSON.stringify(node)})`, async () => {
      const graph = graphOf({
        offer: { transitions: [told("book", "Caller accepts"), told("bye", "Caller declines")] },
        book: call(tool, [always("bye")]),
        bye: node,
      });
      const { squad, use, ways } = callOf(graph);
      const leading = () => squad.open.filter((each) => squad.leadsTo(each) === "bye").map((each) => squad.told(each));
      assert.deepEqual([ways(), leading()], [["bye"], ["Caller declines\nCaller declines"]]);
      await use("book_slot");
      assert.deepEqual(leading(), ["Caller accepts\nCaller accepts", "Caller declines\nCaller declines"]);
      await use("to_bye");
      assert.deepEqual(ways(), ["endCall"]);
    });
}

test("an end with many variables and tools in its guard has one tool", () => {
  const graph = graphOf({
    offer: { transitions: [told("sort", "Caller accepts")] },
    sort: { node_type: "logic", transitions: [equal("book", "paid", "no"), always("bye")] },
    book: call(BOOK, [always("bye")]),
    bye: { node_type: "end" },
  });
  const squad = json(emitSquad(graph).config);
  assert.equal(records(squad, "members").length, 1);
});

test("a self-transition of a member without tools has no tool", () => {
  const graph = graphOf({ offer: { transitions: [told("offer", "Again"), told("done", "Yes")] }, done: {} });
  const { squad } = callOf(graph);
  assert.deepEqual(squad.tools.map(nameOf), ["to_done"]);
});

test("a way back that leads to its own node is a loss at each transition of it", () => {
  const back = { id: "b", condition: told("help", "Helped").condition };
  const graph = graphOf({
    offer: { transitions: [told("done", "Offered")] },
    ask: { node_type: "extract", transitions: [told("help", "Caller is at a loss")] },
    help: { global_node_setting: { condition: "Help", go_back_conditions: [back] } },
    done: {},
  });
  const { config, losses } = emitSquad(graph);
  assert.doesNotMatch(JSON.stringify(config.members.map(({ assistant }) => assistant?.model)), /Caller is at a loss/);
  const found = losses.filter(({ code }) => code === "self-transition");
  assert.deepEqual(
    found.map(({ path, message }) => [path.join("."), /condition/.test(message)]),
    [
      ["nodes.help.global_node_setting.go_back_conditions.0", false],
      ["nodes.ask.transitions.0", true],
    ],
  );
});

test("contracting does not merge a node that routes by its own tool call", () => {
  const outcome = {
    target_node_id: "done",
    condition: { type: "tool_call", value: "book_slot", outcome: "succeeded" },
  };
  const graph = graphOf({
    hello: { tools: [BOOK], transitions: [told("offer", "Caller has greeted")] },
    offer: { tools: [BOOK], transitions: [outcome] },
    done: {},
  });
  const members = records(json(emitSquad(graph, { contract: true }).config), "members");
  assert.deepEqual(
    members.map(({ assistant }) => at(assistant).name),
    ["hello", "offer", "done"],
  );
});

test("emitSquad() reports a function node that the model can skip because its tool is saved in Vapi", () => {
  const kept = { ...BOOK, tool_id: "tool-1", metadata: { vapi: { toolId: "tool-1" } } };
  const graph = graphOf({
    offer: { transitions: [told("book", "Caller accepts")] },
    book: call(kept, [always("done")]),
    done: {},
  });
  const [loss] = emitSquad(graph).losses.filter(({ code }) => code === "function-execution");
  assert.deepEqual(loss?.path, ["nodes", "book"]);
  assert.match(String(loss?.instead), /the model can continue without calling it/);
});

test("a self-transition of a step of a single assistant resets its tools", () => {
  const graph = graphOf({
    offer: { transitions: [told("book", "Caller accepts")] },
    book: call(BOOK, [told("offer", "Another"), told("done", "Content")]),
    done: {},
  });
  const tools = records(json(emitAssistant(graph).config), "model", "tools");
  const open = (variables: JsonObject) =>
    tools.filter((tool) => nameOf(tool).startsWith("to_") && !isVetoed(tool, variables)).map(nameOf);
  assert.deepEqual(open({}), []);
  assert.deepEqual(open({ did_book: "succeeded" }), ["to_offer_from_offer", "to_done_from_offer"]);
  const again = tools.find((tool) => nameOf(tool) === "to_offer_from_offer");
  const reset = records(again, "variableExtractionPlan", "aliases").map(({ key, value }) => [key, value]);
  assert.deepEqual(reset, [
    ["step", "{{$.step}}"],
    ["did_book", ""],
  ]);
});
