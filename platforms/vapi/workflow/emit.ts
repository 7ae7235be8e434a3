import { PlatformError } from "../../../src/errors.ts";
import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, recordAt } from "../../../src/values/mod.ts";
import { expandSnippets, lower, snippetUses } from "../../lower/mod.ts";
import type { Loss, PlainEmitted } from "../../platform.ts";
import { writeEdge } from "./edges.ts";
import { nameNodes } from "./names.ts";
import { ownerOf, reportExtraction, targetOf, variablesOf } from "./stand_ins.ts";
import { writeNode } from "./write_node.ts";

/**
 * Writes a graph that was read from a workflow as a workflow. Vapi runs no workflows any more, so nothing else is written
 * as one.
 *
 * @throws {PlatformError} `format-not-emitted` for a graph that did not come from a workflow.
 */
export function emitWorkflow(source: AgentGraph): PlainEmitted<unknown> {
  const { graph } = lower(source, [expandSnippets]);
  const { kind, ...settings } = recordAt(graph.source_metadata, "vapi");
  if (kind !== "workflow") {
    throw new PlatformError(`Cannot emit Vapi workflow: the graph came from "${graph.source_type}"`, {
      code: "format-not-emitted",
      hint: "Vapi has run no workflows since August 2026: emit vapi-squad instead",
    });
  }
  const losses: Loss[] = Object.keys(graph.source_metadata.default_dynamic_variables ?? {}).map((name) => ({
    code: "variable-default",
    kind: "dropped",
    path: ["source_metadata", "default_dynamic_variables", name],
    message: "A workflow has no place for a variable's default",
    hint: "Emit vapi-squad instead",
  }));
  for (const { name, path } of snippetUses(source))
    losses.push({
      code: "snippet-inlined",
      kind: "emulated",
      path,
      message: `A workflow has no snippets, such as "${name}"`,
      instead: "the snippet's text",
    });
  const natives = Object.values(graph.nodes).filter((node) => ownerOf(node, graph) === undefined);
  const ids = new Set(natives.map(({ id }) => id));
  const written = natives.map((node) => {
    const variables = variablesOf(node, graph);
    const json = writeNode(node, variables, graph);
    reportExtraction(node, graph, variables, losses);
    reportNode(node, json, losses);
    return { node, json };
  });
  const ways = natives.flatMap(({ id, transitions }) =>
    transitions.map((transition) => ({ transition, from: id, to: targetOf(transition, graph) })),
  );
  const leading = ways.filter(({ to }) => ids.has(to));
  const { named, nameOf } = nameNodes(written, new Set(leading.flatMap(({ from, to }) => [from, to])));
  const { name, general_prompt: prompt } = graph.source_metadata;
  const config = {
    ...settings,
    ...(name ? { name } : {}),
    ...(prompt ? { globalPrompt: prompt } : {}),
    ...modelOf(graph, settings),
    nodes: named,
    edges: leading.map(({ transition, from, to }) => writeEdge(transition, { from, to }, nameOf)),
  };
  return { config, losses };
}

function modelOf({ default_model: name }: AgentGraph, settings: JsonObject): JsonObject {
  const kept = recordAt(settings, "model");
  if (!name) return kept.model === "" ? { model: omit(kept, ["model"]) } : {};
  const slash = name.indexOf("/");
  const provider = slash < 0 ? {} : { provider: name.slice(0, slash) };
  return { model: { ...kept, ...provider, model: name.slice(slash + 1) } };
}

/** Reports what a workflow cannot hold of one node. */
function reportNode(node: AgentNode, json: JsonObject, losses: Loss[]): void {
  const hint = "Emit vapi-squad instead";
  const path = ["nodes", node.id];
  if (node.node_type === "logic" || node.node_type === "extract")
    losses.push({
      code: "silent-node",
      kind: "emulated",
      path,
      message: `A workflow has no node of type "${node.node_type}"`,
      instead: "a conversation node",
      hint,
    });
  if (node.tools.length > 1 && (isRecord(json.tool) || typeof json.toolId === "string"))
    losses.push({
      code: "function-tools",
      kind: "dropped",
      path: [...path, "tools"],
      message: "A tool node of a workflow calls one tool",
      instead: "its first tool",
      hint: "Give each tool a function node of its own",
    });
  for (const [index, { condition }] of node.transitions.entries())
    if (condition.type === "tool_call" && condition.outcome !== "failed")
      losses.push({
        code: "tool-outcome",
        kind: "emulated",
        path: [...path, "transitions", index],
        message: "A workflow's edge can only wait for a tool to fail",
        instead: "an edge without a condition",
        hint,
      });
}
