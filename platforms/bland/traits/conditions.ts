import { isRecord, type JsonObject, omit } from "../../../src/base/values/mod.ts";
import { bareName } from "../../../src/document/expressions/mod.ts";
import type { EquationClause } from "../../../src/document/graph/mod.ts";

/** A list as it is; an empty one for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Operators of the graph by those of Bland. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["is", "=="],
  ["equals", "=="],
  ["=", "=="],
  ["is not", "!="],
  ["not equals", "!="],
  ["not contains", "not_contains"],
]);

/** Bland's operators for those of the graph, if they are other ones. */
const SPELLED: ReadonlyMap<string, string> = new Map([["not_contains", "not contains"]]);

/** A comparison in Bland's words. */
export interface Comparison {
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
}

/** Reads a comparison. `is null` and `is not null` ask whether a variable has a value. */
export function readClause({ field, operator: word, value }: Comparison): EquationClause {
  const left = bareName(field);
  const operator = OPERATORS.get(word) ?? word;
  const isAbsent = value === null || value === "null";
  if ((operator === "==" && value === "not null") || (operator === "!=" && isAbsent))
    return { left, operator: "exists" };
  if (operator === "==" && isAbsent) return { left, operator: "not_exist" };
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return { left, operator, right: isPlain ? value : value === undefined ? "" : JSON.stringify(value) };
}

/** Writes a comparison, as it was written before if it says the same. */
export function writeClause(clause: EquationClause, before?: Comparison): Comparison {
  const written = plainClause(clause);
  if (!before) return written;
  const was = readClause(before);
  if (was.left === clause.left && was.operator === clause.operator && was.right === clause.right) return before;
  return {
    field: was.left === clause.left ? before.field : written.field,
    operator: was.operator === clause.operator ? before.operator : written.operator,
    value: was.right === clause.right && was.operator === clause.operator ? before.value : written.value,
  };
}

function plainClause({ left, operator, right }: EquationClause): Comparison {
  if (operator === "exists" || operator === "not_exist")
    return { field: left, operator: operator === "exists" ? "is not" : "is", value: "null" };
  return { field: left, operator: SPELLED.get(operator) ?? operator, value: right ?? "" };
}

/** Reads the comparison of a route's list of conditions. */
export function comparisonOf(raw: JsonObject): Comparison {
  const { field, variable, operator } = raw;
  return { field: String(field ?? variable ?? ""), operator: String(operator ?? "=="), value: raw.value };
}

/** Keys of a row of `responsePathways` that is an object, by its spelling. */
const ROW_KEYS = {
  node: ["type", "operator", "value", "nodeId"],
  skewed: ["label", "variable", "condition", "targetId"],
  target: ["variable", "operator", "value", "targetNodeId"],
} as const;

/** A row of `responsePathways`: where a call goes after an answer. */
export interface Row extends Comparison {
  readonly target: string;
  /** Name of the target, which some spellings repeat. */
  readonly name?: string;
  readonly spelling: "pair" | keyof typeof ROW_KEYS;
  /** What else the row has. */
  readonly rest: JsonObject;
}

/** The name that rows have for the code of an answer. */
export const STATUS = "BlandStatusCode";

/** Whether a row is followed without a comparison. */
export const isUnconditional = ({ field }: Pick<Comparison, "field">): boolean =>
  /^default(?:\/webhook completion)?$/i.test(field);

/** Reads a row in one of its four spellings; `undefined` for any other value. */
export function readRow(raw: unknown): Row | undefined {
  if (Array.isArray(raw)) return readPair(raw);
  if (!isRecord(raw)) return undefined;
  const spelling = (["node", "skewed", "target"] as const).find((each) => typeof raw[ROW_KEYS[each][3]] === "string");
  if (spelling === undefined) return undefined;
  const keys = ROW_KEYS[spelling];
  const [field, operator, value, target] = keys.map((key) => raw[key]);
  const words = { field: String(field ?? ""), operator: String(operator ?? ""), value };
  return { ...words, target: String(target), spelling, rest: omit(raw, [...keys, "targetName"]) };
}

function readPair(raw: readonly unknown[]): Row | undefined {
  const [field, operator, value] = raw;
  const target = raw.at(-1);
  if (typeof field !== "string" || !isRecord(target) || typeof target.id !== "string") return undefined;
  const words = raw.length > 3 ? { operator: String(operator ?? ""), value } : { operator: "", value: "" };
  return {
    field,
    ...words,
    target: target.id,
    spelling: "pair",
    rest: { length: raw.length, ...omit(target, ["id", "name"]) },
  };
}

/** Writes a row: the inverse of {@link readRow}. */
export function writeRow({ field, operator, value, target, name, spelling, rest }: Row): unknown {
  if (spelling === "pair") {
    const end = { id: target, name, ...omit(rest, ["length"]) };
    if (!isUnconditional({ field }) || rest.length === 4) return [field, operator, value, end];
    return rest.length === 2 ? [field, end] : [field, "", end];
  }
  const values = [field, operator, value, target];
  const said = Object.fromEntries(ROW_KEYS[spelling].map((key, index) => [key, values[index]]));
  return { ...rest, ...said, ...(spelling === "skewed" ? { targetName: name } : {}) };
}

/** Whether a row asks only if a request succeeded, and the answer that it waits for. */
export function outcomeOf({ field, operator, value }: Comparison): "succeeded" | "failed" | undefined {
  if (field !== STATUS) return undefined;
  const [word, code] = [OPERATORS.get(operator) ?? operator, String(value)];
  const said = `${word} ${code}`;
  if (["< 400", "<= 399", "== 200", "< 300", "<= 299"].includes(said)) return "succeeded";
  return [">= 400", "> 399", "!= 200", ">= 300", "> 299"].includes(said) ? "failed" : undefined;
}

/** The rows of a speaking node's own tool that ask for its outcome alone, and all others, which stay in its settings. */
export function toolRows({ responsePathways: rows }: JsonObject, ids: ReadonlySet<string>) {
  const all = listOf(rows).map((raw) => ({ raw, row: readRow(raw) }));
  const isRead = ({ row }: { readonly row: Row | undefined }) =>
    row !== undefined && ids.has(row.target) && (outcomeOf(row) !== undefined || isUnconditional(row));
  const read = all.filter(isRead).flatMap(({ row }) => row ?? []);
  return { read, others: all.filter((each) => !isRead(each)).map(({ raw }) => raw) };
}
