import type { Path } from "../../../src/errors.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import type { Finding } from "../../platform.ts";
import { checkTool, findingsOf, isSet, openContainer, type Report, records } from "../shared/mod.ts";
import { checkEdges } from "./check_edges.ts";
import { checkDestination, checkNode } from "./check_node.ts";

/**
 * Finds what Retell is known to refuse in the emitted flow. Paths are those of the flow, with a node's id in place of its
 * index.
 */
export function checkRetell(_graph: AgentGraph, config: unknown): readonly Finding[] {
  const { body: flow = {}, kind } = openContainer(config) ?? {};
  return findingsOf((report) => {
    if (kind !== "component") checkStart(flow, report);
    checkBody(flow, report);
    for (const [index, part] of records(flow.components).entries()) {
      const at: Path = ["components", typeof part.name === "string" ? part.name : index];
      const inPart: Report = (code, path, ...more) => report(code, [...at, ...path], ...more);
      checkBody(part, inPart, records(flow.tools));
    }
  });
}

/** Checks a flow or a component. `around`: the tools of the flow that a component is part of. */
function checkBody(body: JsonObject, report: Report, around: readonly JsonObject[] = []): void {
  for (const node of records(body.nodes)) checkNode(node, ["nodes", String(node.id)], report);
  checkEdges(body, report);
  const ids = checkTools(body, report);
  const known = new Set([...ids, ...around.map(({ tool_id: id }) => id)]);
  for (const node of records(body.nodes)) {
    const path = ["nodes", String(node.id)];
    for (const [index, tool] of records(node.tools).entries()) checkToolOf(tool, [...path, "tools", index], report);
    const wanted = node.type === "function" && node.tool_type !== "shared" ? [node.tool_id] : node.tool_ids;
    for (const id of Array.isArray(wanted) ? wanted : [])
      if (!known.has(id))
        report("unknown-tool", path, `There is no tool "${String(id)}"`, "Add it to the flow's tools");
  }
}

function checkStart(flow: JsonObject, report: Report): void {
  const ids = records(flow.nodes).map(({ id }) => id);
  if (Object.hasOwn(flow, "starting_node_id"))
    report("unknown-start-key", ["starting_node_id"], 'Retell has no "starting_node_id"', 'Call it "start_node_id"');
  else if (!Object.hasOwn(flow, "start_node_id") || flow.start_node_id === null)
    report("missing-start", ["start_node_id"], "Nothing says where calls start", 'Set "start_node_id"', "warning");
  else if (!ids.includes(flow.start_node_id))
    report("unknown-start", ["start_node_id"], `There is no node "${String(flow.start_node_id)}"`, "Name a node");
  for (const key of ["start_speaker", "model_choice"])
    if (!isSet(flow[key])) report("missing-field", [key], `A flow needs "${key}"`, `Set "${key}"`);
}

/** Checks the tools of a flow or a component and returns their ids. */
function checkTools(body: JsonObject, report: Report): ReadonlySet<unknown> {
  const ids = new Set<unknown>();
  for (const [index, tool] of records(body.tools).entries()) {
    const path = ["tools", index];
    checkToolOf(tool, path, report);
    if (tool.tool_id === undefined || ids.has(tool.tool_id))
      report("tool-id", [...path, "tool_id"], "A tool of a flow needs an id of its own", 'Set "tool_id"');
    ids.add(tool.tool_id);
  }
  return ids;
}

function checkToolOf(tool: JsonObject, path: Path, report: Report): void {
  checkTool(tool, path, report);
  if (tool.type === "transfer_call") checkDestination(tool, "tool", path, report);
}
