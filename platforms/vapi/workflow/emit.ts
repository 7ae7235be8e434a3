import { type Path, PlatformError } from "../../../src/errors.ts";
import { snippetUses } from "../../../src/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, recordAt } from "../../../src/values/mod.ts";
import { expandSnippets, lower } from "../../lower/mod.ts";
import type { Loss, PlainEmitted } from "../../platform.ts";
import { modelKeys, withSpeech } from "../shared/mod.ts";
import { writeEdge } from "./edges.ts";
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
    losses: [...defaultLosses(graph), ...snippetLosses(source), ...written.flatMap(({ losses }) => losses)],
  };
}

function modelOf({ default_model: name }: AgentGraph, settings: JsonObject): JsonObject {
  const kept = recordAt(settings, "model");
  if (!name) return kept.model === "" ? { model: omit(kept, ["model"]) } : {};
  return { model: { ...kept, ...modelKeys(name) } };
}

const HINT = "Emit vapi-squad instead";

function defaultLosses({ source_metadata: source }: AgentGraph): readonly Loss[] {
  return Object.keys(source.default_dynamic_variables ?? {}).map((name) => ({
    code: "variable-default",
    kind: "dropped",
    path: ["source_metadata", "default_dynamic_variables", name],
    message: "A workflow cannot store a variable's default value",
    hint: HINT,
  }));
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

/** Returns the losses of a node. */
function nodeLosses({ id, node_type: type, tools, transitions }: AgentNode, json: JsonObject): readonly Loss[] {
  const losses: Loss[] = [];
  const lose = (code: string, kind: Loss["kind"], at: Path, message: string, instead: string, hint = HINT) =>
    losses.push({ code, kind, path: ["nodes", id, ...at], message, instead, hint });
  if (type === "logic" || type === "extract")
    lose("silent-node", "emulated", [], `A workflow has no node of type "${type}"`, "a conversation node");
  if (tools.length > 1 && (isRecord(json.tool) || typeof json.toolId === "string")) {
    const hint = "Give each tool a function node of its own";
    lose("function-tools", "dropped", ["tools"], "A tool node of a workflow calls one tool", "its first tool", hint);
  }
  for (const [index, { condition }] of transitions.entries()) {
    const message = "An edge of a workflow can only wait for a tool to fail";
    if (condition.type === "tool_call" && condition.outcome !== "failed")
      lose("tool-outcome", "emulated", ["transitions", index], message, "an edge without a condition");
  }
  return losses;
}
