import { isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";

/**
 * Writes the graph's language and voice, which are under `membersOverrides`, into an assistant, a workflow or the
 * overrides of a squad. A transcriber keeps its provider.
 */
export function withSpeech(settings: JsonObject, { source_metadata: source }: AgentGraph): JsonObject {
  const { transcriber, voice } = recordAt(recordAt(source, "vapi"), "membersOverrides");
  return {
    ...settings,
    ...(voice === undefined ? {} : { voice }),
    ...(isRecord(transcriber)
      ? { transcriber: { ...transcriber, ...recordAt(settings, "transcriber"), language: transcriber.language } }
      : {}),
  };
}
