import { runAsProgram, scenario } from "../../mod.ts";
import { clinic } from "./flow.ts";

export const scenarios = [
  scenario("books an appointment", clinic)
    .persona("Your name is Anna Fischer. You want to book an appointment. You can come on Tuesday.")
    .judge("The agent asks for the name")
    .visits("book", "note", "bye")
    .extracts({ intent: "book", caller_name: "Anna Fischer", visit_day: "Tuesday" })
    .ends("agent_ended"),

  scenario("cancels an appointment", clinic)
    .says("I need to cancel my appointment.", "It is Anna Fischer.")
    .avoids("book")
    .extracts({ intent: "cancel", caller_name: "Anna Fischer" }),

  scenario("tells the opening hours", clinic)
    .says("What are your opening hours?", "Then I would like to book an appointment.")
    .includes("from 8 to 17")
    .visits("greet", "book"),

  scenario("sends an emergency to the emergency line", clinic)
    .says("My son fell from a tree, this is an emergency!")
    .ends("agent_transferred"),
];

await runAsProgram(import.meta, clinic, scenarios);
