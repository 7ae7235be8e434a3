import type { Path } from "../../../src/errors.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { defined, type JsonObject } from "../../../src/values/mod.ts";
import { settingNames } from "../../foreign_settings.ts";
import type { Loss } from "../../platform.ts";
import { LLM_OWNER, OWNER } from "./keep.ts";
import { textVariables } from "./values.ts";

/** The losses of a format by code, each with a hint if there is something to change. */
export type LossTable<Code extends string> = {
  readonly [code in Code]: readonly [kind: Loss["kind"], hint?: string];
};

/** Collects losses, each once. */
export interface Losses<Code extends string> {
  readonly add: (code: Code, path: Path, message: string, instead?: string) => void;
  readonly all: () => readonly Loss[];
}

/** Starts an empty list of losses. */
export function createLosses<Code extends string>(table: LossTable<Code>): Losses<Code> {
  const found = new Map<string, Loss>();
  return {
    add: (code, path, message, instead) => {
      const [kind, hint] = table[code];
      const key = JSON.stringify([code, path, message]);
      if (!found.has(key)) found.set(key, defined({ code, kind, path, message, instead, hint }));
    },
    all: () => [...found.values()],
  };
}

/** Keys of a graph's metadata that are not settings of another platform. */
const KNOWN: readonly string[] = [
  ...[OWNER, LLM_OWNER, "voicetest", "name", "description"],
  ...["general_prompt", "begin_message", "start_speaker", "default_dynamic_variables"],
];

/** Reports the settings of other platforms in a graph and its nodes. */
export function loseForeignSettings(
  { source_metadata: source, nodes }: AgentGraph,
  { add }: Losses<"foreign-settings">,
) {
  const lose = (path: Path, metadata: JsonObject) => {
    for (const [owner, settings] of Object.entries(metadata)) {
      const names = KNOWN.includes(owner) ? [] : settingNames(owner, settings);
      const message = `Retell does not support settings of another platform: ${names.join(", ")}`;
      if (names.length > 0) add("foreign-settings", [...path, owner], message);
    }
  };
  lose(["source_metadata"], source);
  for (const { id, metadata } of Object.values(nodes)) lose(["nodes", id, "metadata"], metadata);
}

/** Reports dynamic variables with a value that is not text. */
export function loseVariableTypes(variables: JsonObject, path: Path, { add }: Losses<"variable-as-text">): void {
  for (const [name, text] of Object.entries(textVariables(variables)))
    if (text !== variables[name])
      add("variable-as-text", [...path, name], "Retell's variables must be text", JSON.stringify(text));
}
