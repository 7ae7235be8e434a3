import { policy } from "../../mod.ts";
import { clinic } from "./flow.ts";

/** What must hold in every call to the clinic, whatever the model decides. */
export const policies = [
  policy("emergencies are put through from everywhere", ({ wayTo, ends }) => wayTo(ends("agent_transferred")), clinic),
  policy(
    "the intent decides between booking and cancelling",
    ({ never, when }) => [never("book", when("intent", "==", "cancel")), never("cancel", when("intent", "==", "book"))],
    clinic,
  ),
];
