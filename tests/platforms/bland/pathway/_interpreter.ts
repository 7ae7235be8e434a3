import { isRecord, type JsonObject, own, recordAt, records } from "../../../../src/base/values/mod.ts";
import { textOf } from "../../../../src/document/expressions/mod.ts";
import { comparesTexts } from "../../interpreted_call.ts";

/** What is known at one point of a call. */
export interface Moment {
  readonly variables: { readonly [name: string]: unknown };
  /** The code of the answer to the node's request. */
  readonly status: number;
  /** Whether the model says that a label holds. */
  readonly holds: (label: string) => boolean;
}

/** A label for everything that no other label names. */
const REST = /^Anything else\b/;

/** The node where a pathway goes on: rows or routes first, without a model, then its edges. `undefined`: the call stays. */
export function nextOf(pathway: JsonObject, id: string, moment: Moment): string | undefined {
  const node = records(pathway.nodes).find((each) => each.id === id);
  const data = recordAt(node ?? {}, "data");
  if (data.isGlobal === true && typeof data.forwardingNode === "string") return data.forwardingNode;
  const row = listOf(data.responsePathways).find((each) => isAnswered(each, moment));
  if (row !== undefined) return targetOf(row);
  const route = records(data.routes).find(({ conditions }) =>
    records(conditions).every(({ field, operator, value }) => isTrue([field, operator, value], moment)),
  );
  if (route) return String(route.targetNodeId);
  if (typeof data.fallbackNodeId === "string") return data.fallbackNodeId;
  const edges = records(pathway.edges).filter(({ source }) => source === id);
  const labelOf = (edge: JsonObject) => String(recordAt(edge, "data").label ?? edge.label ?? "");
  const taken =
    edges.find((edge) => recordAt(edge, "data").alwaysPick === true) ??
    edges.find((edge) => !REST.test(labelOf(edge)) && moment.holds(labelOf(edge))) ??
    edges.find((edge) => REST.test(labelOf(edge)));
  return taken && String(taken.target);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isAnswered(row: unknown, moment: Moment): boolean {
  const [field, operator, value] = listOf(row);
  if (/^default/i.test(String(field))) return true;
  const variables = { ...moment.variables, BlandStatusCode: moment.status };
  return isTrue([field, operator, value], { ...moment, variables });
}

function targetOf(row: unknown): string {
  const target = listOf(row).at(-1);
  return isRecord(target) ? String(target.id) : "";
}

/** Bland's names of operators. */
const SAME: { readonly [operator: string]: string } = { is: "==", "is not": "!=", "not contains": "not_contains" };

/** Compares texts, and numbers by their size. */
function isTrue([field, operator, value]: readonly unknown[], { variables }: Moment): boolean {
  const left = textOf(own(variables, String(field)));
  const given = textOf(value) ?? "";
  const right = given.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (all, name: string) => textOf(own(variables, name)) ?? all);
  const isSet = left !== undefined;
  if (right === "null" && (operator === "is" || operator === "is not")) return (operator === "is not") === isSet;
  return comparesTexts(own(SAME, String(operator)) ?? String(operator), left, right);
}
