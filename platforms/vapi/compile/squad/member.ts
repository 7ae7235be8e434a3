import type { Vapi } from "@vapi-ai/server-sdk";
import type { AgentNode } from "../../../../src/graph/mod.ts";
import type { JsonObject } from "../../../../src/values/mod.ts";
import { isTerminal } from "../../../lower/mod.ts";
import { HINT_KEY, NamePool, nodeOf } from "../common/mod.ts";
import { memberHint } from "../hints/mod.ts";
import { type EmitContext, workOf } from "../plan/mod.ts";
import { openingOf, systemPrompt } from "../prompt/mod.ts";
import { emitModel, extrasOfNode, mergeJson } from "../settings/mod.ts";
import { emitWorkTools } from "../tools/mod.ts";
import { MemberEdges } from "./member_edges.ts";

/**
 * One member of a squad: the assistant that speaks for a node, and the tools by which it hands the caller on.
 *
 * @param share The nodes of the graph that it stands for, itself first.
 */
export function emitMember(
  id: string,
  names: ReadonlyMap<string, string>,
  share: readonly AgentNode[],
  context: EmitContext,
): Vapi.SquadMemberDto {
  const node = nodeOf(context.graph, id);
  if (!node) throw new TypeError(`the plan has a member "${id}" that is no node`);
  const pool = new NamePool();
  const work = emitWorkTools(workOf(id, context), pool, context);
  const edges = new MemberEdges(node, names, pool, context);
  for (const route of context.plan.routes.get(id) ?? []) edges.add(route);
  const tools = edges.addEnds(work.tools);
  if (isTerminal(node)) edges.addOwnEnd();

  const instructions = systemPrompt(node, edges.lines(work), context);
  const model: JsonObject = {
    ...emitModel(context.graph.default_model, ["default_model"], context.losses),
    messages: [{ role: "system", content: instructions }],
    ...(tools.length > 0 ? { tools } : {}),
    ...(work.toolIds.length > 0 ? { toolIds: work.toolIds } : {}),
  };
  const assistant = {
    name: names.get(id) ?? id,
    ...openingOf(node, context),
    model,
    metadata: { [HINT_KEY]: memberHint(share, instructions, tools, context) },
  };
  return {
    assistant: mergeJson(assistant, extrasOfNode(context.graph, node)),
    ...(edges.tools.length > 0 ? { assistantOverrides: { "tools:append": [...edges.tools] } } : {}),
  };
}
