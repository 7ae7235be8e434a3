import { policy } from "../../mod.ts";
import { helpDesk } from "./flow.ts";

/** What must hold in every call to the help desk, whatever the model decides. */
export const policies = [
  policy(
    "the order is looked up before its status is told",
    ({ before, tool }) => before(tool("look_up_order", "succeeded"), "tell_status"),
    helpDesk,
  ),
  policy(
    "callers can always get to a person",
    ({ wayTo, ends }) => wayTo(["manager", ends("agent_transferred")]),
    helpDesk,
  ),
];
