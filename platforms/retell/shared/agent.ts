import { type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { OWNER } from "./keep.ts";

/** The dashboard's default names of agents. */
export const UNNAMED = { flow: "Conversation Flow Agent", single: "Single-Prompt Agent", multi: "Multi-State Agent" };

/** Returns the agent's name as source metadata; empty for a default name of the dashboard. */
export function readName(agent: JsonObject | undefined): { readonly name?: string } {
  const name = agent?.agent_name;
  return typeof name === "string" && !Object.values(UNNAMED).includes(name) ? { name } : {};
}

/**
 * Creates the agent around a flow or an LLM, as in the dashboard's exports. The dashboard assigns the ids.
 *
 * @param engine The agent's engine. An imported engine of another type is not kept.
 * @param unnamed Default name.
 */
export function dashboardAgent(
  graph: AgentGraph,
  engine: JsonObject & { readonly type: string; readonly version: unknown },
  unnamed: string,
): JsonObject {
  const { source_metadata: source, source_type: origin } = graph;
  const own = recordAt(recordAt(source, OWNER), "agent");
  const isSameEngine = recordAt(own, "response_engine").type === engine.type;
  return {
    agent_id: "",
    channel: "voice",
    agent_name: source.name || unnamed,
    response_engine: engine,
    language: "en-US",
    voice_id: "retell-Cimo",
    version: engine.version,
    is_published: false,
    ...(isSameEngine ? own : omit(own, ["response_engine"])),
    // an imported agent may be renamed; in code, the name in the retell option takes precedence
    ...(source.name && origin !== "custom" ? { agent_name: source.name } : {}),
  };
}
