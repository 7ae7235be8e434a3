import type { AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { type Kept, type Lens, wasAbsent } from "../shared/mod.ts";
import type { TypeFacts } from "./node_types.ts";

/** What an instruction says in the graph's terms, and what is kept of it. */
export interface ReadInstruction {
  readonly view: JsonObject;
  /** What stays under the key `instruction` among the node's own. */
  readonly own: JsonObject;
  readonly lens: JsonObject;
}

/** Reads what a node says. An end or a transfer that is told not to speak says nothing: its text is only kept. */
export function readInstruction(node: JsonObject, facts: TypeFacts): ReadInstruction {
  const { instruction } = node;
  const muted = node.speak_during_execution === false && ["end", "transfer"].includes(facts.node_type);
  if (facts.instruction.length === 0 || muted || !isRecord(instruction) || typeof instruction.text !== "string")
    return {
      view: { state_prompt: "" },
      own: Object.hasOwn(node, "instruction") ? { instruction } : {},
      lens: {},
    };
  const { type, text } = instruction;
  const fixed = type === "static_text";
  const usual = fixed || type === "prompt";
  const more = omit(instruction, ["text", ...(usual ? ["type"] : [])]);
  const partial = Object.keys(more).length > 0 || !usual;
  return {
    view: { state_prompt: text, ...(fixed ? { instruction_type: "static_text" } : {}) },
    own: partial ? { instruction: more } : {},
    lens: {
      ...(fixed && !facts.instruction.includes("static_text") ? { fixed: true } : {}),
      ...(partial ? { instruction: usual ? "partial" : "untyped" } : {}),
      ...(!partial && text === "" && (!facts.speaks || fixed) ? { instruction: "empty" } : {}),
    },
  };
}

/** Writes what a node says: the inverse of {@link readInstruction}. */
export function writeInstruction(node: AgentNode, facts: TypeFacts, text: string, { own, lens }: Kept): JsonObject {
  if (facts.instruction.length === 0) return {};
  const part = ["partial", "untyped"].includes(String(lens.instruction));
  const wanted = node.instruction_type === "static_text" ? "static_text" : "prompt";
  const type = canSay(facts, wanted, lens) ? wanted : "prompt";
  const more = part && isRecord(own.instruction) ? own.instruction : {};
  const untyped = lens.instruction === "untyped" && wanted === "prompt";
  const instruction = { ...more, ...(untyped ? {} : { type }), text };
  if (text !== "" || part || lens.instruction === "empty") return { instruction };
  if (Object.hasOwn(own, "instruction") || wasAbsent(lens, "instruction") || !facts.speaks) return {};
  return { instruction };
}

/** Whether the node can have this kind of instruction: Retell says so, or the document had it all the same. */
export function canSay(facts: TypeFacts, kind: "prompt" | "static_text", lens: Lens): boolean {
  return facts.instruction.includes(kind) || (kind === "static_text" && lens.fixed === true);
}
