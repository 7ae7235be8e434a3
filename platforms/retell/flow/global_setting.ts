import type { GlobalNodeSetting } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { keep, kept, wasAbsent } from "../shared/mod.ts";
import { getCondition, plainCondition, putCondition } from "./condition.ts";
import type { EmitContext } from "./emit_context.ts";
import { canHold, known } from "./emit_edges.ts";

/** Reads how a node is entered from anywhere; `undefined` for a setting without a condition, which stays as it is. */
export function readGlobalSetting(setting: JsonObject): JsonObject | undefined {
  if (typeof setting.condition !== "string") return undefined;
  const backs = Array.isArray(setting.go_back_conditions) ? setting.go_back_conditions : [];
  const readable = backs.length > 0 && backs.every(isRecord) && hasOwnIds(backs);
  return {
    condition: setting.condition,
    go_back_conditions: readable ? backs.map(readGoBack) : [],
    metadata: keep(omit(setting, ["condition", ...(readable ? ["go_back_conditions"] : [])])),
  };
}

/** Whether no two of them have the same id: they are told apart by it. */
function hasOwnIds(backs: readonly JsonObject[]): boolean {
  const ids = backs.map((back, index) => goBackId(back, index));
  return new Set(ids).size === ids.length;
}

function goBackId(back: JsonObject, index: number): string {
  return typeof back.id === "string" ? back.id : `back_${index}`;
}

function readGoBack(back: JsonObject, index: number): JsonObject {
  const id = goBackId(back, index);
  const condition = getCondition(back.transition_condition);
  const plain = sameJson(plainCondition(condition), back.transition_condition);
  const metadata = keep(omit(back, [...(id === back.id ? ["id"] : []), ...(plain ? ["transition_condition"] : [])]), {
    absent: Object.hasOwn(back, "transition_condition") ? [] : ["transition_condition"],
    ...(id === back.id ? {} : { id }),
  });
  return { id, condition, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
}

/** Writes a setting back: the inverse of {@link readGlobalSetting}. */
export function writeGlobalSetting(setting: GlobalNodeSetting, nodeId: string, context: EmitContext): JsonObject {
  const { expand, foreign, edgeIds } = context;
  const { own } = kept(setting.metadata);
  const held = setting.go_back_conditions.filter(({ condition }, index) => {
    const path = ["nodes", nodeId, "global_node_setting", "go_back_conditions", index];
    if (condition.type !== "llm_prompt" && condition.type !== "equation") return false;
    return canHold(condition, path, context);
  });
  const backs = held.map((back) => {
    const more: JsonObject = { ...back };
    const { own: ownBack, lens } = kept(more.metadata);
    const condition = { ...known(back.condition, context), value: expand(back.condition.value) };
    const unsaid = wasAbsent(lens, "transition_condition") && sameJson(condition, getCondition(undefined));
    return {
      ...ownBack,
      // in code they are told apart within their node, at Retell within the flow
      ...(lens.id === back.id ? {} : { id: foreign ? edgeIds.claim(back.id, nodeId, "go-back") : back.id }),
      ...(unsaid ? {} : { transition_condition: putCondition(condition, ownBack.transition_condition) }),
    };
  });
  return {
    ...own,
    condition: expand(setting.condition),
    ...(backs.length > 0 ? { go_back_conditions: backs } : {}),
  };
}
