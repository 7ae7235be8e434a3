import assert from "node:assert/strict";
import { test } from "node:test";
import { clinic } from "../../../../../examples/clinic/flow.ts";
import { helpDesk } from "../../../../../examples/help-desk/flow.ts";
import type { ToolMock } from "../../../../../src/document/scenario/mod.ts";
import { compareCalls } from "./compared_call.ts";

const go = (target: string) => ({ objectives_complete: true, transition_to: target });
const stay = { objectives_complete: false, transition_to: "" };
const order = (number: string) => ({ order_number: number });
const found: ToolMock = {
  tool_name: "look_up_order",
  input_match_rule: { type: "partial_match", args: order("A-1042") },
  output: '{"status":"shipped","arrives":"Friday"}',
  result: true,
};
const missing: ToolMock = { ...found, input_match_rule: { type: "any" }, output: "no such order", result: false };

test("a squad of the help desk takes the engine's path when an order is found", async () => {
  const { visited } = await compareCalls({
    graph: helpDesk,
    lines: ["Hi.", "Where is order A-1042?", "A broken lamp, too.", "It works.", "Bye."],
    answers: {
      transition: [stay, go("find_topic"), go("find_topic"), go("goodbye")],
      extract: [
        { topic: "order", ...order("A-1042") },
        { topic: "repair", order_number: null },
      ],
      arguments: [order("A-1042")],
    },
    mocks: [found],
  });
  assert.deepEqual(visited, ["welcome", "tell_status", "check_lamp", "goodbye"]);
});

test("a squad of the help desk takes the engine's path when a lookup fails twice, then succeeds", async () => {
  const { visited } = await compareCalls({
    graph: helpDesk,
    lines: ["My order.", "B-77.", "B-78.", "A-1042.", "No, thanks."],
    answers: {
      transition: [go("find_topic"), go("read_number"), go("read_number"), go("read_number"), go("goodbye")],
      extract: [{ topic: "order", order_number: null }, order("B-77"), order("B-78"), order("A-1042")],
      arguments: [order("B-77"), order("B-78"), order("A-1042")],
    },
    mocks: [found, missing],
  });
  assert.deepEqual(visited, ["welcome", "ask_number", "not_found", "tell_status", "goodbye"]);
});

test("a squad of the help desk takes the engine's path to the manager and back", async () => {
  const { visited } = await compareCalls({
    graph: helpDesk,
    lines: ["A lamp to send back.", "The manager!", "Let us go on.", "Yes, please.", "What about a lamp?", "Bye."],
    answers: {
      transition: [
        ...[go("find_topic"), go("manager"), go("return_lamp"), go("label_sent"), go("find_topic")],
        go("goodbye"),
      ],
      extract: [
        { topic: "return", order_number: null },
        { topic: null, order_number: null },
      ],
    },
  });
  assert.deepEqual(visited, [
    "welcome",
    "return_lamp",
    "manager",
    "return_lamp",
    "label_sent",
    "return_lamp",
    "goodbye",
  ]);
});

test("a squad of the clinic takes the engine's path", async () => {
  const { visited } = await compareCalls({
    graph: clinic,
    lines: ["I would like to cancel.", "Anna Lind.", "Well?"],
    answers: {
      transition: [go("intent"), go("note")],
      extract: [
        { intent: "cancel", visit_day: null },
        { caller_name: "Anna Lind", visit_day: null },
      ],
    },
  });
  assert.deepEqual(visited, ["greet", "cancel", "bye"]);
});

test("a squad of the clinic asks again if the caller wants neither, and transfers an emergency", async () => {
  const { visited } = await compareCalls({
    graph: clinic,
    lines: ["Hm.", "It hurts!"],
    answers: { transition: [go("intent"), go("emergency")], extract: [{ intent: null, visit_day: null }] },
  });
  assert.deepEqual(visited, ["greet", "emergency"]);
});
