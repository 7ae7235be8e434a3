import type { Path } from "../../../src/errors.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { type JsonObject, recordAt } from "../../../src/values/mod.ts";
import { LLM_OWNER, type Losses, llmKeys, loseForeignSettings } from "../shared/mod.ts";

/** Settings of an LLM that a flow does not need, or has elsewhere. */
const NO_SETTINGS = [
  ...["general", "repeated"],
  ...["llm_id", "version", "is_published", "last_modification_timestamp"],
  ...["begin_message", "model_high_priority"],
];

/**
 * Reports settings of other platforms and of LLMs. Those of a flow that was written in code are meant for other targets
 * and are no losses.
 */
export function loseSettings(graph: AgentGraph, losses: Losses<"foreign-settings">): void {
  if (graph.source_type === "custom") return;
  const lose = (path: Path, settings: JsonObject) => {
    for (const key of Object.keys(settings)) {
      const message = `Settings of another platform have no place at Retell: ${key}`;
      if (!NO_SETTINGS.includes(key) && settings[key] !== null)
        losses.add("foreign-settings", [...path, LLM_OWNER], message);
    }
  };
  loseForeignSettings(graph, losses);
  lose(["source_metadata"], recordAt(graph.source_metadata, LLM_OWNER));
  for (const { id, transitions } of Object.values(graph.nodes))
    for (const [index, transition] of transitions.entries())
      lose(["nodes", id, "transitions", index, "metadata"], llmKeys(transition));
}
