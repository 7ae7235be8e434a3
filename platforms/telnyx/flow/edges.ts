import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";
import type { Finding, Transition, TransitionCondition } from "../../../src/document/graph/mod.ts";
import { isText, keep, lensOf } from "../shared/mod.ts";
import { expressionWords, readExpression } from "./expressions.ts";

/** An edge of a document that leads from one node to another, or to the node of an assistant. */
export interface RawEdge {
  readonly edge: JsonObject;
  readonly from: string;
  readonly to: string;
  readonly path: Path;
}

interface EdgePlace {
  /** Type of the node that it leaves. */
  readonly type: string;
  /** Its number among the node's edges. */
  readonly index: number;
  readonly report: (finding: Finding) => void;
}

/** Whether a condition has the words of one that the document keeps. */
export function keptCondition(transition: Transition): JsonObject | undefined {
  const { condition: kept, words } = lensOf(transition);
  const { type, value } = transition.condition;
  return type === "llm_prompt" && value === words && isRecord(kept) ? kept : undefined;
}

/** Reads an edge as a transition. Settings of its target stay with it. */
export function readEdge({ edge, to, path }: RawEdge, place: EdgePlace): JsonObject {
  const { condition, timing, kept } = readCondition(recordAt(edge, "condition"), place, path);
  const target = omit(recordAt(edge, "target"), ["type", "node_id", "assistant_id"]);
  return {
    target_node_id: to,
    condition,
    ...(timing ? { timing } : {}),
    metadata: keep({ ...(isText(edge.id) ? { id: edge.id } : {}), ...target }, kept),
  };
}

function readCondition(raw: JsonObject, { type, index, report }: EdgePlace, path: Path) {
  const moves = type !== "prompt";
  const always = { type: "always", value: "" } satisfies TransitionCondition;
  // after speech, a call never comes to the edges before this one
  const timing = type === "speak" ? "skip_response" : moves || index === 0 ? undefined : "else";
  if (raw.type === "llm" && isText(raw.prompt)) return { condition: { type: "llm_prompt", value: raw.prompt } };
  if (raw.type === "default") return { condition: always, timing };
  if (raw.type === "expression") {
    const read = readExpression(raw.expression);
    if (read?.type === "always") return { condition: read, timing };
    if (read) return { condition: read };
  }
  const isExpression = raw.type === "expression";
  const what = isExpression ? "an expression that equations cannot say" : `a condition "${String(raw.type)}"`;
  const message = `This edge has ${what}; it is kept, and a model judges its words in calls here`;
  const hint = "Use comparisons of variables with values, all joined by and, or all by or";
  report({ code: "unread-condition", severity: "warning", path: [...path, "condition"], message, hint });
  const words = isExpression ? expressionWords(raw.expression) : JSON.stringify(raw);
  return { condition: { type: "llm_prompt", value: words }, kept: { condition: raw, words } };
}
