/**
 * Calls that the help desk has to handle. Run them with any of
 *
 *   bun run examples/help-desk/scenarios.ts
 *   deno run -A examples/help-desk/scenarios.ts
 *   node --import tsx examples/help-desk/scenarios.ts
 *
 * on the offline model, or with --model openai/gpt-5-mini on a real one.
 */
import { runAsProgram, scenario } from "../../mod.ts";
import { helpDesk } from "./flow.ts";

const SHIPPED = { args: { order_number: "A-1042" }, output: { status: "shipped", arrives: "Friday" } };

export const scenarios = [
  scenario("tells where an order is", helpDesk)
    .persona("You are Anna Fischer. You want to know where your order is. Your order number is A-1042.")
    .mock("look_up_order", SHIPPED)
    .judge("The agent asks for the order number")
    .judge("The agent says that order A-1042 is shipped and arrives on Friday")
    .visits("ask_number", "look_up", "tell_status", "goodbye")
    .extracts({ topic: "order", order_number: "A-1042", order_status: "shipped" })
    .calls("look_up_order", { order_number: "A-1042" })
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
    .persona("You want to send a lamp back.")
    .judge("The agent says that every lamp can be sent back within 30 days")
    .judge("The agent does not mention a technician", { threshold: 0.9 })
    .visits("return_lamp", "label_sent")
    .extracts({ topic: "return" })
    .ends("agent_ended"),

  scenario("puts a broken lamp through to a technician", helpDesk)
    .persona("Marta Ruiz has a broken lamp and wants it repaired. If asked whether the lamp lights up, say no.")
    .matches("technician")
    .visits("check_lamp", "technician")
    .avoids("look_up", "return_lamp")
    .ends("agent_transferred"),

  scenario("calls the manager and goes on where the caller was", helpDesk)
    .says("Where is my order?", "I want to speak to your manager!", "Fine, let us continue.", "A-1042", "No, thanks.")
    .mock("look_up_order", SHIPPED)
    .visits("ask_number", "manager", "ask_number", "look_up", "goodbye")
    .includes("the manager calls back today")
    .ends("agent_ended"),

  scenario("answers two questions in one call", helpDesk)
    .says("Where is order A-1042?", "I also have a broken lamp.", "Yes, it works now.")
    .mock("look_up_order", SHIPPED)
    .visits("tell_status", "find_topic", "check_lamp", "goodbye")
    .extracts({ topic: "repair" })
    .excludes("refund"),
] as const;

await runAsProgram(import.meta, helpDesk, scenarios);
