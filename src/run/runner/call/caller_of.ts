import { ModelError, ScenarioError } from "../../../base/errors.ts";
import { type Caller, createPersonaCaller, createScriptedCaller } from "../../../call/callers/mod.ts";
import type { CallSettings, Model } from "../../../call/models/mod.ts";
import { expandPrompt } from "../../../document/expressions/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";

/** Models and variables for the simulated callers of a run. */
export interface CallerSetup {
  readonly model: Model;
  readonly calls: CallSettings;
  /** Variables of the call; they replace placeholders in personas. */
  readonly variables: { readonly [name: string]: unknown };
}

/**
 * Creates the simulated caller of a scenario: it says the scripted lines first, then plays the persona.
 *
 * @throws {ScenarioError} `invalid-scenario` when the scenario has no lines and no persona.
 */
export function callerOf(scenario: Scenario, { model, calls, variables }: CallerSetup): Caller {
  const { says, user_prompt: prompt } = scenario;
  if (prompt.trim() === "") {
    if (says.length > 0) return createScriptedCaller(says);
    throw new ScenarioError(`Cannot run the call: scenario "${scenario.name}" has no caller`, {
      code: "invalid-scenario",
      hint: "Add a persona or lines to say, or return a caller from createCaller",
    });
  }
  const persona = createPersonaCaller(expandPrompt(prompt, { snippets: {}, variables }), model, calls);
  return says.length > 0 ? createScriptedCaller(says, persona) : speaking(persona, scenario);
}

/**
 * Throws when the caller hangs up before saying anything, unless the scenario expects `caller_ended`: such a call tests
 * nothing.
 */
function speaking(persona: Caller, { ends }: Scenario): Caller {
  return {
    next: async (history, options) => {
      const move = await persona.next(history, options);
      if (move.say !== undefined || ends || history.some(({ role }) => role === "user")) return move;
      throw new ModelError("Cannot run the call: the caller's model hung up before saying anything", {
        code: "model-output",
        hint: 'Use a stronger model for the caller, or expect it with .ends("caller_ended")',
      });
    },
  };
}
