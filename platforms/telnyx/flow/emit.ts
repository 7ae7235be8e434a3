import { type JsonObject, omit, own, recordAt, sameJson } from "../../../src/base/values/mod.ts";
import { snippetUses } from "../../../src/document/expressions/mod.ts";
import { type AgentGraph, agentName, openingOf } from "../../../src/document/graph/mod.ts";
import { foreignSettings, foreignToolSettings } from "../../known/mod.ts";
import {
  expandSnippets,
  extractBehind,
  type LoweredGraph,
  lossesAtOrigins,
  lower,
  multiplyGlobals,
} from "../../lower/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../platform.ts";
import { createLosses, INSTRUCTIONS, isNative, isText, LENS, type Lose, OWNER, SINGLE } from "../shared/mod.ts";
import { GENERATED_GREETING } from "../traits/mod.ts";
import { nodeSettings } from "./plan.ts";
import { isUnresolved, TELNYX_REQUEST, writeTool } from "./tools.ts";
import { writeFlow } from "./write_flow.ts";

/** Model of an assistant without one: older versions of the API require it. */
const DEFAULT_MODEL = "openai/gpt-4o";

/** Name of an agent without one. */
const UNNAMED = "Assistant";

/** Emits a graph as the body of a request that creates or updates an assistant. */
export function emitTelnyx(
  source: AgentGraph,
  _options?: EmitOptions,
  imported?: AgentGraph,
): PlainEmitted<JsonObject> {
  const { lose, all } = createLosses();
  const native = isNative(source);
  const snippet = native ? own(source.snippets, INSTRUCTIONS) : undefined;
  loseWhole(source, snippet !== undefined, lose);
  const { [INSTRUCTIONS]: _, ...others } = source.snippets;
  const plain = snippet === undefined ? source : { ...source, snippets: others };
  const { graph: behind, origins, moved } = extractBehind(lower(plain, [expandSnippets]).graph, !native);
  for (const path of moved) lose("extract-behind", path);
  const { graph } = lower(sayEntry(behind, native, lose), [multiplyGlobals]);
  const { general_prompt: general } = graph.source_metadata;
  const isSingle = Object.keys(graph.nodes).length === 1 && isSinglePrompt(graph);
  const shared = {
    graph,
    native,
    lose,
    followed: new Set<string>(),
    general: isText(general) && general !== "" ? general : undefined,
  };
  const body = isSingle
    ? writeSingle(graph, native, lose)
    : {
        instructions:
          [shared.general, snippet].filter(isText).join("\n\n") ||
          recordAt(graph.source_metadata, OWNER).instructions ||
          "",
        ...writeFlow({ ...shared, hasTags: snippet !== undefined }, imported),
      };
  return { config: { ...writeHead(graph, native, lose), ...body }, losses: lossesAtOrigins(all(), origins) };
}

/** Whether a graph is an assistant without a flow. */
function isSinglePrompt({ nodes, source_metadata: source }: AgentGraph): boolean {
  const node = own(nodes, SINGLE);
  const isPlain = node?.node_type === "conversation" && node.transitions.length === 0;
  return (
    isPlain &&
    !source.general_prompt &&
    node.instruction_type !== "static_text" &&
    Object.keys(nodeSettings(node)).length === 0
  );
}

function writeSingle({ nodes, source_metadata: source }: AgentGraph, native: boolean, lose: Lose): JsonObject {
  const node = own(nodes, SINGLE);
  const tools = node?.tools ?? [];
  for (const [index] of (node?.variables_to_extract ?? []).entries())
    lose("variables", ["nodes", SINGLE, "variables_to_extract", index]);
  const ids = tools.flatMap(({ tool_id: id }) => (isText(id) ? [id] : []));
  const isList = recordAt(source, OWNER).tools === undefined;
  const written = tools.flatMap((tool, index) => {
    if (isUnresolved(tool)) return [];
    if (!isList) lose("tool-detail", ["nodes", SINGLE, "tools", index], tool.name);
    if (!isList) return [];
    const json = writeTool(tool, native, ["nodes", SINGLE, "tools", index], lose);
    return [isText(tool.tool_id) ? { ...json, shared: true } : json];
  });
  return {
    instructions: node?.state_prompt ?? "",
    ...(written.length > 0 ? { tools: written } : {}),
    ...(ids.length > 0 ? { tool_ids: ids } : {}),
  };
}

/** The settings of the assistant around its instructions, tools and flow. */
function writeHead(graph: AgentGraph, native: boolean, lose: Lose): JsonObject {
  const { source_metadata: source, default_model: model } = graph;
  const settings = recordAt(source, OWNER);
  const { language, voice } = recordAt(settings, "agent");
  const common: readonly (readonly [part: string, key: string, value: unknown])[] = [
    ["transcription", "language", language],
    ["voice_settings", "voice", voice],
  ];
  const parts = common.flatMap(([part, key, value]): (readonly [string, JsonObject])[] => {
    if (value === undefined) return [];
    const given = recordAt(settings, part);
    const isOwn = !native && given[key] !== undefined && !sameJson(given[key], value);
    if (isOwn) lose("overridden", ["source_metadata", key], JSON.stringify(value));
    return [[part, isOwn ? given : { ...given, [key]: value }]];
  });
  const { default_dynamic_variables: variables } = source;
  return {
    ...(agentName(graph) || !native ? { name: agentName(graph) || UNNAMED } : {}),
    ...(native && model == null ? {} : { model: model ?? DEFAULT_MODEL }),
    greeting: greetingOf(graph, lose),
    ...(variables ? { dynamic_variables: variables } : {}),
    ...omit(settings, [LENS, "agent", "instructions"]),
    ...Object.fromEntries(parts),
  };
}

function greetingOf(graph: AgentGraph, lose: Lose): string {
  const { begin_message: message } = graph.source_metadata;
  const opening = openingOf(graph);
  if (opening === "caller" && message) lose("begin-message", ["source_metadata", "begin_message"], message);
  if (opening === "begin") return message ?? "";
  return opening === "caller" ? "" : GENERATED_GREETING;
}

/** Moves the text of an entry node that nothing leads back to into the greeting, which is said verbatim. */
function sayEntry(graph: LoweredGraph, native: boolean, lose: Lose): LoweredGraph {
  const node = own(graph.nodes, graph.entry_node_id);
  const isStatic = node?.node_type === "conversation" && node.instruction_type === "static_text";
  const isReached = Object.values(graph.nodes).some(({ transitions }) =>
    transitions.some(({ target_node_id: target }) => target === graph.entry_node_id),
  );
  if (native || !node || !isStatic || isReached || node.global_node_setting || openingOf(graph) !== "node")
    return graph;
  lose("static-entry", ["nodes", node.id, "instruction_type"]);
  const { instruction_type: _, ...rest } = node;
  const source_metadata = { ...graph.source_metadata, begin_message: node.state_prompt };
  return { ...graph, source_metadata, nodes: { ...graph.nodes, [node.id]: { ...rest, state_prompt: "" } } };
}

/** Reports losses of the whole graph. */
function loseWhole(graph: AgentGraph, hasTags: boolean, lose: Lose): void {
  const used = new Set(snippetUses(graph).map(({ name }) => name));
  for (const name of Object.keys(graph.snippets))
    if (!hasTags || name !== INSTRUCTIONS)
      lose(used.has(name) ? "snippet" : "snippet-unused", ["snippets", name], name);
  const settings = [...foreignSettings(graph, [OWNER]), ...foreignToolSettings(graph, [OWNER], TELNYX_REQUEST)];
  for (const { path, names } of settings) lose("foreign-settings", path, names.join(", "));
  for (const { id, global_node_setting: setting, transitions } of Object.values(graph.nodes)) {
    for (const [index, { description }] of transitions.entries())
      if (description) lose("transition-description", ["nodes", id, "transitions", index, "description"], description);
    const path = ["nodes", id, "global_node_setting"];
    if (setting) lose("global", path);
    for (const [index, { condition }] of (setting?.go_back_conditions ?? []).entries())
      lose("go-back", [...path, "go_back_conditions", index], condition.value);
  }
}
