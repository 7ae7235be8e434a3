import { type Caller, type CallerMove, createPersonaCaller } from "../../call/callers/mod.ts";
import { foldText } from "../../call/judges/mod.ts";
import type { HistoryLine, Model, RequestOptions } from "../../call/models/mod.ts";
import { recordedPersona } from "./persona.ts";
import type { StoredCall } from "./recording.ts";
import { hangUpOf } from "./strict_caller.ts";

/** A caller played by a model where the agent diverges from the recording. */
export interface AdaptiveCaller extends Caller {
  /** Whether the model has spoken. */
  hasImprovised(): boolean;
}

/**
 * Creates a caller that says the recorded words as long as the agent repeats its own recorded words. Otherwise a model
 * speaks, which has the recorded caller's knowledge and goals, and repeats recorded words where they fit.
 */
export function createAdaptiveCaller(recording: StoredCall, model: Model, requests: RequestOptions): AdaptiveCaller {
  const { turns } = recording;
  const said = new Set<number>();
  const hangUp = hangUpOf(recording.result);
  let next = 0;
  let improvised = false;

  function repeat(index: number): CallerMove {
    said.add(index);
    next = index + 1;
    const say = turns[index]?.said ?? "";
    return hangUp && !improvised && said.size === turns.length ? { say, hangUp } : { say };
  }

  /** The recorded turn with the same words of the agent before it: the next one, else the first of the rest. */
  function answerTo(asked: string): number | undefined {
    const fits = (index: number) => !said.has(index) && foldText(turns[index]?.asked ?? "") === asked;
    if (next < turns.length && fits(next)) return next;
    if (asked === "") return undefined;
    const found = [...turns.keys()].filter(fits);
    return found.find((index) => index >= next) ?? found[0];
  }

  return {
    hasImprovised: () => improvised,
    next: async (history, options) => {
      const index = answerTo(foldText(lastSpeech(history)));
      if (index !== undefined) return repeat(index);
      if (hangUp && !improvised && said.size === turns.length) return { hangUp };
      const left = [...turns.keys()].filter((each) => !said.has(each));
      const persona = recordedPersona(
        recording,
        left.flatMap((each) => turns[each]?.said ?? []),
      );
      const move = await createPersonaCaller(persona, model, requests).next(history, options);
      const words = foldText(move.say ?? "");
      const recorded = left.find((each) => words !== "" && foldText(turns[each]?.said ?? "") === words);
      if (recorded !== undefined) return { ...move, ...repeat(recorded) };
      improvised = true;
      return move;
    },
  };
}

/** Everything that the agent said since the caller's last words. */
function lastSpeech(history: readonly HistoryLine[]): string {
  const since = history.findLastIndex(({ role }) => role === "user") + 1;
  return history
    .slice(since)
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => content)
    .join("\n");
}
