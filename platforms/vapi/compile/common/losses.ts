import type { Path } from "../../../../src/errors.ts";
import { defined } from "../../../../src/values/mod.ts";
import type { Loss } from "../../../platform.ts";
import { limits } from "../../api/mod.ts";
import { quoted } from "./names.ts";

/** A loss without its code and path. */
type Words = Omit<Loss, "code" | "path">;

const emulated = (message: string, instead: string, hint?: string) =>
  ({ kind: "emulated", message, instead, hint }) as const;
const dropped = (message: string, hint: string, instead?: string) =>
  ({ kind: "dropped", message, instead, hint }) as const;
/** A loss that is described where it is found: by the checks of settings, or by a pass of `platforms/lower`. */
const asFound = ({ kind, message, instead, hint }: Words) => ({ kind, message, instead, hint });

/** Every loss of emitting for Vapi in words, by its code. The README says what each code means. */
const TABLE = {
  contracted: (members: number, nodes: number, merged: number) =>
    emulated(
      `${members} members of ${nodes} nodes: ${merged} merged into the one before them, ${nodes - members - merged} guards or tools`,
      merged > 0 ? "one prompt with a step for each node of a chain" : "the squad without merging",
      merged > 0 ? "Emit without contract to give every speaking node a member of its own" : undefined,
    ),
  "dead-end": (target: string) =>
    dropped(
      `No node that speaks can be reached from "${target}", so the call would stay silent there`,
      `Add a transition from "${target}" to a node that speaks`,
      "no transition: the caller stays at the node before it",
    ),
  "edge-priority": () =>
    emulated("Vapi's handoffs have no order", "a handoff that is also rejected while an earlier equation is true"),
  "equation-as-trigger": () =>
    emulated(
      "Vapi does not move a call when an equation becomes true",
      "a handoff that is rejected while the equation is false; the model makes it when the equation is true",
    ),
  "extraction-left-empty": (name: string) =>
    emulated(
      `Vapi may set "${name}" to an empty text when the caller has not said it`,
      "a code tool that may be called without it, and a guard that asks whether it is set",
      "Extract a choice with a value for what is not known, and compare with that",
    ),
  "extraction-timing": (tool: string) =>
    emulated(
      "Vapi extracts no variables by itself",
      `the code tool "${tool}": the model calls it, and the handoffs behind it are rejected until then`,
      "Let a conversation node ask for the values",
    ),
  "fixed-words": (message: string) =>
    emulated(message, "a step that tells the model to say exactly these words", "Emit a squad"),
  "forced-transition": () =>
    emulated(
      "Vapi has no transition without a decision of the model",
      "a handoff that the prompt tells the model to make at once",
      "Merge the two nodes, or emit with --contract",
    ),
  "function-execution": (skippable: string | undefined) =>
    emulated(
      skippable ? `Vapi does not report whether "${skippable}" was called` : "Vapi has no node that calls a function",
      skippable
        ? "a prompt that tells the model to call the tool; nothing stops it from going on without"
        : "the tool at each member that leads there, a prompt that tells the model to call it, and no way on before",
      "Set a variable from the tool's response, and compare it in the transitions that follow",
    ),
  "go-back-timing": () =>
    emulated(
      "Vapi cannot return a call to the member it came from",
      "a handoff to each member that leads there, rejected unless the call came from it; the model chooses the moment",
    ),
  "member-renamed": (name: string) =>
    emulated(
      "Vapi takes names of at most 40 characters, each once in a squad",
      `the member "${name}"`,
      "Shorten the node's id",
    ),
  "model-provider": (provider: string, model: string) =>
    emulated(
      `Vapi has no provider "${provider}"`,
      `the model "${model}" of the provider "openrouter"`,
      "Set the model under metadata.vapi of the node, or choose a provider that Vapi has",
    ),
  "nested-global-return": asFound,
  "node-settings": (message: string, hint: string, instead?: string) => dropped(message, hint, instead),
  "platform-settings": (kept: string) =>
    dropped(`Vapi has no place for what is kept under ${kept}`, "Set what Vapi should have under source_metadata.vapi"),
  "platform-variable": (name: string, instead: { readonly zone: string } | { readonly given: string }) => {
    const message = `Vapi gives calls no variable "${name}"`;
    if ("given" in instead) {
      const empty = `the variable "${instead.given}", which is empty unless your calls give it`;
      return dropped(message, "Give it a value in each call (variableValues)", empty);
    }
    const hint = `Name the time zone in the variable if your callers are not in ${instead.zone}`;
    return emulated(message, `Vapi's clock in ${instead.zone}, as Liquid`, hint);
  },
  "schema-keyword": asFound,
  "self-transition": (hasWork: boolean) =>
    emulated(
      "Vapi ignores a handoff from an assistant to itself",
      hasWork
        ? "a code tool that marks the member's tools as not called, so that none of them can be skipped the next time"
        : "no handoff: the member goes on with its own prompt",
      "Say in the prompt when to start over",
    ),
  "setting-corrected": asFound,
  "setting-dropped": asFound,
  "steps-in-prompt": (steps: number) =>
    emulated(
      `An assistant has no nodes: ${steps} of them are steps of one prompt`,
      "code tools that move the call from step to step, vetoed where the graph has no way",
      "Emit a squad",
    ),
  "text-clipped": (length: number) =>
    emulated(
      `A text of ${length} characters is longer than the ${limits().message} that Vapi takes here`,
      `its first ${limits().message} characters`,
      "Shorten the text",
    ),
  "tool-dropped": asFound,
  "tool-outcome": (source: "noted" | "told") =>
    source === "noted"
      ? emulated(
          "Vapi does not report that a tool of your server failed",
          "a second tool by which the model notes the failure, open only right after the tool was called",
          "Give the tool a url: then the squad makes the request itself and knows its outcome",
        )
      : emulated(
          "Vapi does not report what came of a tool that is kept in the organisation",
          "a handoff whose description names the outcome, which the model judges",
          "Give the tool a url, or route by a variable that it sets",
        ),
  "tool-renamed": (name: string, given: string, most: number) =>
    emulated(
      `Vapi has no place for a tool called "${name}"`,
      `the tool "${given}"`,
      `Use letters, digits, "_" and "-", at most ${most}, and each name once at a node`,
    ),
  "tool-settings": (keys: readonly string[]) =>
    dropped(
      `Vapi has no place for what the tool keeps under ${quoted(keys)}`,
      "Give the tool as Vapi has it under metadata.vapi of the tool",
    ),
  "transfer-destination": () =>
    emulated(
      "The graph does not say where the call goes",
      "a transferCall tool without destinations: Vapi asks your server for one (transfer-destination-request)",
      "Give the transfer a number or a SIP address",
    ),
  "transfer-failure-routing": () =>
    dropped(
      "Vapi does not return to the squad when a transfer fails",
      "Set transferPlan.fallbackPlan under metadata.vapi of the tool",
      "the end of the call when the transfer fails",
    ),
  "unknown-snippet": (name: string, tag: string) =>
    emulated(
      `"${tag}" names no snippet, and Vapi reads it as a Liquid tag`,
      "Liquid that prints it to the letter",
      `Add the snippet "${name}" or take it out of the text`,
    ),
  "unknown-tool-type": (type: string) =>
    emulated(
      `Vapi has no tool that does what a "${type}" tool does`,
      "a function that your own server has to answer",
      "Give the tool as Vapi has it under metadata.vapi of the tool",
    ),
  "unreachable-transition": (first: number) =>
    dropped(`"always" transition ${first} comes first`, "Take this transition out"),
  "variable-renamed": (name: string, given: string) =>
    emulated(
      `Vapi has no place for a variable called "${name}"`,
      `the variable "${given}", in prompts, guards and aliases alike`,
      "Use letters, digits and underscores, at most 40, and none of Vapi's own names",
    ),
  "workflow-settings": asFound,
};

/** Code of a loss of emitting for Vapi. */
export type LossCode = keyof typeof TABLE;

/** Arguments of each entry of the table. */
type Details = { readonly [Code in LossCode]: Parameters<(typeof TABLE)[Code]> };

const WORDS: { readonly [Code in LossCode]: (...details: Details[Code]) => Words } = TABLE;

/** Every code that emitting for Vapi can report. */
export const LOSS_CODES: readonly string[] = Object.keys(TABLE);

/** Collects losses, each code once for a place. */
export class LossList {
  readonly #found = new Map<string, Loss>();

  add<Code extends LossCode>(code: Code, path: Path, ...details: Details[Code]): void {
    const key = JSON.stringify([code, path]);
    if (this.#found.has(key)) return;
    this.#found.set(key, defined({ code, path, ...WORDS[code](...details) }));
  }

  all(): readonly Loss[] {
    return [...this.#found.values()];
  }
}
