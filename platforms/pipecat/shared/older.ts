import { defined, isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import { type FlowFunction, type FlowMessage, type FlowNode, objectsIn, textIn } from "./model.ts";
import { textOfMessages } from "./to_graph.ts";

type At = readonly (string | number)[];

/** Reads the node of an older flow. */
export function nodeIn(
  title: string,
  node: JsonObject,
  path: At,
  readFunctions: (each: JsonObject, path: At) => readonly FlowFunction[],
): Omit<FlowNode, "id"> {
  const list = (key: string) => objectsIn(title, node[key], [...path, key]);
  const { context_strategy: strategy, respond_immediately: responds } = node;
  const key = node.task_messages === undefined && node.messages !== undefined ? "messages" : "task_messages";
  const role = instructionOf(title, node.role_messages, [...path, "role_messages"]);
  return {
    ...defined({ role, strategy: strategy ?? undefined }),
    messages: messagesIn(title, node[key], [...path, key]),
    functions: list("functions").flatMap((each, index) => readFunctions(each, [...path, "functions", index])),
    ...{ pre: list("pre_actions"), post: list("post_actions") },
    ...(typeof responds === "boolean" ? { responds } : {}),
  };
}

/** Writes it back. */
export function nodeTo(
  { role, messages, functions, pre, post, strategy, responds }: FlowNode,
  writeFunction: (each: FlowFunction) => JsonObject,
  form: "map" | "MAP",
): JsonObject {
  const list = (key: string, items: readonly unknown[]) => (items.length > 0 ? { [key]: items } : {});
  return {
    ...defined({ role_messages: instructionTo(role) }),
    task_messages: messages,
    ...list("functions", functions.map(writeFunction)),
    ...list("pre_actions", pre),
    ...list("post_actions", post),
    ...defined({ context_strategy: contextStrategy(strategy, form), respond_immediately: responds }),
  };
}

/** Reads the messages of an older flow. */
function messagesIn(title: string, value: unknown, path: At): readonly FlowMessage[] {
  return objectsIn(title, value, path).map(({ role, content }, index) => ({
    role: textIn(title, role, [...path, index, "role"]),
    content: textIn(title, content, [...path, index, "content"]),
  }));
}

/** The system instruction of a node: the text of its `role_messages`, or these if they have several parts. */
function instructionOf(title: string, value: unknown, path: At): unknown {
  const messages = messagesIn(title, value, path);
  if (messages.length === 0) return undefined;
  return messages.length === 1 && messages[0]?.role === "system" ? textOfMessages(messages) : { messages };
}

/** Writes it back. */
function instructionTo(role: unknown): readonly unknown[] | undefined {
  if (role === undefined) return undefined;
  if (isRecord(role) && Array.isArray(role.messages)) return role.messages;
  return [{ role: "system", content: role }];
}

/** A context strategy is a name in new flows, and an object with a name in older ones. */
export function contextStrategy(value: unknown, to: "map" | "MAP" | "name"): unknown {
  if (value === undefined || value === null) return undefined;
  const given: JsonObject = isRecord(value) ? value : { strategy: value };
  const { strategy } = given;
  if (typeof strategy !== "string") return value;
  if (to === "name") return strategy.toLowerCase();
  if (isRecord(value)) return value;
  return { strategy: to === "MAP" ? strategy.toUpperCase() : strategy };
}

/** The instruction as one text, for new flows. */
export function plainInstruction(role: unknown): unknown {
  const messages = isRecord(role) && Array.isArray(role.messages) ? role.messages : [];
  return messages.length > 0 ? textOfMessages(messages.filter(isMessage)) : role;
}

function isMessage(value: unknown): value is FlowMessage {
  return isRecord(value) && typeof value.role === "string";
}
