import { isRecord, type JsonObject, omit, recordAt, records, setAt } from "../../../src/base/values/mod.ts";
import { isTerminal } from "../../../src/document/graph/mod.ts";
import type { LoweredNode } from "../../lower/mod.ts";
import { digitsOf, lensOf, settingsOf, writeDestination } from "../traits/mod.ts";
import type { ElevenLabsLosses } from "./losses.ts";
import { INSTRUCTIONS, OVERRIDE, STEP, typeOf, valueType, waitsForReply } from "./nodes.ts";
import type { ToolBook } from "./tool_book.ts";

/** What the nodes of a workflow need. */
export interface WorkflowContext {
  readonly losses: ElevenLabsLosses;
  readonly isNative: boolean;
  readonly book: ToolBook;
}

/** What one node needs. */
interface NodeContext extends WorkflowContext {
  readonly position: JsonObject;
  readonly behavior: string;
}

/** Writes a node, without the order of its edges. */
export function writeNode(node: LoweredNode, context: NodeContext): JsonObject {
  const { book, position, losses, isNative } = context;
  const type = typeOf(node);
  const path = ["nodes", node.id];
  const { label, ...given } = omit(settingsOf(node.metadata), ["type"]);
  const lens = lensOf(node.metadata);
  const head = { type, position: lens.position ?? position };
  const labelled = { ...head, label: label ?? lens.label ?? node.id };
  const setsNothing = node.node_type !== "extract" && !isTerminal(node) && node.variables_to_extract.length > 0;
  if (setsNothing)
    losses.add(
      "variables",
      [...path, "variables_to_extract"],
      `A node of the type ${node.node_type} sets no variables`,
    );
  if (type !== "override_agent" && type !== "tool" && node.tools.length > 0)
    losses.add("node-tools", [...path, "tools"], `A ${type} node calls no tools`);
  switch (type) {
    case "override_agent":
      return { ...labelled, ...subagent(node, given, context) };
    case "say": {
      if (node.instruction_type === "static_text" && waitsForReply(node) && !isNative) {
        const message = "A say node answers nothing, if the caller's words lead nowhere";
        losses.add("static-text", [...path, "instruction_type"], message, "a say node that waits for the caller");
      }
      const isLiteral = node.instruction_type === "static_text";
      const words = isLiteral
        ? { type: "literal", text: node.state_prompt }
        : { type: "prompt", prompt: node.state_prompt };
      return {
        ...labelled,
        wait_for_user_response: waitsForReply(node),
        ...given,
        message: { ...recordAt(given, "message"), ...words },
      };
    }
    case "tool":
      return { ...head, ...given, tools: book.located(node) };
    case "update_state":
      return { ...labelled, ...given, updates: updatesOf(node, given, losses) };
    case "phone_number": {
      const { transfer_destination: destination } = given;
      const found = isRecord(destination) ? destination : {};
      return { ...head, ...digitsOf(found), ...given, transfer_destination: writeDestination(found) };
    }
    case "standalone_agent":
      return { ...head, ...given };
    default:
      return {
        ...head,
        ...given,
        ...(label === undefined && lens.label === undefined ? {} : { label: label ?? lens.label }),
      };
  }
}

function subagent(node: LoweredNode, given: JsonObject, { book, behavior }: NodeContext): JsonObject {
  const { replaces_prompt: replaces, ...own } = given;
  const { ids, builtIn, listed } = book.ofNode(node);
  const base = { ...(behavior === "auto" ? {} : { entry_behavior: behavior }), ...own };
  const prompted =
    replaces === true
      ? setAt(base, [...OVERRIDE, "prompt"], node.state_prompt)
      : { ...base, additional_prompt: node.state_prompt };
  const tooled = Object.entries(builtIn).reduce(
    (left, [key, tool]) => setAt(left, [...OVERRIDE, "built_in_tools", key], tool),
    prompted,
  );
  const alone = listed === undefined ? tooled : setAt(tooled, [...OVERRIDE, "tool_ids"], listed);
  return { ...alone, ...(ids.length > 0 ? { additional_tool_ids: ids } : {}) };
}

/** The variables of an extract node are filled by the model. A logic node sets a variable that nothing reads. */
function updatesOf(node: LoweredNode, given: JsonObject, losses: ElevenLabsLosses): readonly JsonObject[] {
  const path = ["nodes", node.id];
  const others = records(given.updates);
  if (node.node_type === "logic" || (node.variables_to_extract.length === 0 && others.length === 0)) {
    if (node.node_type === "logic")
      losses.add(
        "logic-node",
        path,
        "ElevenLabs has no nodes that only route",
        "an update_state node that sets a variable of its own",
      );
    return [{ type: "dynamic_variable", variable_name: STEP, expression: { type: "string_literal", value: node.id } }];
  }
  const prompt = node.state_prompt.trim() === "" ? "" : INSTRUCTIONS + node.state_prompt;
  if (prompt !== "") {
    const message = "ElevenLabs' update_state nodes have no prompt";
    losses.add("extract-prompt", [...path, "state_prompt"], message, "the prompt in the description of each variable");
  }
  const filled = node.variables_to_extract.map((variable, index) => {
    const choices = variable.choices ?? [];
    const isKnown = choices.length > 0 || ["string", "number", "boolean", "integer"].includes(variable.type);
    if (!isKnown)
      losses.add(
        "variable-type",
        [...path, "variables_to_extract", index, "type"],
        `ElevenLabs has no variables of the type "${variable.type}"`,
        "a text",
      );
    const type = valueType(variable);
    const description = (variable.description || variable.name) + prompt;
    const schema = { type, description, ...(choices.length > 0 ? { enum: choices } : {}) };
    return {
      type: "dynamic_variable",
      variable_name: variable.name,
      expression: { type: "llm", value_schema: schema },
      required: false,
    };
  });
  return [...filled, ...others];
}
