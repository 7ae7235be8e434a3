import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { type ScenarioSource, scenario } from "../../../mod.ts";

const SHIPPED = { args: { order_number: "A-1042" }, output: { status: "shipped", arrives: "Friday" } };

/** Calls to the help desk, with nodes, mocks and variables. Every agent that is tested gets the same ones. */
export const DESK_SCENARIOS: readonly ScenarioSource[] = [
  scenario("tells where an order is", helpDesk)
    .says("Where is my order?", "It is A-1042.", "No, that is all.")
    .mock("look_up_order", SHIPPED)
    .visits("ask_number", "look_up", "tell_status", "goodbye")
    .extracts({ topic: "order", order_number: "A-1042", order_status: "shipped" })
    .calls("look_up_order", { order_number: "A-1042" })
    .includes("shipped", "Friday")
    .ends("agent_ended"),
  scenario("asks again when an order is not found", helpDesk)
    .says("Where is order B-77?", "Sorry, it is A-1042.", "No, that is all.")
    .mock("look_up_order", SHIPPED)
    .mock("look_up_order", { output: "no such order", fails: true })
    .visits("not_found", "read_number", "tell_status")
    .avoids("ask_number")
    .includes("no order B-77", "A-1042 is shipped")
    .ends("agent_ended"),
  scenario("takes a lamp back", helpDesk)
    .says("I want to return a lamp.", "Yes, I accept the label.", "No more questions.")
    .visits("return_lamp", "label_sent", "goodbye")
    .extracts({ topic: "return" })
    .includes("30 days")
    .ends("agent_ended"),
  scenario("puts a broken lamp through to a technician", helpDesk)
    .says("My lamp is broken, I need a repair.", "No, it does not light up, it is still dark.")
    .visits("check_lamp", "technician")
    .avoids("look_up", "return_lamp")
    .includes("screw the bulb in")
    .ends("agent_transferred"),
  scenario("lets a caller have the manager", helpDesk)
    .says("I ask for a manager!", "Goodbye.")
    .visits("manager", "goodbye")
    .includes("calls back")
    .ends("agent_ended"),
  scenario("knows a number that was given before", helpDesk)
    .variables({ order_number: "A-1042" })
    .says("Where is my order A-1042?", "No, that is all.")
    .mock("look_up_order", SHIPPED)
    .calls("look_up_order", { order_number: "A-1042" })
    .avoids("not_found")
    .extracts({ order_arrival: "Friday" })
    .ends("agent_ended"),
];
