import { isRecord, type JsonObject, own, recordAt, records } from "../../src/base/values/mod.ts";
import { conversation } from "../../src/call/engine/mod.ts";
import { scripted } from "../../src/call/models/mod.ts";
import { clauseVariables } from "../../src/document/expressions/mod.ts";
import { type AgentGraph, type AgentNode, isSilent } from "../../src/document/graph/mod.ts";
import type { Script } from "./interpreted_call.ts";

/** How many times the caller speaks. */
export const LINES = 8;

/** Holds a call of the engine with the answers of an oracle. */
export async function engineCall(graph: AgentGraph, variables: JsonObject, oracle: Oracle) {
  const many = <Item>(item: Item) => Array.from({ length: 400 }, () => item);
  const script = oracle.answers(() => call.nodesVisited);
  const agent = scripted({
    transition: many((input: JsonObject) => {
      const picked = records(input.available_transitions).find(({ condition }) => script.holds(String(condition)));
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
        script.valueOf({ ...schema, enum: schema.choices }, String(name)) ?? null,
      ]);
      return Object.fromEntries(values);
    }),
  });
  const names = Object.values(graph.nodes).flatMap(({ tools }) => tools.map(({ name }) => name));
  const tools = Object.fromEntries(
    names.map((name) => [
      name,
      () => {
        const result = script.call(name);
        if (!result) throw new Error("the tool fails");
        return result;
      },
    ]),
  );
  const call = conversation(graph, { models: { agent }, variables, tools });
  await call.open();
  for (let line = 0; line < LINES && !call.ended; line++) await call.hear(`Line ${line}`);
  return { visited: call.nodesVisited, endReason: call.endReason };
}

/** Ids without those that repeat the one before: a call that stays may pass through nodes that are parts of others. */
export const once = (ids: readonly string[]) => ids.filter((id, index) => id !== ids[index - 1]);

/**
 * Gives the same answers to the same questions at the same point of a call: after so many nodes that speak, at the same
 * node. How many lines the caller has said until then does not matter, because platforms take more or fewer of them.
 */
export class Oracle {
  readonly #seed: number;
  readonly #graph: AgentGraph;
  readonly #rights: ReadonlyMap<string, readonly unknown[]>;
  /** Names that one node has twice, so that no value fits both types. */
  readonly #unset: ReadonlySet<string>;
  /** Conditions of global nodes, by their ids. */
  readonly #globals: ReadonlyMap<string, string>;

  constructor(graph: AgentGraph, seed: number) {
    this.#seed = seed;
    this.#graph = graph;
    const nodes = Object.values(graph.nodes);
    const lists = nodes.map(({ variables_to_extract: list }) => list.map(({ name }) => name));
    this.#unset = new Set(lists.flatMap((names) => names.filter((name, at) => names.indexOf(name) !== at)));
    this.#rights = rightSides(graph);
    this.#globals = new Map(
      nodes.flatMap(({ id, global_node_setting: setting }) => (setting ? [[id, setting.condition]] : [])),
    );
  }

  /** The answers in one call. */
  answers(visited: () => readonly string[]): Script {
    const counts = new Map<string, number>();
    /** A number for a question, the same whenever it is asked for the same time at a point. */
    const asked = (question: string) => {
      const point = this.#pointOf(visited());
      const time = (counts.get(`${point} ${question}`) ?? 0) + 1;
      counts.set(`${point} ${question}`, time);
      const at = (other: string) => hash(`${this.#seed} ${point} ${other} ${time}`);
      return { number: at(question), at };
    };
    return {
      holds: (condition) => {
        const { number, at } = asked(condition);
        // who asks for a global node says nothing else, so that it does not matter which of both is asked first
        const isGlobal = [...this.#globals.values()].includes(condition);
        const here = visited().at(-1);
        const others = [...this.#globals].filter(([id]) => id !== here && !isGlobal);
        return number % 3 === 0 && !others.some(([, other]) => at(other) % 3 === 0);
      },
      valueOf: (schema, name) => {
        const { number } = asked(`value ${name}`);
        return this.#unset.has(name) ? undefined : valueFor(schema, this.#rights.get(name) ?? [], number);
      },
      call: (tool) => (asked(`call ${tool}`).number % 2 === 0 ? { status: "free" } : undefined),
    };
  }

  /** A point of a call: how many nodes have spoken, and the last one that did not only decide. */
  #pointOf(visited: readonly string[]): string {
    const nodes = visited.flatMap((id) => own(this.#graph.nodes, id) ?? []).filter((node) => !onlyDecides(node));
    const spoken = once(nodes.filter((node) => !isSilent(node)).map(({ id }) => id));
    return `${spoken.length} ${nodes.at(-1)?.id}`;
  }
}

/** Whether a node does nothing but decide. */
export function onlyDecides({ node_type: type, tools, variables_to_extract: variables }: AgentNode): boolean {
  return (
    type === "logic" || (type === "function" && tools.length === 0) || (type === "extract" && variables.length === 0)
  );
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
