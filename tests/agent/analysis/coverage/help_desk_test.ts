import assert from "node:assert/strict";
import { test } from "node:test";
import { coverage } from "../../../../api/analysis.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { offline, run, scenario } from "../../../../mod.ts";

const SHIPPED = { args: { order_number: "A-1042" }, output: { status: "shipped", arrives: "Friday" } };

/** Counted by hand, from the flow and what the two callers say. */
const COVERED = [
  "welcome",
  "welcome -> find_topic: Caller gives a reason for the call",
  "find_topic",
  "find_topic -> route",
  'find_topic: topic = "order"',
  'find_topic: topic = "repair"',
  "route",
  'route -> look_up: topic == "order" and order_number exists',
  'route -> ask_number: topic == "order"',
  'route -> check_lamp: topic == "repair"',
  // the first call asks for an order without its number, then about a lamp
  'route -> look_up: topic == "order" is true',
  'route -> look_up: topic == "order" is false',
  "route -> look_up: order_number exists is true",
  "route -> look_up: order_number exists is false",
  'route -> ask_number: topic == "order" is true',
  'route -> ask_number: topic == "order" is false',
  'route -> return_lamp: topic == "return" is false',
  'route -> check_lamp: topic == "repair" is true',
  "ask_number",
  "ask_number -> read_number: Caller gives the order number",
  // the model names the node "manager", to which this and the manager's own condition lead
  "ask_number -> manager: Caller does not have the order number",
  "read_number",
  "read_number -> look_up",
  "look_up",
  "look_up -> tell_status: the tool succeeded",
  "tell_status",
  "tell_status -> goodbye: Caller has no more questions",
  "tell_status -> find_topic: Caller has another question, about an order, a return or a b…",
  "check_lamp",
  "check_lamp -> goodbye: Lamp lights up",
  "manager",
  "into manager: Caller asks for a manager",
  "back from manager: Caller is ready to continue",
  "goodbye",
];

test("coverage() of two help-desk calls is what a person counts", async () => {
  const { results } = await run(
    helpDesk,
    [
      scenario("manager, then the order", helpDesk)
        .says(
          "Where is my order?",
          "I want to speak to your manager!",
          "Fine, let us continue.",
          "A-1042",
          "No, thanks.",
        )
        .mock("look_up_order", SHIPPED)
        .visits("ask_number", "manager", "ask_number", "look_up", "goodbye"),
      scenario("two questions", helpDesk)
        .says("Where is order A-1042?", "I also have a broken lamp.", "Yes, it works now.")
        .mock("look_up_order", SHIPPED)
        .visits("tell_status", "find_topic", "check_lamp", "goodbye"),
    ],
    { models: { agent: offline() }, store: false },
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ["pass", "pass"],
  );
  const { items, counts, calls, leftOut } = coverage(helpDesk, results);
  assert.deepEqual(
    items.filter((item) => item.calls > 0).map(({ name }) => name),
    COVERED,
  );
  assert.deepEqual(counts, {
    node: { covered: 10, total: 14 },
    transition: { covered: 12, total: 22 },
    clause: { covered: 8, total: 10 },
    global: { covered: 1, total: 1 },
    "go-back": { covered: 1, total: 1 },
    choice: { covered: 2, total: 3 },
    total: { covered: 34, total: 51 },
  });
  assert.deepEqual([calls, leftOut], [2, {}]);
});
