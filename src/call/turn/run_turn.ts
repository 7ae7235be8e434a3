import { execute } from "./execute.ts";
import { llmCall } from "./llm_call.ts";
import { parse } from "./parse.ts";
import { prepare } from "./prepare.ts";
import { reconcile } from "./reconcile.ts";
import type { TurnEnd, TurnState } from "./state.ts";

/**
 * Runs the turn graph, `prepare → llmCall → parse → execute → reconcile`, in a loop until an outcome is set.
 *
 * @throws {ModelError} When the model cannot be reached or its answer cannot be used.
 */
export async function runTurn(state: TurnState): Promise<TurnEnd> {
  for (;;) {
    prepare(state);
    if (state.outcome) return finish(state, state.outcome);
    await llmCall(state);
    parse(state);
    if (state.reply.toolCalls.length > 0) await execute(state);
    else state.executed = [];
    reconcile(state);
    if (state.outcome) return finish(state, state.outcome);
  }
}

/** Clears the reply and the executed calls, so that nothing runs again. */
function finish(state: TurnState, outcome: TurnEnd): TurnEnd {
  state.reply = { text: "", toolCalls: [] };
  state.executed = [];
  return outcome;
}
