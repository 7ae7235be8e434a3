import { isRecord, type JsonObject, omit } from "../../../src/base/values/mod.ts";
import { isString, keep, readFields, VARIABLE_FIELDS } from "../shared/mod.ts";
import { EXAMPLES, readEdges, readExamples, readGlobalSetting } from "./edges.ts";
import { BASE_TYPES, EDGE_SLOTS, type TypeFacts, typeFactsOf } from "./node_types.ts";
import { readNodeTools, toolsById, unusedTools } from "./tools.ts";

/** The first problem in a list of nodes, and its path in the body. */
export interface BodyProblem {
  readonly path: readonly (string | number)[];
  readonly state: string;
  readonly hint: string;
}

/** The nodes of a flow or a component, converted for the graph. */
export interface ReadBody {
  readonly nodes: readonly (readonly [id: string, node: JsonObject])[];
  readonly entry: string;
  /** Keys of the body besides its nodes, including the tools that no node calls. */
  readonly own: JsonObject;
}

/** Reads the shared parts of flows and components: nodes, tools and the start node. */
export function readFlowBody(body: JsonObject): ReadBody | BodyProblem {
  const named = nameNodes(body.nodes);
  if (!(named instanceof Map)) return named;
  const [ids, tools] = [new Set(named.keys()), toolsById(body.tools)];
  const nodes = [...named].map(([id, node]) => [id, readNode(node, id, ids, tools)] as const);
  const called = nodes.map(([, node]) => node);
  const own = { ...omit(body, ["nodes", "tools", "start_node_id"]), ...unusedTools(body.tools, called) };
  return { nodes, entry: entryOf(body, named), own };
}

/** Returns the nodes by id, or the first problem. */
function nameNodes(nodes: unknown): Map<string, JsonObject> | BodyProblem {
  if (!Array.isArray(nodes))
    return { path: ["nodes"], state: '"nodes" is not a list', hint: 'Make it a list of objects with "id" and "type"' };
  if (nodes.length === 0) return { path: ["nodes"], state: '"nodes" is empty', hint: "Add the node where calls start" };
  const named = new Map<string, JsonObject>();
  for (const [index, node] of nodes.entries()) {
    const path = ["nodes", index];
    if (!isRecord(node)) return { path, state: `node ${index} is not an object`, hint: 'Give it "id" and "type"' };
    const { id } = node;
    const at = [...path, "id"];
    if (!isString(id)) return { path: at, state: `node ${index} has no "id"`, hint: 'Set a unique "id", a text' };
    if (named.has(id)) return { path: at, state: `two nodes have the id "${id}"`, hint: "Give each node a unique id" };
    named.set(id, node);
  }
  return named;
}

/** Returns the start node: the flow's `start_node_id`, else a marked start node, else the first suitable one. */
function entryOf(body: JsonObject, nodes: ReadonlyMap<string, JsonObject>): string {
  const named = [body.start_node_id, body.starting_node_id].find((id) => isString(id) && nodes.has(id));
  if (isString(named)) return named;
  const all = [...nodes];
  const start =
    all.find(([, node]) => node.is_start === true || node.start === true) ??
    all.find(([, node]) => !isRecord(node.global_node_setting) && node.type !== "end") ??
    all[0];
  return start?.[0] ?? "";
}

/** Reads a node. For an unknown type, it reads the keys that all types have. */
function readNode(
  node: JsonObject,
  id: string,
  ids: ReadonlySet<string>,
  flowTools: ReadonlyMap<unknown, JsonObject>,
): JsonObject {
  const type = isString(node.type) ? node.type : "";
  const facts = typeFactsOf(type, isRecord(node.instruction) && isString(node.instruction.text));
  const instruction = readInstruction(node, facts);
  const { tools, keys } = readNodeTools(node, type, id, flowTools);
  const global = isRecord(node.global_node_setting) ? readGlobalSetting(node.global_node_setting) : undefined;
  const variables = type === BASE_TYPES.extract ? readVariables(node.variables) : undefined;
  const { transitions, own: examples } = readExamples(node, readEdges(node, facts, ids));
  const own = omit(node, [
    ...["id", "component", EXAMPLES, ...EDGE_SLOTS, ...keys],
    ...(instruction ? ["instruction"] : []),
    ...(global ? ["global_node_setting"] : []),
    ...(variables ? ["variables"] : []),
    ...(BASE_TYPES[facts.node_type] === type ? ["type"] : []),
  ]);
  return {
    id,
    node_type: facts.node_type,
    ...(instruction ?? { state_prompt: "" }),
    tools,
    transitions,
    variables_to_extract: variables ?? [],
    ...(global ? { global_node_setting: global } : {}),
    metadata: keep({ ...own, ...examples }),
  };
}

/** Reads a node's instruction. With `speak_during_execution: false`, ends and transfers are silent; the text is kept. */
function readInstruction(node: JsonObject, facts: TypeFacts): JsonObject | undefined {
  const { instruction } = node;
  const isMuted = node.speak_during_execution === false && ["end", "transfer"].includes(facts.node_type);
  if (facts.instruction.length === 0 || isMuted || !isRecord(instruction) || !isString(instruction.text))
    return undefined;
  const { type, text } = instruction;
  return { state_prompt: text, ...(type === "static_text" ? { instruction_type: type } : {}) };
}

function readVariables(variables: unknown): JsonObject[] | undefined {
  if (!Array.isArray(variables) || !variables.every((item) => isRecord(item) && isString(item.name))) return undefined;
  return variables.map((item) => readFields(item, VARIABLE_FIELDS));
}
