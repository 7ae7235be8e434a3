import type { Path } from "../../../src/base/errors.ts";
import { defined, type JsonObject } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { foreignSettings, foreignToolSettings } from "../../known/mod.ts";
import type { Loss } from "../../platform.ts";
import { RETELL_REQUEST } from "./foreign_request.ts";
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

/** Reports the settings of other platforms in a graph, its nodes and their tools. */
export function loseForeignSettings(graph: AgentGraph, { add }: Losses<"foreign-settings">) {
  for (const { path, names } of foreignSettings(graph, [OWNER, LLM_OWNER]))
    add("foreign-settings", path, `Retell does not support settings of another platform: ${names.join(", ")}`);
  for (const { path, names, tool } of foreignToolSettings(graph, [OWNER, LLM_OWNER], RETELL_REQUEST))
    add("foreign-settings", path, `Retell does not support settings of the tool "${tool.name}": ${names.join(", ")}`);
}

/** Reports dynamic variables with a value that is not text. */
export function loseVariableTypes(variables: JsonObject, path: Path, { add }: Losses<"variable-as-text">): void {
  for (const [name, text] of Object.entries(textVariables(variables)))
    if (text !== variables[name])
      add("variable-as-text", [...path, name], "Retell's variables must be text", JSON.stringify(text));
}
