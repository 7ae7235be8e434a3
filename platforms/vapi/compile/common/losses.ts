import type { Path } from "../../../../src/base/errors.ts";
import { defined, quotedList } from "../../../../src/base/values/mod.ts";
import type { Loss } from "../../../platform.ts";
import { limits } from "../../api/mod.ts";

/** A loss without its code and path. */
type Words = Omit<Loss, "code" | "path">;

const emulated = (message: string, instead: string, hint?: string) =>
  ({ kind: "emulated", message, instead, hint }) as const;
const dropped = (message: string, hint: string, instead?: string) =>
  ({ kind: "dropped", message, instead, hint }) as const;
/** A loss that its caller describes: a check of settings, or a pass of `platforms/lower`. */
const asFound = ({ kind, message, instead, hint }: Words) => ({ kind, message, instead, hint });

/** Texts of every loss by code. The README explains the codes. */
const TABLE = {
  "begin-message-unread": dropped,
  "choices-type": dropped,
  contracted: (members: number, nodes: number, merged: number) =>
    emulated(
      `${members} members of ${nodes} nodes: ${merged} merged into the one before them, ${nodes - members - merged} guards or tools`,
      merged > 0 ? "one prompt with a step for each node of a chain" : "the squad without merging",
      merged > 0 ? "Emit without contract to get a member for each conversation node" : undefined,
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
      `Vapi may set "${name}" to an empty text if the caller has not given it`,
      "a code tool with an optional argument, and a guard that tests whether the variable is set",
      "Extract a choice with a value for unknown, and compare with that value",
    ),
  "extraction-timing": (tool: string) =>
    emulated(
      "Vapi does not extract variables by itself",
      `the code tool "${tool}": the model calls it, and handoffs after it are rejected until then`,
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
        ? "a prompt that tells the model to call the tool; the model can continue without calling it"
        : "the tool at each member that leads there; the prompt tells the model to call it, and handoffs are rejected until then",
      "Set a variable from the tool's response, and compare it in the transitions that follow",
    ),
  "global-unread": dropped,
  "go-back-unread": dropped,
  "go-back-timing": () =>
    emulated(
      "Vapi cannot return a call to the member it came from",
      "a handoff to each member that leads there, rejected unless the call came from it; the model chooses the moment",
    ),
  "member-renamed": (name: string) =>
    emulated("Vapi requires unique names of at most 40 characters", `the member "${name}"`, "Shorten the node's id"),
  "model-provider": (provider: string, model: string) =>
    emulated(
      `Vapi does not support the provider "${provider}"`,
      `the model "${model}" of the provider "openrouter"`,
      "Set the model under metadata.vapi of the node, or choose a provider that Vapi supports",
    ),
  "nested-global-return": asFound,
  "node-settings": (message: string, hint: string, instead?: string) => dropped(message, hint, instead),
  "platform-settings": (kept: string) =>
    dropped(`Vapi does not support the settings under ${kept}`, "Set Vapi's own settings under source_metadata.vapi"),
  "platform-variable": (name: string, instead: { readonly zone: string } | { readonly given: string }) => {
    const message = `Vapi does not set the variable "${name}"`;
    if ("given" in instead) {
      const empty = `the variable "${instead.given}", which is empty unless your calls set it`;
      return dropped(message, "Set it in each call (variableValues)", empty);
    }
    const hint = `Add the time zone to the variable's name if your callers are not in ${instead.zone}`;
    return emulated(message, `Vapi's clock in ${instead.zone}, as Liquid`, hint);
  },
  "prompt-unread": dropped,
  "schema-keyword": asFound,
  "self-transition": (hasWork: boolean, returning?: string) =>
    emulated(
      returning === undefined
        ? "Vapi ignores a handoff from an assistant to itself"
        : `The way back from "${returning}" leads to "${returning}" again, and nothing checks its condition here`,
      hasWork
        ? "a code tool that marks the member's tools as not called, so that they have to be called again"
        : "no handoff: the member continues with its own prompt",
      "Say in the prompt when to start over",
    ),
  "setting-corrected": asFound,
  "setting-dropped": asFound,
  "snippet-unused": dropped,
  "steps-in-prompt": (steps: number) =>
    emulated(
      `An assistant has no nodes: ${steps} of them are steps of one prompt`,
      "code tools that move the call from step to step, rejected if the graph has no such transition",
      "Emit a squad",
    ),
  "text-clipped": (length: number) =>
    emulated(
      `A text of ${length} characters is longer than Vapi's limit of ${limits().message}`,
      `its first ${limits().message} characters`,
      "Shorten the text",
    ),
  "tool-dropped": asFound,
  "tool-outcome": (source: "noted" | "told") =>
    source === "noted"
      ? emulated(
          "Vapi does not report the failure of a tool on your server",
          "a second tool with which the model reports the failure, accepted only right after the tool was called",
          "Set the tool's url, so that the squad makes the request and stores its outcome",
        )
      : emulated(
          "Vapi does not report the outcome of a tool that is saved in the organisation",
          "a handoff with the outcome in its description; the model decides",
          "Set the tool's url, or route by a variable that it sets",
        ),
  "tool-renamed": (name: string, given: string) =>
    emulated(`Vapi does not have the tool name "${name}" here`, `the tool "${given}"`, "Use unique names of tools"),
  "tool-settings": (keys: readonly string[]) =>
    dropped(
      `Vapi does not support the tool's settings ${quotedList(keys)}`,
      "Set the tool in Vapi's JSON under metadata.vapi of the tool",
    ),
  "tool-timeout": (wanted: number, most: number) =>
    emulated(
      `A tool of Vapi that runs code has at most ${most} seconds, and the request's limit is ${wanted}`,
      `${most} seconds`,
      "Make the request answer sooner",
    ),
  "transfer-destination": (to: string, least: number, most: number) =>
    dropped(
      `Vapi does not accept the destination "${to}", which must have ${least} to ${most} characters`,
      "Change the number, or shorten the variable's name",
      "a transferCall tool without it: Vapi asks your server for one (transfer-destination-request)",
    ),
  "transfer-extension": (extension: string, most: number) =>
    dropped(
      `Vapi does not accept the extension "${extension}" of more than ${most} characters`,
      "Shorten it",
      "the number without it",
    ),
  "transfer-failure-routing": () =>
    dropped(
      "Vapi does not return to the squad if a transfer fails",
      "Set transferPlan.fallbackPlan under metadata.vapi of the tool",
      "the end of the call if the transfer fails",
    ),
  "transition-description": dropped,
  "transition-unread": dropped,
  "unreachable-node": (id: string) =>
    dropped(`No member leads to "${id}"`, "Add a transition to the node, or remove it"),
  "unknown-snippet": (name: string, tag: string) =>
    emulated(
      `"${tag}" is not a snippet, and Vapi parses it as a Liquid tag`,
      "Liquid that prints it verbatim",
      `Add the snippet "${name}" or remove it from the text`,
    ),
  "unknown-tool-type": (type: string) =>
    emulated(
      `Vapi has no equivalent of a "${type}" tool`,
      "a function that your own server has to answer",
      "Set the tool in Vapi's JSON under metadata.vapi of the tool",
    ),
  "unreachable-transition": (first: number) =>
    dropped(`The "always" transition ${first} takes precedence`, "Remove this transition"),
  "variable-default": (name: string) =>
    dropped(
      `A saved assistant cannot store the default value of "${name}", and no text uses the variable`,
      "Set the variable in each call, or emit a squad",
    ),
  "variables-unread": dropped,
  "variable-renamed": (name: string, given: string) =>
    emulated(
      `Vapi does not accept the variable name "${name}"`,
      `the variable "${given}", in prompts, guards and aliases`,
      "Use at most 40 letters, digits and underscores, and none of Vapi's own names",
    ),
  "workflow-settings": asFound,
};

/** Code of a loss that emitting for Vapi can report. */
export type LossCode = keyof typeof TABLE;

/** Arguments of each entry of the table. */
type Details = { readonly [Code in LossCode]: Parameters<(typeof TABLE)[Code]> };

const WORDS: { readonly [Code in LossCode]: (...details: Details[Code]) => Words } = TABLE;

/** Every code that emitting for Vapi can report. */
export const LOSS_CODES: readonly string[] = Object.keys(TABLE);

/** Collects losses. Each code is added once per path. */
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
