import * as v from "valibot";
import { Document, Name, PageQuery, pageOf } from "./parts.ts";
import { Proposal } from "./proposals.ts";

/** Labels that name a criterion become examples; those of one call or of one criterion if they are given. */
export const ExamplesQuery = v.object({ ...PageQuery, call: v.optional(Name), criterion: v.optional(Name) });

/** A call with known verdicts, as the SDK's `KnownCall`, and what people said of each. */
export const Example = v.object({
  name: v.string(),
  transcript: v.array(v.object({ role: v.picklist(["user", "assistant"]), content: v.string() })),
  verdicts: v.array(
    v.object({
      criterion: v.string(),
      passed: v.boolean(),
      said: v.array(
        v.object({
          by: v.string(),
          verdict: v.picklist(["good", "bad"]),
          what: v.nullable(v.string()),
          words: v.nullable(v.string()),
        }),
      ),
    }),
  ),
});

export const Examples = v.object({
  ...pageOf(Example).entries,
  /** Places of these calls where as many people say good as say bad: they are no examples. */
  disputed: v.array(v.object({ call: v.string(), turn: v.nullable(v.number()), criterion: v.string() })),
});

/** `script`: the caller says the recorded lines; by default a persona plays them. `blind`: without the labels of others. */
export const ScenarioQuery = v.object({
  script: v.optional(v.picklist(["true", "false"])),
  blind: v.optional(v.picklist(["true", "false"])),
  name: v.optional(Name),
});

/** A scenario written from a call, for a person to edit. */
export const CallScenario = v.object({
  /** As the SDK's `Scenario`. */
  scenario: Document,
  /** A module with the scenario. */
  code: v.string(),
  /** The scenario as JSON test cases. */
  json: v.string(),
  /** What to look at before it is used, one sentence each. */
  notes: v.array(v.string()),
});

export const NewScenario = v.object({ script: v.optional(v.boolean()), name: v.optional(Name) });

/** A scenario as a new file that waits for a decision. */
export const ProposedScenario = v.object({
  proposal: Proposal,
  notes: v.array(v.string()),
  /** Runs the scenario, once the proposal is accepted. */
  command: v.string(),
});
