import { type Path, PlatformError } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";
import { snippetUses } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../src/document/graph/mod.ts";
import { foreignSettings, foreignToolSettings } from "../../known/mod.ts";
import { expandSnippets, lower } from "../../lower/mod.ts";
import type { Loss, PlainEmitted } from "../../platform.ts";
import { modelKeys, withSpeech } from "../shared/mod.ts";
import { writeEdge } from "./edges.ts";
import { fitsLiquid } from "./liquid_condition.ts";
import { nameNodes } from "./names.ts";
import { extractionLosses, ownerOf, targetOf, variablesOf } from "./stand_ins.ts";
import { writeNode } from "./write_node.ts";

/**
 * Emits a graph as a workflow, if it was imported from one. Other graphs are rejected, because Vapi no longer runs
 * workflows.
 *
 * @throws {PlatformError} `format-not-emitted` for a graph that was not imported from a workflow.
 */
export function emitWorkflow(source: AgentGraph): PlainEmitted<unknown> {
  const { graph } = lower(source, [expandSnippets]);
  const { kind, membersOverrides: _, ...settings } = recordAt(graph.source_metadata, "vapi");
  if (kind !== "workflow") {
    throw new PlatformError(`Cannot emit Vapi workflow: the graph has the source type "${graph.source_type}"`, {
      code: "format-not-emitted",
      hint: "Emit vapi-squad instead: Vapi retired workflows in August 2026",
    });
  }
  const natives = Object.values(graph.nodes).filter((node) => ownerOf(node, graph) === undefined);
  const ids = new Set(natives.map(({ id }) => id));
  const written = natives.map((node) => {
    const variables = variablesOf(node, graph);
    const json = writeNode(node, variables, graph);
    return { node, json, losses: [...extractionLosses(node, graph, variables), ...nodeLosses(node, json)] };
  });
  const edges = natives.flatMap(({ id, transitions }) =>
    transitions.map((transition) => ({ transition, from: id, to: targetOf(transition, graph) })),
  );
  const valid = edges.filter(({ to }) => ids.has(to));
  const { named, nameOf } = nameNodes(written, new Set(valid.flatMap(({ from, to }) => [from, to])));
  const { name, general_prompt: prompt } = graph.source_metadata;
  const config = {
    ...withSpeech(settings, graph),
    ...(name ? { name } : {}),
    ...(prompt ? { globalPrompt: prompt } : {}),
    ...modelOf(graph, settings),
    nodes: named,
    edges: valid.map(({ transition, from, to }) => writeEdge(transition, { from, to }, nameOf)),
  };
  return {
    config,
    losses: [
      ...graphLosses(graph),
      ...foreignLosses(graph),
      ...snippetLosses(source),
      ...written.flatMap(({ losses }) => losses),
    ],
  };
}

function modelOf({ default_model: name }: AgentGraph, settings: JsonObject): JsonObject {
  const kept = recordAt(settings, "model");
  if (!name) return kept.model === "" ? { model: omit(kept, ["model"]) } : {};
  return { model: { ...kept, ...modelKeys(name) } };
}

const HINT = "Emit vapi-squad instead";

function graphLosses({ source_metadata: source }: AgentGraph): readonly Loss[] {
  const lose = (code: string, path: Path, message: string): Loss => ({
    code,
    kind: "dropped",
    path,
    message,
    hint: HINT,
  });
  const defaults = Object.keys(source.default_dynamic_variables ?? {}).map((name) => {
    const path = ["source_metadata", "default_dynamic_variables", name];
    return lose("variable-default", path, "A workflow cannot store a variable's default value");
  });
  const overrides = Object.keys(recordAt(recordAt(source, "vapi"), "membersOverrides"));
  const shared = overrides.flatMap((key) => {
    const path = ["source_metadata", "vapi", "membersOverrides", key];
    const isWritten = key === "voice" || key === "transcriber"; // by withSpeech()
    return isWritten ? [] : [lose("workflow-settings", path, `A workflow has no overrides of members: ${key}`)];
  });
  const found = [...defaults, ...shared];
  if (source.start_speaker !== "user" && source.begin_message !== "") return found;
  const message = "A workflow has no setting for who speaks first";
  return [lose("start-speaker", ["source_metadata", "start_speaker"], message), ...found];
}

function foreignLosses(graph: AgentGraph): readonly Loss[] {
  return [...foreignSettings(graph, ["vapi"]), ...foreignToolSettings(graph, ["vapi"])].map(({ path, names }) => {
    const message = `Workflows do not support settings of another platform: ${names.join(", ")}`;
    return { code: "foreign-settings", kind: "dropped", path, message, hint: HINT };
  });
}

function snippetLosses(graph: AgentGraph): readonly Loss[] {
  return snippetUses(graph).map(({ name, path }) => ({
    code: "snippet-inlined",
    kind: "emulated",
    path,
    message: `Workflows do not support snippets such as "${name}"`,
    instead: "the snippet's text",
  }));
}

function nodeLosses(node: AgentNode, json: JsonObject): readonly Loss[] {
  const { id, node_type: type, tools, transitions, global_node_setting: global } = node;
  const losses: Loss[] = [];
  const lose = (code: string, kind: Loss["kind"], at: Path, message: string, instead?: string, hint = HINT) =>
    losses.push({ code, kind, path: ["nodes", id, ...at], message, ...(instead ? { instead } : {}), hint });
  const isStatic = node.instruction_type === "static_text";
  if (["end", "transfer"].includes(type) && node.state_prompt !== "" && !isStatic)
    lose("prompt-spoken", "emulated", [], "A tool of a workflow speaks a fixed text", "the prompt, spoken verbatim");
  for (const index of ["end", "transfer"].includes(type) ? tools.keys() : [])
    lose("node-tools", "dropped", ["tools", index], "A node of a workflow that ends the call has no tools");
  if (global?.go_back_conditions.length)
    lose("go-back", "dropped", ["global_node_setting"], "A call does not return from a global node of a workflow");
  if (type === "logic" || type === "extract")
    lose("silent-node", "emulated", [], `A workflow has no node of type "${type}"`, "a conversation node");
  if (tools.length > 1 && (isRecord(json.tool) || typeof json.toolId === "string")) {
    const hint = "Give each tool a function node of its own";
    lose("function-tools", "dropped", ["tools"], "A tool node of a workflow calls one tool", "its first tool", hint);
  }
  const usual = isStatic ? "skip_response" : "else";
  for (const [index, { condition, timing, description }] of transitions.entries()) {
    const at = ["transitions", index];
    if (description) lose("transition-description", "dropped", at, "An edge of a workflow has no description");
    if (type === "conversation" && condition.type === "always" && timing !== usual)
      lose("timing", "emulated", at, "An edge of a workflow has no timing", `the timing "${usual}"`);
    if (condition.type === "equation" && !fitsLiquid(condition))
      lose("equation-in-words", "emulated", at, "Liquid cannot compare with a part-filled text", "an LLM condition");
    const message = "An edge of a workflow can only wait for a tool to fail";
    if (condition.type === "tool_call" && condition.outcome !== "failed")
      lose("tool-outcome", "emulated", at, message, "an edge without a condition");
  }
  return losses;
}
