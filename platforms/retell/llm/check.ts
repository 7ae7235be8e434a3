import type { Path } from "../../../src/base/errors.ts";
import { type JsonObject, omit, recordAt, records } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { findingsOf } from "../../findings.ts";
import { isTransferTool } from "../../known/mod.ts";
import type { Finding, Report } from "../../platform.ts";
import {
  checkKeys,
  checkModels,
  checkTool,
  isRetellName,
  isSet,
  missingDestination,
  NAME_HINT,
  openContainer,
  ownKeys,
} from "../shared/mod.ts";
import { isCallToolType } from "./emit_tools.ts";

/**
 * Checks an emitted LLM for parts that Retell rejects or that would not work. Paths are paths in the LLM, with a
 * state's name instead of its index.
 */
export function checkLlm(graph: AgentGraph, config: unknown): readonly Finding[] {
  const { body = {}, agent } = openContainer(config) ?? {};
  const states = records(body.states);
  const general = records(body.general_tools);
  const names = states.map(({ name }) => name);
  return findingsOf((report) => {
    checkKeys("llm", body, [], report);
    if (agent) checkKeys("agent", omit(agent, ["response_engine"]), ["agent"], report);
    checkModels({ ...agent, ...body }, [], report);
    checkHead(body, names, report);
    checkDestinations(graph, report);
    checkTools(general, ["general_tools"], [], report);
    for (const [index, state] of states.entries()) {
      const name = String(state.name);
      const path = ["states", name];
      if (!isRetellName(state.name)) report("state-name", path, `Retell rejects the state name "${name}"`, NAME_HINT);
      if (names.indexOf(state.name) < index)
        report("duplicate-state", path, `Two states are named "${name}"`, "Rename one of them");
      // the model also gets a state's edges and the general tools as tools
      const moves = records(state.edges).map(({ destination_state_name: to }) => `transition_to_${String(to)}`);
      checkTools(records(state.tools), [...path, "tools"], [...general.map((tool) => tool.name), ...moves], report);
      checkEdges(state, path, names, report);
    }
    // otherwise Retell's tests report a loop, and callers have to hang up
    const tools = [...general, ...states.flatMap((state) => records(state.tools))];
    if (states.length > 0 && !tools.some(({ type }) => isCallToolType(type)))
      report("no-end", ["general_tools"], "The agent can never end the call", "Add an end node", "warning");
  });
}

function checkHead(body: JsonObject, states: readonly unknown[], report: Report): void {
  if (states.length > 0 && !states.includes(body.starting_state)) {
    const known = typeof body.starting_state === "string" ? `"${body.starting_state}" is not a state` : "it is not set";
    report("starting-state", ["starting_state"], `The LLM has no starting state: ${known}`, "Set the name of a state");
  }
  if (body.model != null && body.s2s_model != null)
    report("two-models", ["s2s_model"], "An LLM has either a model or a speech-to-speech model", "Remove one of them");
  for (const [name, value] of Object.entries(recordAt(body, "default_dynamic_variables")))
    if (typeof value !== "string")
      report("variable-text", ["default_dynamic_variables", name], "Variables are text", "Write the value as text");
  const temperature = body.model_temperature;
  if (typeof temperature === "number" && (temperature < 0 || temperature > 1))
    report("temperature", ["model_temperature"], "The temperature must be 0 to 1", "Change the temperature");
}

function checkTools(tools: readonly JsonObject[], path: Path, taken: readonly unknown[], report: Report): void {
  const names = new Set(taken);
  for (const [index, tool] of tools.entries()) {
    const at = [...path, index];
    const { name, type } = tool;
    checkTool(tool, at, report);
    const message = `The model would have two tools named "${String(name)}"`;
    if (names.has(name)) report("duplicate-tool", [...at, "name"], message, "Rename one of them");
    names.add(name);
    if (typeof type !== "string") report("tool-kind", [...at, "type"], "A tool needs a type", 'Set "type"');
  }
}

/** Checks the destinations of transfer nodes and tools in the graph, which become tools of the LLM. */
function checkDestinations({ nodes }: AgentGraph, report: Report): void {
  const check = (transfer: JsonObject, path: Path) => {
    const hint = "Set `to` of the transfer node";
    if (missingDestination(transfer) !== undefined)
      report("destination-missing", path, "A transfer needs a destination", hint);
  };
  for (const node of Object.values(nodes)) {
    const own = ownKeys(node);
    if (node.node_type === "transfer" && own.type !== "agent_swap") check(own, ["nodes", node.id]);
    for (const [index, tool] of node.tools.entries())
      if (node.node_type !== "transfer" && isTransferTool(tool))
        check(ownKeys(tool), ["nodes", node.id, "tools", index]);
  }
}

function checkEdges(state: JsonObject, path: Path, states: readonly unknown[], report: Report): void {
  const targets = new Set<unknown>();
  for (const [index, edge] of records(state.edges).entries()) {
    const at = [...path, "edges", index];
    const { destination_state_name: target, description } = edge;
    const message = `An edge leads to "${String(target)}", which is not a state`;
    if (!states.includes(target)) report("unknown-state", at, message, "Remove the edge, or add the state");
    if (targets.has(target)) report("repeated-edge", at, `Two edges lead to "${String(target)}"`, "Merge the edges");
    targets.add(target);
    if (!isSet(description)) report("edge-description", at, "An edge has no condition", 'Set "description"', "warning");
  }
}
