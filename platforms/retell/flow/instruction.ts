import type { AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import type { TypeFacts } from "./node_types.ts";

/** What a node says. An end or a transfer that is told not to speak says nothing: its text is only kept. */
export function readInstruction(node: JsonObject, facts: TypeFacts): JsonObject | undefined {
  const { instruction } = node;
  const muted = node.speak_during_execution === false && ["end", "transfer"].includes(facts.node_type);
  if (facts.instruction.length === 0 || muted || !isRecord(instruction) || typeof instruction.text !== "string")
    return undefined;
  const { type, text } = instruction;
  return { state_prompt: text, ...(type === "static_text" ? { instruction_type: "static_text" } : {}) };
}

/** Writes what a node says: the inverse of {@link readInstruction}. */
export function writeInstruction(node: AgentNode, facts: TypeFacts, text: string, foreign: boolean): JsonObject {
  if (facts.instruction.length === 0) return {};
  if (text === "" && !facts.speaks) return {};
  const wanted = node.instruction_type === "static_text" ? "static_text" : "prompt";
  // a document can have a kind that Retell's types do not list
  return { instruction: { type: !foreign || facts.instruction.includes(wanted) ? wanted : "prompt", text } };
}
