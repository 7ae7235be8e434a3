import type { AgentNode } from "../../../../src/graph/mod.ts";
import type { JsonObject } from "../../../../src/values/mod.ts";
import { HINT_KEY, NamePool, nodeOf } from "../common/mod.ts";
import { memberHint } from "../hints/mod.ts";
import { type EmitContext, workOf } from "../plan/mod.ts";
import { openingOf, systemPrompt } from "../prompt/mod.ts";
import { emitModel, extrasOfNode, mergeJson } from "../settings/mod.ts";
import { emitWorkTools, type Tool } from "../tools/mod.ts";
import { Exits } from "./exits.ts";

/** An assistant, and the tools that a squad gives it besides. */
export interface EmittedSpeaker {
  readonly assistant: JsonObject;
  readonly handoffs: readonly Tool[];
}

/**
 * Emits the assistant that speaks for some nodes: in a squad for one, else for all of them.
 *
 * @param share The nodes of the graph that it stands for, the one where it starts first.
 */
export function emitSpeaker(
  ids: readonly string[],
  names: ReadonlyMap<string, string>,
  share: readonly AgentNode[],
  context: EmitContext,
): EmittedSpeaker {
  const { graph, losses, isAssistant } = context;
  const [id = ""] = ids;
  const node = nodeOf(graph, id);
  if (!node) throw new TypeError(`the plan has a member "${id}" that is no node`);
  const pool = new NamePool();
  const work = emitWorkTools([...new Set(ids.flatMap((each) => workOf(each, context)))], pool, context);
  const exits = new Exits({ ids, names, pool, work }, context);
  const content = systemPrompt(ids, names, (each) => exits.lines(each), context);
  const tools = [...exits.workTools, ...(isAssistant ? exits.tools : [])];
  const assistant: JsonObject = {
    name: names.get(id) ?? id,
    ...openingOf(node, context),
    model: {
      ...emitModel(graph.default_model, ["default_model"], losses),
      messages: [{ role: "system", content }],
      ...(tools.length > 0 ? { tools } : {}),
      ...(work.toolIds.length > 0 ? { toolIds: work.toolIds } : {}),
    },
    metadata: {
      [HINT_KEY]: memberHint(share, ids.length > 1 ? undefined : content, exits.workTools, context),
    },
  };
  return {
    assistant: mergeJson(assistant, extrasOfNode(graph, node)),
    handoffs: isAssistant ? [] : exits.tools,
  };
}
