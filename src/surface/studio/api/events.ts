import * as v from "valibot";
import { Label } from "./calls.ts";
import { Status } from "./parts.ts";

/** What happened. Each event has an id; a request with the header `last-event-id` gets all later ones. */
export const StudioEvent = v.variant("type", [
  v.object({ type: v.literal("run-started"), run: v.string(), agent: v.string() }),
  v.object({
    type: v.literal("call-ended"),
    run: v.string(),
    call: v.string(),
    scenario: v.string(),
    trial: v.number(),
    status: Status,
  }),
  v.object({ type: v.literal("run-ended"), run: v.string() }),
  v.object({ type: v.literal("run-resumed"), run: v.string() }),
  v.object({ type: v.literal("run-deleted"), run: v.string() }),
  /** The source of an agent was saved; `agent` is its id. */
  v.object({ type: v.literal("source-changed"), agent: v.string() }),
  v.object({ type: v.literal("label-saved"), label: Label }),
  v.object({ type: v.literal("label-deleted"), label: v.string(), call: v.string() }),
  /** Older events are no longer stored: what is shown has to be read again. */
  v.object({ type: v.literal("events-missed") }),
]);
