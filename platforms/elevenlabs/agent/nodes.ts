import { groupBy, own } from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, VariableExtraction } from "../../../src/document/graph/mod.ts";
import { settingsOf, type TypeOfVariable } from "../traits/mod.ts";

/** Id of the node of an agent without a graph. */
export const SINGLE_NODE = "main";

/** Variable that an `update_state` node sets in place of a logic node, which ElevenLabs does not have. */
export const STEP = "callweave_step";

/** What stands between the description of a variable and the prompt of its extract node. */
export const INSTRUCTIONS = "\n\nInstructions: ";

/** Path of what a node overrides of the agent's prompt. */
export const OVERRIDE = ["conversation_config", "agent", "prompt"];

/** How a node is entered, and whether some ways in want it otherwise. */
interface Entrance {
  readonly behavior: string;
  readonly isMixed: boolean;
}

/** Returns whether nodes speak at once or wait for the caller. After `say` and `start`, a node waits by default. */
export function entryBehaviors(graph: AgentGraph): ReadonlyMap<string, Entrance> {
  const ways = new Map<string, { speaks: boolean; byDefault: boolean; weight: number }[]>();
  const add = (id: string, speaks: boolean, byDefault: boolean, weight = 1) =>
    ways.set(id, [...(ways.get(id) ?? []), { speaks, byDefault, weight }]);
  const { begin_message: begin, start_speaker: speaker } = graph.source_metadata;
  // every call starts, so the way in from the start counts more than all others
  add(graph.entry_node_id, speaker !== "user" && typeof begin !== "string", false, 1_000_000);
  for (const node of Object.values(graph.nodes))
    for (const { target_node_id: target, condition, timing } of node.transitions) {
      const isLeft = node.node_type === "conversation" && condition.type === "always";
      add(target, !(isLeft && (timing ?? "after_speech") === "after_speech"), typeOf(node) !== "say");
    }
  return new Map(
    [...ways].map(([id, all]) => {
      const wrongly = (isRight: (way: { speaks: boolean; byDefault: boolean }) => boolean) =>
        all.reduce((sum, way) => sum + (isRight(way) ? 0 : way.weight), 0);
      const costs = [
        ["auto", wrongly(({ speaks, byDefault }) => speaks === byDefault)],
        ["generate_immediately", wrongly(({ speaks }) => speaks)],
        ["wait_for_user", wrongly(({ speaks }) => !speaks)],
      ] as const;
      const [behavior, cost] = costs.reduce((best, each) => (each[1] < best[1] ? each : best));
      return [id, { behavior, isMixed: cost > 0 }];
    }),
  );
}

/** Whether a `say` node waits for the caller: not if it is left as soon as it has spoken. */
export function waitsForReply({ transitions }: AgentNode): boolean {
  const isLeft =
    transitions.length > 0 &&
    transitions.every(({ condition, timing }) => condition.type === "always" && timing !== "else");
  return !isLeft;
}

/** The type of the values that the model finds for a variable. Other types than ElevenLabs' are texts. */
export function valueType({ type, choices }: VariableExtraction): "string" | "number" | "integer" | "boolean" {
  const isText = (choices ?? []).length > 0 || (type !== "number" && type !== "integer" && type !== "boolean");
  return isText ? "string" : type;
}

/** Returns the types of variables that have one: those that are filled by the model, or have a default value. */
export function typesOfVariables(graph: AgentGraph): TypeOfVariable {
  const filled = Object.values(graph.nodes).flatMap(({ node_type: node, variables_to_extract: variables }) =>
    node === "extract" ? variables.map((each) => [each.name, valueType(each)] as const) : [],
  );
  const given = Object.entries(graph.source_metadata.default_dynamic_variables ?? {}).map(
    ([name, value]) => [name, typeof value === "object" ? "string" : typeof value] as const,
  );
  const byName = groupBy([...filled, ...given], ([name]) => name);
  return (name) => {
    const types = new Set((byName.get(name) ?? []).map(([, type]) => (type === "integer" ? "number" : type)));
    const [only] = types;
    return types.size === 1 && (only === "string" || only === "number" || only === "boolean") ? only : undefined;
  };
}

/** Types of workflow nodes, and those of the graph. */
const TYPES: { readonly [type: string]: AgentNode["node_type"] } = {
  override_agent: "conversation",
  say: "conversation",
  end: "end",
  phone_number: "transfer",
  standalone_agent: "transfer",
  tool: "function",
  update_state: "extract",
  start: "logic",
};

const CANONICAL: { readonly [type in AgentNode["node_type"]]: string } = {
  conversation: "override_agent",
  end: "end",
  transfer: "phone_number",
  function: "tool",
  extract: "update_state",
  logic: "update_state",
};

/** The type of a node: the imported one, if it still fits the node. */
export function typeOf(node: AgentNode | undefined): string {
  if (!node) return "";
  const { type } = settingsOf(node.metadata);
  if (typeof type === "string" && (own(TYPES, type) ?? "logic") === node.node_type) return type;
  return node.node_type === "conversation" && node.instruction_type === "static_text"
    ? "say"
    : CANONICAL[node.node_type];
}
