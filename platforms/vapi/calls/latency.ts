import { type JsonObject, recordsAt } from "../../../src/base/values/mod.ts";
import type { TurnLatency } from "../../../src/document/transcript/mod.ts";
import { numberAt } from "../../reading/mod.ts";
import type { VapiReply } from "./turns.ts";

/** Returns how long the caller waited in each turn. Vapi measures replies to the caller, in their order. */
export function vapiLatency(replies: readonly VapiReply[], metrics: JsonObject): readonly TurnLatency[] {
  return recordsAt(metrics, ["turnLatencies"]).flatMap((measured, index) => {
    const firstWordMs = numberAt(measured, "turnLatency");
    const { turn = index + 1, nodeId = "" } = replies[index] ?? {};
    return firstWordMs === undefined ? [] : [{ turn, nodeId, firstWordMs }];
  });
}
