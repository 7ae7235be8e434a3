import type { LanguageModelV3CallOptions, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import * as v from "valibot";
import { foldedTarget } from "../../../document/graph/mod.ts";
import { type EmbeddedCall, generated, readCall } from "../embedded.ts";
import { embeddedModel, type Model } from "../model.ts";
import { fusedSignature, NO_TRANSITION, respondInput, transitionSignature } from "../signatures/mod.ts";
import { answerByRule, decideAndReply, tongueOf, toolNews } from "./answer.ts";
import { composeReply } from "./respond.ts";
import { pickTransition } from "./transition.ts";

/** The facts about a turn of a call, in the order of the call. */
export interface KnownTurn {
  readonly moves?: readonly { readonly to: string | null; readonly complete?: boolean | null }[] | null;
  readonly extracts?: readonly { readonly [variable: string]: string }[] | null;
  readonly tools?: readonly string[] | null;
}

/** Plays the agent of one call along a known path. */
export interface PathFollower {
  /** The offline model. After the last turn it stays at its node. */
  readonly model: Model;
  /** Starts the next turn, when the caller speaks. */
  readonly hear: () => void;
  /** Why the call has left the path; `undefined` while it follows it. The offline model's rules decide from then on. */
  readonly left: () => string | undefined;
}

type Offers = readonly { readonly target: string }[];

/** @param turns The opening, then a turn for each line of the caller. */
export function followPath(turns: readonly KnownTurn[]): PathFollower {
  let turn = 0;
  let queues = queuesOf(turns[0]);
  let left: string | undefined;

  const pick = (offers: Offers) => {
    const move = queues.moves.shift();
    const none = offers.some(({ target }) => foldedTarget(target) === NO_TRANSITION) ? "not none" : NO_TRANSITION;
    const reasoning = "The known path of the scenario says so.";
    if (!move) return { reasoning, objectives_complete: false, transition_to: none };
    const objectives_complete = move.complete ?? true;
    if (move.to === null) return { reasoning, objectives_complete, transition_to: none };
    if (offers.some(({ target }) => target === move.to))
      return { reasoning, objectives_complete, transition_to: move.to };
    left = `${turn === 0 ? "in the opening" : `in turn ${turn}`} it goes to "${move.to}", which is not offered there`;
    return undefined;
  };

  const answer = async (
    call: EmbeddedCall,
    options: LanguageModelV3CallOptions,
  ): Promise<LanguageModelV3GenerateResult> => {
    if (left !== undefined) return await answerByRule(call, options);
    const tongue = await tongueOf(call.input);
    if (call.signature === "transition") {
      const input = v.parse(transitionSignature.input, call.input);
      return json(pick(input.available_transitions) ?? pickTransition(input, tongue));
    }
    if (call.signature === "fused") {
      const input = v.parse(fusedSignature.input, call.input);
      return json(
        decideAndReply(input, (asked) => pick(asked.available_transitions) ?? pickTransition(asked, tongue), tongue),
      );
    }
    if (call.signature === "extract") return json(queues.extracts.shift() ?? {});
    if (call.signature !== "respond") return await answerByRule(call, options);
    const [name] = queues.tools;
    if (name !== undefined && options.tools?.some((tool) => tool.name === name)) {
      queues.tools.shift();
      return generated("", [{ name, arguments: {} }], () => `call_${options.prompt.length}`);
    }
    const input = v.parse(respondInput, call.input);
    return generated([toolNews(options, tongue), composeReply(input, tongue)].filter(Boolean).join(" "));
  };

  return {
    model: embeddedModel("offline", async (options) => answer(readCall("offline", options), options)),
    hear: () => {
      turn += 1;
      queues = queuesOf(turns[turn]);
    },
    left: () => left,
  };
}

function queuesOf({ moves, extracts, tools }: KnownTurn = {}) {
  return { moves: [...(moves ?? [])], extracts: [...(extracts ?? [])], tools: [...(tools ?? [])] };
}

function json(answer: unknown): LanguageModelV3GenerateResult {
  return generated(JSON.stringify(answer));
}
