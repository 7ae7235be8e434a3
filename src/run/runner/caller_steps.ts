import { type AgentConnection, hasAny } from "../../call/connection/mod.ts";
import {
  type CallerStep,
  msBefore,
  type Scenario,
  type SteppedPart,
  steppedParts,
  wordsBefore,
} from "../../document/scenario/mod.ts";
import type { Approximation } from "../../document/transcript/mod.ts";
import type { NewResult } from "../store/mod.ts";
import type { RunSetup, StartedCall } from "./call/mod.ts";

/** The steps of the caller that a call approximated. */
export function approximated(
  call: StartedCall | undefined,
  scenario: Scenario,
  { connected, variant }: Pick<RunSetup, "connected" | "variant">,
): Pick<NewResult, "approximations"> {
  const missed = call?.missed ?? [];
  if (!call) return {};
  // a past call was not held with this caller
  const isPast = variant !== undefined && call.missed === undefined;
  const approximations = [...(isPast ? [] : approximationsOf(scenario, connected?.connection)), ...missed];
  return approximations.length > 0 ? { approximations } : {};
}

/**
 * The steps of a scenario's caller that a call can only approximate: in text all that is more than words, by voice an
 * interruption after a number of words.
 */
function approximationsOf(scenario: Scenario, connection: AgentConnection | undefined): readonly Approximation[] {
  const isHeard = connection !== undefined && hasAny(connection.capabilities, ["voice"]);
  const tell = isHeard ? byVoice : (part: SteppedPart) => inText(part, connection !== undefined);
  return steppedParts(scenario).flatMap((part) => {
    const instead = tell(part);
    return instead === undefined ? [] : [{ step: part.text, instead }];
  });
}

function byVoice({ step }: SteppedPart): string | undefined {
  if (!step || !("interrupts" in step) || "after_ms" in step.interrupts) return undefined;
  return `it begins after ${msBefore(step.interrupts)} ms: which words were said is not known yet`;
}

/** @param isConnected Whether the agent is one where it runs, with a memory of its own. */
function inText({ step }: SteppedPart, isConnected: boolean): string | undefined {
  if (!step) return "nobody hears it in text";
  if ("interrupts" in step) {
    const cut = `the reply is cut after ${plural(wordsBefore(step.interrupts))} of text`;
    return isConnected ? `${cut}, and the agent does not know of it` : cut;
  }
  if ("dtmf" in step) return "the agent reads the digits as words";
  if ("voicemail" in step) return "the agent reads the greeting as the caller's words";
  if ("hangs_up" in step)
    return step.hangs_up.mid_sentence
      ? "half of the words are in the transcript, and the agent is not asked"
      : undefined;
  return wordless(step, isConnected);
}

function wordless(step: Exclude<CallerStep, { readonly interrupts: unknown }>, isConnected: boolean): string {
  if (isConnected) return "no time passes, and the agent is not asked";
  return "silence_ms" in step
    ? "no time passes, and the agent reads that the caller is silent"
    : "no time passes, and the agent reads that it is on hold";
}

function plural(words: number): string {
  return words === 1 ? "1 word" : `${words} words`;
}
