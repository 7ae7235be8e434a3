import { isRecord, type JsonObject, omit, records } from "../../../src/base/values/mod.ts";
import type { OpenedDocument } from "../../lens/mod.ts";

/** Keys beside a function or a message of the body. They say how the file writes it, and go with it when it moves. */
const FORM = "\u0000form";
const BLOCKS = "\u0000blocks";
/** Key of a node whose `task_messages` are `messages` in the file, as in flows of 2024. */
const EARLY = "\u0000early";

const GROUP = "function_declarations";
const MESSAGES: readonly string[] = ["role_messages", "task_messages", "messages"];

/**
 * Opens a static flow, also one in an envelope `{ type: "flow", name, flow_config }`. In the body each function has the
 * form of OpenAI (Anthropic's is flat, Gemini lists `function_declarations`) and each message has one text (Anthropic's
 * can have blocks). `close` writes the forms of the file again; a new function gets the form of its neighbours.
 */
export function openStatic(document: unknown): OpenedDocument {
  if (!isRecord(document)) return { body: document, close: (body) => body };
  const flow = isRecord(document.flow_config) ? document.flow_config : undefined;
  const body = withNodes(flow ?? document, openNode);
  const nodes = nodesOf(body);
  const usual = nodes.flatMap(({ functions }) => records(functions))[0]?.[FORM];
  const isEarly = nodes.length > 0 && nodes.every((node) => node[EARLY] === true);
  return {
    body,
    close: (merged) => {
      if (!isRecord(merged)) return merged;
      const closed = withNodes(merged, (node) => closeNode(node, usual, isEarly));
      return flow ? { ...document, flow_config: closed } : closed;
    },
  };
}

/** The nodes: a map, or a list while the lens works on them. */
function nodesOf({ nodes }: JsonObject): readonly JsonObject[] {
  return isRecord(nodes) ? records(Object.values(nodes)) : records(nodes);
}

function withNodes(flow: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const { nodes } = flow;
  const each = (node: unknown) => (isRecord(node) ? change(node) : node);
  if (Array.isArray(nodes)) return { ...flow, nodes: nodes.map(each) };
  if (!isRecord(nodes)) return flow;
  return { ...flow, nodes: Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, each(node)])) };
}

function withLists(node: JsonObject, change: (key: string, items: readonly unknown[]) => unknown): JsonObject {
  const entries = Object.entries(node).map(([key, value]) => {
    const isChanged = (key === "functions" || MESSAGES.includes(key)) && Array.isArray(value);
    return [key, isChanged ? change(key, value) : value];
  });
  return Object.fromEntries(entries);
}

function openNode(node: JsonObject): JsonObject {
  const isEarly = Array.isArray(node.messages) && !Object.hasOwn(node, "task_messages");
  const now = isEarly ? { ...renameKey(node, "messages", "task_messages"), [EARLY]: true } : node;
  return withLists(now, (key, items) =>
    key === "functions" ? items.flatMap((each, index) => openFunction(each, index)) : items.map(openMessage),
  );
}

function openFunction(each: unknown, index: number): readonly unknown[] {
  if (!isRecord(each)) return [each];
  if (isRecord(each.function)) return [{ ...each, [FORM]: "nested" }];
  const list = each[GROUP];
  if (Array.isArray(list) && list.length > 0 && list.every(isRecord))
    return list.map((one) => ({ type: "function", function: one, [FORM]: { index, group: each } }));
  if (typeof each.name !== "string") return [each];
  const schema = Object.hasOwn(each, "input_schema") ? "input_schema" : "parameters";
  const form = { schema, isTyped: each.type === "function" };
  return [{ type: "function", function: renameKey(each, schema, "parameters"), [FORM]: form }];
}

function renameKey(value: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key === from ? to : key, inner]));
}

/** Joins the blocks of a message. Pictures and the like stay in the file, and no call reads them. */
function openMessage(message: unknown): unknown {
  if (!isRecord(message) || !Array.isArray(message.content)) return message;
  const { content } = message;
  return content.every(isRecord) ? { ...message, content: textOf(content), [BLOCKS]: content } : message;
}

const isTextBlock = (block: unknown): block is JsonObject => isRecord(block) && typeof block.text === "string";

function textOf(blocks: readonly unknown[]): string {
  return blocks
    .filter(isTextBlock)
    .map(({ text }) => text)
    .join("\n\n");
}

function closeNode({ [EARLY]: own, ...node }: JsonObject, usual: unknown, isEarly: boolean): JsonObject {
  const closed = withLists(node, (key, items) =>
    key === "functions" ? closeFunctions(items, usual) : items.map(closeMessage),
  );
  return own === true || isEarly ? renameKey(closed, "task_messages", "messages") : closed;
}

function closeFunctions(items: readonly unknown[], usual: unknown): readonly unknown[] {
  const groups = new Map<unknown, unknown[]>();
  return items.flatMap((each, at): readonly unknown[] => {
    if (!isRecord(each) || !isRecord(each.function)) return [each];
    const { function: given, [FORM]: own } = each;
    const form = own ?? formNear(items, at) ?? usual;
    if (!isRecord(form)) return [omit(each, [FORM])];
    if (typeof form.schema === "string") {
      const type = own === undefined && form.isTyped ? { type: "function" } : {};
      return [{ ...type, ...renameKey(given, "parameters", form.schema) }];
    }
    const begun = groups.get(form.index);
    if (begun) {
      begun.push(given);
      return [];
    }
    const list = [given];
    groups.set(form.index, list);
    return [{ ...(isRecord(form.group) ? form.group : {}), [GROUP]: list }];
  });
}

/** The form of the function before a new one, or else of the next that the file has. */
function formNear(items: readonly unknown[], at: number): unknown {
  const formOf = (each: unknown) => (isRecord(each) ? each[FORM] : undefined);
  const near = items.slice(0, at).findLast((each) => formOf(each) !== undefined);
  return formOf(near ?? items.slice(at + 1).find((each) => formOf(each) !== undefined));
}

function closeMessage(message: unknown): unknown {
  if (!isRecord(message) || !Array.isArray(message[BLOCKS])) return message;
  const { [BLOCKS]: blocks, ...rest } = message;
  const list: readonly unknown[] = Array.isArray(blocks) ? blocks : [];
  if (message.content === textOf(list)) return { ...rest, content: list };
  // an edited text is one block, in the place of the first
  const first = list.findIndex(isTextBlock);
  const kept = list.filter((block, index) => index === first || !isTextBlock(block));
  const edited = kept.map((block) => (isTextBlock(block) ? { ...block, text: message.content } : block));
  return { ...rest, content: first < 0 ? [{ type: "text", text: message.content }, ...kept] : edited };
}
