import type { Path } from "../../../src/errors.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { findingsOf } from "../../findings.ts";
import type { Finding, Report } from "../../platform.ts";
import {
  checkTool,
  isRetellName,
  isSet,
  missingDestination,
  NAME_HINT,
  openContainer,
  records,
} from "../shared/mod.ts";
import { isCallToolType } from "./schema.ts";

/**
 * Finds what Retell is known to refuse in the emitted LLM, and what would not work there. Paths are those of the LLM, with
 * a state's name in place of its index.
 */
export function checkLlm(_graph: AgentGraph, config: unknown): readonly Finding[] {
  const body = openContainer(config)?.body ?? {};
  const states = records(body.states);
  const general = records(body.general_tools);
  return findingsOf((report) => {
    checkHead(body, states, report);
    checkTools(general, ["general_tools"], new Set(), report);
    const known = new Set(states.map(({ name }) => name));
    const seen = new Set<unknown>();
    for (const state of states) {
      const path = ["states", String(state.name)];
      if (!isRetellName(state.name))
        report("state-name", path, `A state cannot be called "${String(state.name)}"`, NAME_HINT);
      if (seen.has(state.name))
        report("duplicate-state", path, `Two states are called "${String(state.name)}"`, "Rename one of them");
      seen.add(state.name);
      // a state's edges are tools of the model too, and the general tools are there in every state
      const taken = new Set([...general, ...records(state.edges).map(transitionTool)].map(({ name }) => name));
      checkTools(records(state.tools), [...path, "tools"], taken, report);
      checkEdges(state, path, known, report);
    }
    checkEnd(states, general, report);
  });
}

function transitionTool({ destination_state_name: state }: JsonObject): JsonObject {
  return { name: `transition_to_${String(state)}` };
}

function checkHead(body: JsonObject, states: readonly JsonObject[], report: Report): void {
  if (states.length > 0 && !states.some(({ name }) => name === body.starting_state)) {
    const known = typeof body.starting_state === "string" ? `"${body.starting_state}" is no state` : "nothing is set";
    report("starting-state", ["starting_state"], `Nothing says where calls start: ${known}`, "Name a state");
  }
  if (body.model != null && body.s2s_model != null)
    report("two-models", ["s2s_model"], "An LLM has a model or a speech-to-speech model", "Remove one of them");
  const variables = isRecord(body.default_dynamic_variables) ? body.default_dynamic_variables : {};
  for (const [name, value] of Object.entries(variables))
    if (typeof value !== "string")
      report("variable-text", ["default_dynamic_variables", name], "Variables are text", "Write the value as text");
  const temperature = body.model_temperature;
  if (typeof temperature === "number" && (temperature < 0 || temperature > 1))
    report("temperature", ["model_temperature"], "A temperature is 0 to 1", "Change it");
}

function checkTools(tools: readonly JsonObject[], path: Path, taken: ReadonlySet<unknown>, report: Report): void {
  const names = new Set(taken);
  for (const [index, tool] of tools.entries()) {
    const at = [...path, index];
    const { name, type } = tool;
    checkTool(tool, at, report);
    const message = `The model would have two tools called "${String(name)}"`;
    if (names.has(name)) report("duplicate-tool", [...at, "name"], message, "Rename one");
    names.add(name);
    if (typeof type !== "string") report("tool-kind", [...at, "type"], "A tool needs a type", 'Set "type"');
    const destination = [...at, "transfer_destination"];
    const hint = "Set `to` of the transfer node";
    if (type === "transfer_call" && missingDestination(tool) !== undefined)
      report("empty-destination", destination, "A transfer needs to know where to", hint);
  }
}

function checkEdges(state: JsonObject, path: Path, states: ReadonlySet<unknown>, report: Report): void {
  const targets = new Set<unknown>();
  for (const [index, edge] of records(state.edges).entries()) {
    const at = [...path, "edges", index];
    const { destination_state_name: target, description } = edge;
    const message = `An edge goes to "${String(target)}", which is no state`;
    if (!states.has(target)) report("unknown-state", at, message, "Remove it or add the state");
    if (targets.has(target))
      report("repeated-edge", at, `Two edges go to "${String(target)}"`, "Make them one edge that says either");
    targets.add(target);
    if (!isSet(description))
      report("edge-description", at, "Nothing says when this edge is taken", 'Set "description"', "warning");
  }
}

/** Without a way out, Retell's tests stop such an agent as a loop, and callers have to hang up. */
function checkEnd(states: readonly JsonObject[], general: readonly JsonObject[], report: Report): void {
  const tools = [...general, ...states.flatMap(({ tools }) => records(tools))];
  if (states.length === 0 || tools.some(({ type }) => isCallToolType(type))) return;
  report("no-end", ["general_tools"], "The agent can never end the call", "Add an end node", "warning");
}
