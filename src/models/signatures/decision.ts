import * as v from "valibot";

/** The parts that every call which decides on a transition has in common. */
export const offer = {
  target: v.string(),
  condition: v.string(),
  condition_type: v.picklist(["llm_prompt", "global", "go_back"]),
  description: v.string(),
} as const;

/** What it answers: first whether the state is done with, then where to go. */
export const decision = {
  objectives_complete: v.pipe(
    v.boolean(),
    v.description(
      "Whether the caller has answered what the agent asked for in this state; true as well when they want something else that a transition covers",
    ),
  ),
  transition_to: v.pipe(
    v.string(),
    v.description("The target of the one transition whose condition is met, to the letter; none when no condition is"),
  ),
} as const;
