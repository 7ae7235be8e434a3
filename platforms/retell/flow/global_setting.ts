import type { GlobalNodeSetting } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { keep, ownKeys } from "../shared/mod.ts";
import { getCondition, plainCondition } from "./condition.ts";
import type { EmitContext } from "./emit_context.ts";
import { canHold, known } from "./emit_edges.ts";

/** Reads how a node is entered from anywhere; `undefined` for a setting without a condition. */
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
  const metadata = keep(omit(back, ["id", "transition_condition"]));
  return {
    id: goBackId(back, index),
    condition: getCondition(back.transition_condition),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

/** Writes a setting: the inverse of {@link readGlobalSetting}. */
export function writeGlobalSetting(setting: GlobalNodeSetting, nodeId: string, context: EmitContext): JsonObject {
  const held = setting.go_back_conditions.filter(({ condition }, index) => {
    const path = ["nodes", nodeId, "global_node_setting", "go_back_conditions", index];
    if (condition.type !== "llm_prompt" && condition.type !== "equation") return false;
    return canHold(condition, path, context);
  });
  const backs = held.map((back) => {
    const { metadata }: JsonObject = { ...back };
    return {
      ...ownKeys(metadata),
      // in code they are told apart within their node, at Retell within the flow
      id: context.edgeIds.claim(back.id, nodeId, "go-back"),
      transition_condition: plainCondition(known(back.condition, context)),
    };
  });
  return {
    ...ownKeys(setting.metadata),
    condition: setting.condition,
    ...(backs.length > 0 ? { go_back_conditions: backs } : {}),
  };
}
