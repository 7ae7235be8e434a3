import type { PolicyPoint, PolicyRule } from "../../../document/scenario/mod.ts";
import { conditionText } from "../facts/mod.ts";

/** Formats a rule as a sentence. */
export function ruleText(rule: PolicyRule): string {
  switch (rule.verb) {
    case "before":
      return `${points(rule.first)} comes before ${points(rule.second)}`;
    case "never":
      return `never ${points(rule.points)}${rule.while ? ` while ${conditionText(rule.while)}` : ""}`;
    case "at_most_once":
      return `at most once ${points(rule.points)}`;
    case "after":
      return `after ${points(rule.first)} the agent does not end the call before ${points(rule.second)}`;
    case "leads_to":
      return `after ${points(rule.first)} there is always a way to ${points(rule.second)}`;
    case "way_to":
      return `there is always a way to ${points(rule.points)}`;
    case "known":
      return `${rule.variables.join(", ")} known before ${rule.variables.length > 1 ? "they are" : "it is"} spoken`;
  }
}

function points(list: readonly PolicyPoint[]): string {
  return list.map(pointText).join(" or ");
}

function pointText(point: PolicyPoint): string {
  if ("node" in point) return `node "${point.node}"`;
  if ("end" in point) return `the end "${point.end}"`;
  return `tool "${point.tool}"${point.outcome ? ` (${point.outcome})` : ""}`;
}
