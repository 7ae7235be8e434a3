import { getAt } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import type { CarriedSetting } from "../voices.ts";

/** Voice and language that people write beside a pathway. Bland's names of voices are its own; its calls set them. */
export function blandCarried(graph: AgentGraph): readonly CarriedSetting[] {
  const at = ["source_metadata", "bland"];
  const [voice, language] = [getAt(graph, [...at, "voice"]), getAt(graph, [...at, "language"])];
  return [
    ...(typeof voice === "string" && voice !== ""
      ? [{ kind: "voice", voice: { vendor: "bland", name: voice }, words: voice, paths: [[...at, "voice"]] } as const]
      : []),
    ...(typeof language === "string" && language !== ""
      ? [{ kind: "language", language, paths: [[...at, "language"]] } as const]
      : []),
  ];
}
