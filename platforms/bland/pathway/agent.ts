import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";
import { type AgentGraph, type Finding, parseGraph } from "../../../src/document/graph/mod.ts";
import type { PlainEmitted } from "../../platform.ts";
import { createLosses } from "./losses.ts";

/** Envelopes of an agent of version 2. */
const ROOTS: readonly Path[] = [[], ["snapshot"], ["data"], ["data", "snapshot"]];

/** The path of an agent of version 2 in a document; `undefined` if there is none. */
export function agentRootOf(document: unknown): Path | undefined {
  return ROOTS.find((path) => Array.isArray(getAt(document, [...path, "behavior", "nodes"])));
}

/** Id of the one node that stands for the whole agent. */
const WHOLE = "agent";

/** Reads an agent of version 2: its system prompt and its name. Its flow stays in the document. */
export function importAgentV2(document: unknown, root: Path, report: (finding: Finding) => void): AgentGraph {
  const found = getAt(document, [...root, "settings"]);
  const { systemPrompt: prompt, displayName: name }: JsonObject = isRecord(found) ? found : {};
  const message = "The flow of an agent of version 2 is written back as it is, and not read";
  const hint = "Do not run scenarios with it: connect to the deployed agent";
  report({ code: "unread-flow", severity: "warning", path: [...root, "behavior"], message, hint });
  return parseGraph({
    nodes: { [WHOLE]: { id: WHOLE, node_type: "conversation", state_prompt: "" } },
    entry_node_id: WHOLE,
    source_type: "bland",
    source_metadata: {
      ...(typeof name === "string" ? { name } : {}),
      ...(typeof prompt === "string" ? { general_prompt: prompt } : {}),
      bland: { lens: { version: 2 } },
    },
  });
}

/** Writes an agent of version 2; `undefined` for a pathway. */
export function emitAgentV2(graph: AgentGraph): PlainEmitted<JsonObject> | undefined {
  const { name, general_prompt: prompt, ...source } = graph.source_metadata;
  if (recordAt(recordAt(source, "bland"), "lens").version !== 2) return undefined;
  const { lose, all } = createLosses();
  const { [WHOLE]: whole, ...others } = graph.nodes;
  for (const id of Object.keys(others)) lose("agent-flow", ["nodes", id], id);
  const isBare = whole && whole.state_prompt === "" && whole.transitions.length === 0 && whole.tools.length === 0;
  if (!isBare) lose("agent-flow", ["nodes", WHOLE], WHOLE);
  for (const key of Object.keys(omit(source, ["bland", "original"]))) lose("agent-flow", ["source_metadata", key], key);
  const settings = {
    ...(prompt == null ? {} : { systemPrompt: prompt }),
    ...(name == null ? {} : { displayName: name }),
  };
  return { config: { settings }, losses: all() };
}
