import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { isText, keep, readVariable } from "../shared/mod.ts";
import { readEdges } from "./edges.ts";
import { EXAMPLES, readExamples } from "./examples.ts";
import { readGlobalSetting } from "./global_setting.ts";
import { readNodeTools } from "./node_tools.ts";
import { BASE_TYPES, factsOf, SLOTS, type TypeFacts } from "./node_types.ts";

/** What a node of a flow or component can refer to. */
export interface Scope {
  readonly ids: ReadonlySet<string>;
  readonly tools: ReadonlyMap<string, JsonObject>;
}

/** Reads a node. Of an unknown type, it reads what all types have. */
export function readNode(node: JsonObject, id: string, scope: Scope): JsonObject {
  const type = isText(node.type) ? node.type : "";
  const facts = factsOf(type, isRecord(node.instruction) && isText(node.instruction.text));
  const instruction = readInstruction(node, facts);
  const { tools, keys } = readNodeTools(node, type, id, scope.tools);
  const global = isRecord(node.global_node_setting) ? readGlobalSetting(node.global_node_setting) : undefined;
  const variables = type === BASE_TYPES.extract ? readVariables(node.variables) : undefined;
  const { transitions, own: examples } = readExamples(node, readEdges(node, facts, scope.ids));
  const own = omit(node, [
    ...["id", "component", EXAMPLES, ...SLOTS, ...keys],
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

/** Reads what a node says. An end or a transfer with `speak_during_execution: false` says nothing; its text is kept. */
function readInstruction(node: JsonObject, facts: TypeFacts): JsonObject | undefined {
  const { instruction } = node;
  const isMuted = node.speak_during_execution === false && ["end", "transfer"].includes(facts.node_type);
  if (facts.instruction.length === 0 || isMuted || !isRecord(instruction) || !isText(instruction.text))
    return undefined;
  const { type, text } = instruction;
  return { state_prompt: text, ...(type === "static_text" ? { instruction_type: type } : {}) };
}

function readVariables(variables: unknown): JsonObject[] | undefined {
  if (!Array.isArray(variables) || !variables.every((item) => isRecord(item) && isText(item.name))) return undefined;
  return variables.map(readVariable);
}
