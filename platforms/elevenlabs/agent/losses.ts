import type { Path } from "../../../src/base/errors.ts";
import { defined, own } from "../../../src/base/values/mod.ts";
import { UNREAD_CODES } from "../../../src/document/expressions/mod.ts";
import type { Loss } from "../../platform.ts";

/** Losses of which nothing is written. All others are emulated. */
const DROPPED: readonly string[] = [
  ...["foreign-settings", "function-tools", "node-tools", "operator", "schema-keyword", "setting-ignored"],
  ...["tool-part", "transfer-outcome", "variables", ...UNREAD_CODES],
];

const HINTS: { readonly [code: string]: string } = {
  "extract-prompt": "Move the prompt into the descriptions of the variables",
  "function-tool": "Give the node a tool that makes a request",
  "merged-order": "Write the transitions to one node one after the other",
  "node-tools": "Move the tools to a conversation node",
  "tool-inline": "Create the tool at ElevenLabs, and set its tool_id in the elevenlabs option",
  "tool-ids": "Remove the ids from tool_ids of the agent",
  "tool-renamed": "Give tools that differ different names",
  variables: "Move the variables to an extract node",
};

/** Collects losses, each once. */
export class ElevenLabsLosses {
  readonly #found = new Map<string, Loss>();

  readonly add = (code: string, path: Path, message: string, instead?: string): void => {
    const kind = DROPPED.includes(code) ? "dropped" : "emulated";
    const loss: Loss = defined({ code, kind, path, message, instead, hint: own(HINTS, code) });
    this.#found.set(JSON.stringify([code, path, message]), loss);
  };

  all(): readonly Loss[] {
    return [...this.#found.values()];
  }
}
