import type { Path } from "../../../src/base/errors.ts";
import { defined } from "../../../src/base/values/mod.ts";
import type { Loss } from "../../platform.ts";

/** What pathways do not have, by code: kind, message, what to change, and what is emitted instead. */
const LOSSES = {
  "agent-flow": ["dropped", "Agents of version 2 are written back as they are", "Change it in the dashboard"],
  snippet: ["emulated", "Bland has no snippets", "", "its text in each prompt that uses it"],
  "snippet-unused": ["dropped", "Bland has no snippets, and no prompt uses this one", "Use it in a prompt"],
  "foreign-settings": ["dropped", "Settings of another platform", "Set Bland's own settings in the bland option"],
  "setting-ignored": ["dropped", "The flow itself says something else than the bland option", "Change one of them"],
  voice: ["dropped", "Calls and personas have it, pathways do not", "Set it in the call"],
  "call-variables": ["dropped", "A pathway has no default values", "Send them as request_data of each call"],
  "begin-message": [
    "emulated",
    "A pathway has no begin message",
    "Use a static_text entry node",
    "a static first node",
  ],
  "start-speaker": ["dropped", "A pathway does not say who speaks first", "Set wait_for_greeting in the call"],
  "silent-end": ["emulated", "An end node says something", "Add a prompt", 'the static text ".", which is not spoken'],
  "node-part": ["dropped", "This type of node does not have it", "Move it to a conversation node"],
  "variable-type": [
    "emulated",
    "Bland has the variable in another form",
    "Use a simple type, or short choices",
    "its row",
  ],
  "function-tools": ["dropped", "A webhook sends one request", "Add a function node for each tool"],
  "function-without-tool": ["emulated", "A function node needs a tool", "Add a tool", "a webhook without a URL"],
  "tool-type": ["emulated", "Bland has no tool of this type", "Use a tool with a URL", "a webhook"],
  "tool-url": ["dropped", "The tool has no URL", 'Set "url" on the tool'],
  "tool-part": ["dropped", "Tools do not have it here", "Leave it out"],
  parameters: ["emulated", "Arguments are rows of name, type and description", "Use simple types", "such rows"],
  "transition-timing": ["emulated", "Edges are taken when the caller has answered", "", "one that is always picked"],
  else: ["emulated", "Bland has no edge for everything else", "Name the condition", "an edge with such a label"],
  equation: [
    "emulated",
    "Bland compares variables in nodes of their own",
    "Add a logic node",
    "a Route node behind it",
  ],
  "equation-list": ["emulated", "Alternatives are one by one", "Use a transition for each", "a row for each"],
  "equation-words": [
    "emulated",
    "Bland compares in other words",
    "Compare with a text that is not null",
    "its own words",
  ],
  "outcome-first": [
    "emulated",
    "The answer of a request is asked for before variables are compared",
    "Move this transition before the comparisons",
    "a row that is asked first",
  ],
  description: ["dropped", "Routes and rows have no description", "Write it into the prompt"],
  unreachable: ["dropped", "This is never asked, or never holds", "Remove the transition"],
  "no-edge": ["dropped", "Bland has no such edge at this node", "Put another node before it"],
  "edge-taken": ["dropped", "Bland takes one edge without asking", "Remove the other transitions"],
  "tool-condition": ["emulated", "Bland's tools have no name in a condition", "", "the answer of the tool"],
  "tool-order": ["emulated", "Rows stand at their tools", "Order the transitions like the tools", "the tools' order"],
  "go-back": ["emulated", "Bland returns without a condition", "Use no condition", "a return when it has spoken"],
  "go-back-dropped": ["dropped", "A global node returns or has edges", "Remove its transitions or go-backs"],
} as const satisfies { readonly [code: string]: readonly [Loss["kind"], string, string, string?] };

/** Reports a loss, with its details. */
export type Lose = (code: keyof typeof LOSSES, path: Path, details?: string) => void;

/** Starts a list of losses, each once. */
export function createLosses(): { readonly lose: Lose; readonly all: () => readonly Loss[] } {
  const found = new Map<string, Loss>();
  return {
    lose: (code, path, details = "") => {
      const [kind, words, advice, instead]: readonly [Loss["kind"], string, string, string?] = LOSSES[code];
      const hint = advice === "" ? undefined : advice;
      const message = details === "" ? words : `${words}: ${details}`;
      const loss = defined({ code, kind, path, message, instead, hint });
      found.set(JSON.stringify([code, path, message]), loss);
    },
    all: () => [...found.values()],
  };
}
