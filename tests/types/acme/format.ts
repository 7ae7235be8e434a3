import type { RequestWriter } from "../../../platforms/facts.ts";
import { carriedRequest, foreignSettings, foreignToolSettings, requestSettings } from "../../../platforms/known/mod.ts";
import { expandSnippets, lower } from "../../../platforms/lower/mod.ts";
import { type Format, type Loss, unknownShape } from "../../../platforms/platform.ts";
import { isRecord, type JsonObject, omit, recordAt, records } from "../../../src/base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  agentName,
  parseGraph,
  type ToolDefinition,
} from "../../../src/document/graph/mod.ts";

/**
 * Acme's agents: `{ acme: 1, name, language, voice, prompt, opening, variables, first, steps: [{ step, kind, says, next:
 * [{ step, condition }], tools: [{ name, … }] }] }`.
 */
export const acme: Format<"acme", JsonObject> = {
  name: "acme",
  title: "Acme agent",
  shape: { keys: ["step", "name"] },
  detect: (document) => (isRecord(document) && document.acme === 1 ? 1 : 0),
  importDocument: read,
  emitGraph: (source) => {
    const { graph } = lower(source, [expandSnippets]);
    return { config: documentOf(graph), losses: lossesOf(graph) };
  },
  checkGraph: ({ nodes }) =>
    Object.values(nodes).flatMap(({ id, state_prompt: prompt }) =>
      prompt.length > 2_000
        ? [
            {
              code: "long-text",
              severity: "error",
              path: ["nodes", id],
              message: "Acme says 2,000 letters",
              hint: "Cut it",
            },
          ]
        : [],
    ),
};

/** Settings of the agent that the graph has for all platforms. */
const COMMON = ["language", "voice"];

/** How a tool of Acme has the parts of a request. */
const REQUEST: RequestWriter = {
  method: (method) => ({ method }),
  timeoutMs: (milliseconds) => ({ seconds: milliseconds / 1_000 }),
  headers: (headers) => ({ headers }),
};

function documentOf(graph: AgentGraph): JsonObject {
  const { source_metadata: source, nodes } = graph;
  return {
    acme: 1,
    name: agentName(graph),
    ...recordAt(recordAt(source, "acme"), "agent"),
    prompt: source.general_prompt ?? "",
    opening: source.begin_message ?? null,
    variables: source.default_dynamic_variables ?? {},
    first: graph.entry_node_id,
    steps: Object.values(nodes).map(stepOf),
  };
}

function stepOf(node: AgentNode): JsonObject {
  return {
    ...omit(recordAt(node.metadata, "acme"), ["destination"]),
    step: node.id,
    kind: node.node_type,
    says: node.state_prompt,
    ...(node.instruction_type === "static_text" ? { verbatim: true } : {}),
    ...(node.global_node_setting ? { anytime: node.global_node_setting } : {}),
    ...(node.variables_to_extract.length > 0 ? { notes: node.variables_to_extract } : {}),
    next: node.transitions.map(({ target_node_id: step, condition, ...rest }) => ({ step, condition, ...rest })),
    tools: node.tools.map(toolOf),
    ...transferOf(node),
  };
}

function toolOf(tool: ToolDefinition): JsonObject {
  const { metadata, ...rest } = tool;
  const own = recordAt(metadata ?? {}, "acme");
  const request = requestSettings(carriedRequest(tool, "acme", REQUEST));
  return { ...rest, ...request, ...omit(own, ["destination"]), ...transferOf(tool) };
}

function transferOf({ metadata }: Pick<ToolDefinition, "metadata">): JsonObject {
  const { destination } = recordAt(metadata ?? {}, "acme");
  return isRecord(destination) ? { to: destination.number, extension: destination.extension } : {};
}

function lossesOf(graph: AgentGraph): readonly Loss[] {
  const found = [...foreignSettings(graph, ["acme"]), ...foreignToolSettings(graph, ["acme"], REQUEST)];
  return found.map(({ path, names }) => ({
    code: "foreign-settings",
    kind: "dropped",
    path,
    message: `Acme does not support settings of another platform: ${names.join(", ")}`,
  }));
}

function read(document: unknown): AgentGraph {
  if (!isRecord(document) || !Array.isArray(document.steps))
    throw unknownShape("an Acme agent", "it has no steps", ["steps"], "Export it again");
  const { name, prompt, opening, variables, first, steps } = document;
  const common = Object.entries(document).filter(([key]) => COMMON.includes(key));
  return parseGraph({
    source_type: "acme",
    entry_node_id: first,
    source_metadata: {
      name,
      general_prompt: prompt,
      ...(typeof opening === "string" ? { begin_message: opening } : {}),
      default_dynamic_variables: variables,
      ...(common.length > 0 ? { acme: { agent: Object.fromEntries(common) } } : {}),
    },
    nodes: Object.fromEntries(records(steps).map((step) => [String(step.step), nodeOf(step)])),
  });
}

function nodeOf({ step, kind, says, verbatim, anytime, notes, next, tools, ...rest }: JsonObject): JsonObject {
  return {
    id: step,
    node_type: kind,
    state_prompt: says,
    ...(verbatim === true ? { instruction_type: "static_text" } : {}),
    ...(anytime === undefined ? {} : { global_node_setting: anytime }),
    ...(notes === undefined ? {} : { variables_to_extract: notes }),
    transitions: records(next).map(({ step: target, ...edge }) => ({ ...edge, target_node_id: target })),
    tools: records(tools).map((tool) => toolFrom(tool)),
    ...settingsOf(rest, []),
  };
}

const TOOL_KEYS = ["name", "type", "description", "parameters", "url", "tool_id", "response_variables"];

function toolFrom(tool: JsonObject): JsonObject {
  const own = Object.fromEntries(Object.entries(tool).filter(([key]) => TOOL_KEYS.includes(key)));
  return { ...own, ...settingsOf(omit(tool, TOOL_KEYS), TOOL_KEYS) };
}

/** Acme's own settings of a node or a tool. */
function settingsOf({ to, extension, ...own }: JsonObject, known: readonly string[]): JsonObject {
  const destination = to === undefined ? {} : { destination: { number: to, ...(extension ? { extension } : {}) } };
  const settings = { ...omit(own, known), ...destination };
  return Object.keys(settings).length > 0 ? { metadata: { acme: settings } } : {};
}
