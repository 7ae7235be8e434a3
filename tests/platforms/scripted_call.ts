import { isRecord, type JsonObject, own, recordAt, records } from "../../src/base/values/mod.ts";
import { conversation } from "../../src/call/engine/mod.ts";
import { scripted } from "../../src/call/models/mod.ts";
import { clauseVariables } from "../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import type { Script } from "./elevenlabs/agent/_interpreter.ts";

/** How many times the caller speaks. */
export const LINES = 8;

/** Holds a call of the engine with the answers of an oracle. */
export async function engineCall(graph: AgentGraph, variables: JsonObject, oracle: Oracle) {
  const many = <Item>(item: Item) => Array.from({ length: 400 }, () => item);
  const agent = scripted({
    transition: many((input: JsonObject) => {
      const picked = records(input.available_transitions).find(({ condition }) => oracle.holds(String(condition)));
      return { objectives_complete: true, transition_to: picked ? String(picked.target) : "none" };
    }),
    respond: many("…"),
    arguments: many(({ tool }: JsonObject) => {
      const parameters = recordAt(isRecord(tool) ? tool : {}, "parameters");
      const names = Object.keys(recordAt(parameters, "properties"));
      return Object.fromEntries(names.map((name) => [name, "x"]));
    }),
    extract: many((input: JsonObject) => {
      const values = records(input.variables).map(({ name, ...schema }) => [
        name,
        oracle.valueOf({ ...schema, enum: schema.choices }, String(name)) ?? null,
      ]);
      return Object.fromEntries(values);
    }),
  });
  const names = Object.values(graph.nodes).flatMap(({ tools }) => tools.map(({ name }) => name));
  const tools = Object.fromEntries(
    names.map((name) => [
      name,
      () => {
        const result = oracle.call(name);
        if (!result) throw new Error("the tool fails");
        return result;
      },
    ]),
  );
  const call = conversation(graph, { models: { agent }, variables, tools });
  await call.open();
  for (let line = 0; line < LINES && !call.ended; line++) {
    oracle.turn++;
    await call.hear(`Line ${line}`);
  }
  return { visited: call.nodesVisited, endReason: call.endReason };
}

/** Gives the same answers to the same questions in the same turn. */
export class Oracle implements Script {
  turn = 0;
  readonly #seed: number;
  readonly #rights: ReadonlyMap<string, readonly unknown[]>;

  /** Names that one node has twice, so that no value fits both types. */
  readonly #unset: ReadonlySet<string>;

  constructor(graph: AgentGraph, seed: number) {
    this.#seed = seed;
    const lists = Object.values(graph.nodes).map(({ variables_to_extract: list }) => list.map(({ name }) => name));
    this.#unset = new Set(lists.flatMap((names) => names.filter((name, at) => names.indexOf(name) !== at)));
    this.#rights = rightSides(graph);
  }

  readonly holds = (condition: string) => this.#number(`${this.turn} ${condition}`) % 3 === 0;

  readonly valueOf = (schema: JsonObject, name: string) => {
    if (this.#unset.has(name)) return undefined;
    const number = this.#number(`${this.turn} value ${name}`);
    return valueFor(schema, this.#rights.get(name) ?? [], number);
  };

  readonly call = (tool: string) =>
    this.#number(`${this.turn} call ${tool}`) % 2 === 0 ? { status: "free" } : undefined;

  #number(text: string): number {
    return hash(`${this.#seed} ${text}`);
  }
}

/** Values that equations compare variables with. */
function rightSides(graph: AgentGraph): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  const nodes = Object.values(graph.nodes);
  for (const clause of nodes.flatMap(({ transitions }) =>
    transitions.flatMap((each) => each.condition.equations ?? []),
  ))
    for (const name of clauseVariables(clause)) found.set(name, [...(found.get(name) ?? []), clause.right ?? "x"]);
  return found;
}

/** A value of the type that a variable has; `undefined` leaves it unset. */
function valueFor(schema: JsonObject, rights: readonly unknown[], number: number): unknown {
  if (number % 5 === 0) return undefined;
  const pick = <Item>(items: readonly Item[]) => items[(number >>> 3) % items.length];
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return pick(schema.enum);
  switch (schema.type) {
    case "boolean":
      return (number >>> 4) % 2 === 0;
    case "number":
    case "integer":
      return pick([...rights.map(Number).filter(Number.isFinite), 0, 4, 18, -3]);
    default:
      return pick([...rights.map(String), "Anna", "5", "true"]);
  }
}

/** Variables that are given when a call starts, of the types of their default values. */
export function startValues(graph: AgentGraph, seed: number): JsonObject {
  const { default_dynamic_variables: defaults } = graph.source_metadata;
  const filled = new Set(
    Object.values(graph.nodes).flatMap(({ variables_to_extract: variables }) => variables.map(({ name }) => name)),
  );
  const entries = [...rightSides(graph)].flatMap(([name, rights]) => {
    const value = own(defaults ?? {}, name);
    const number = hash(`${seed} start ${name}`);
    if (filled.has(name) || number % 2 === 0) return [];
    if (value !== undefined) return [[name, valueFor({ type: typeof value }, rights, number) ?? value]];
    // the caller's program gives values of the types that the flow compares with
    return [[name, natural(valueFor({ type: "string" }, rights, number) ?? "x")]];
  });
  return Object.fromEntries(entries);
}

function natural(value: unknown): unknown {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "string" && value !== "" && String(Number(value)) === value ? Number(value) : value;
}

/** A number for a text, always the same. */
function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index++) value = (value * 31 + text.charCodeAt(index)) >>> 0;
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0;
  return (value ^ (value >>> 12)) >>> 3;
}
