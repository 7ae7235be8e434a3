import { isRecord, type JsonObject, Names, omit } from "../../../src/base/values/mod.ts";
import type { GlobalNodeSetting } from "../../../src/document/graph/mod.ts";
import { isString, keep, ownKeys, withMetadata } from "../shared/mod.ts";
import { heldCondition, readRetellCondition, writeRetellCondition } from "./condition.ts";
import type { FlowContext } from "./emit_context.ts";

/** Reads the setting of a global node; `undefined` for a setting without a condition. */
export function readGlobalSetting(setting: JsonObject): JsonObject | undefined {
  if (!isString(setting.condition)) return undefined;
  const all: readonly unknown[] = Array.isArray(setting.go_back_conditions) ? setting.go_back_conditions : [];
  const ids = new Names();
  const backs = all.filter(isRecord).map((back, index) => readGoBack(back, index, ids));
  const isReadable = backs.length > 0 && backs.length === all.length;
  return {
    condition: setting.condition,
    go_back_conditions: isReadable ? backs : [],
    metadata: keep(omit(setting, ["condition", ...(isReadable ? ["go_back_conditions"] : [])])),
  };
}

function readGoBack(back: JsonObject, index: number, ids: Names): JsonObject {
  const id = ids.take(isString(back.id) ? back.id : `back_${index}`);
  const condition = readRetellCondition(back.transition_condition);
  return withMetadata({ id, condition }, omit(back, ["id", "transition_condition"]));
}

/** Writes a setting: the inverse of {@link readGlobalSetting}. */
export function writeGlobalSetting(setting: GlobalNodeSetting, nodeId: string, context: FlowContext): JsonObject {
  const backs = setting.go_back_conditions.flatMap((back, index) => {
    const path = ["nodes", nodeId, "global_node_setting", "go_back_conditions", index];
    if (back.condition.type !== "llm_prompt" && back.condition.type !== "equation") {
      const message = "Retell's go-back conditions are LLM conditions or equations";
      context.losses.add("go-back-kind", path, message);
      return [];
    }
    const condition = heldCondition(back.condition, path, context);
    if (!condition) return [];
    // ids are unique per node in the graph, and per flow in Retell's document
    const id = context.edgeIds.claim(back.id, nodeId, "go-back");
    return [{ ...ownKeys(back), id, transition_condition: writeRetellCondition(condition) }];
  });
  const written = backs.length > 0 ? { go_back_conditions: backs } : {};
  return { ...ownKeys(setting), condition: setting.condition, ...written };
}
