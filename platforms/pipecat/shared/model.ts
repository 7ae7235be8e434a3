import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import type { JsonSchema } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import type { Code } from "./code.ts";

/** A message of a node. The content of a flow in YAML can be an `!include`. */
export interface FlowMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A case of a branch. */
export interface FlowCase {
  readonly value: string;
  readonly target: string;
  /** Default: `==`. */
  readonly operator?: string;
}

/** A transition by a field of a function's result. */
export interface FlowBranch {
  readonly field: string;
  readonly cases: readonly FlowCase[];
  readonly fallback?: string;
}

/** A function of a node, in any of the three generations of flows. */
export interface FlowFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
  readonly to?: string | FlowBranch;
  /** Whether it only moves the call: it takes no arguments and runs no code. */
  readonly isOnly: boolean;
  /** What its handler does, if the graph says it. */
  readonly code?: Code;
  /** Python of an older flow. */
  readonly note?: string;
}

/** A node of a flow. */
export interface FlowNode {
  readonly id: string;
  /** `undefined`: the node keeps the instruction of the one before. */
  readonly role?: unknown;
  readonly messages: readonly FlowMessage[];
  readonly functions: readonly FlowFunction[];
  readonly pre: readonly JsonObject[];
  readonly post: readonly JsonObject[];
  readonly strategy?: unknown;
  readonly responds?: boolean;
  /** Whether it ends the call without an action that does. */
  readonly ends?: boolean;
}

/** A flow in any of the three generations. */
export interface FlowModel {
  readonly name?: string;
  readonly initial: string;
  readonly nodes: readonly FlowNode[];
  readonly globals: readonly FlowFunction[];
}

/** Refuses a document of Pipecat with the words of its own validator. */
export function refuse(title: string, state: string, path: readonly (string | number)[], hint: string): never {
  throw unknownShape(title, state, path, hint);
}

/** Reads a list of objects. */
export function objectsIn(title: string, value: unknown, path: readonly (string | number)[]): readonly JsonObject[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every(isRecord)) return value;
  return refuse(title, `"${path.join(".")}" is no list of objects`, path, "Write a list of objects");
}

/** Reads a text. */
export function textIn(title: string, value: unknown, path: readonly (string | number)[]): string {
  if (typeof value === "string") return value;
  return refuse(title, `"${path.join(".")}" is no text`, path, "Write a text");
}

/** Checks what Pipecat's schema does not say, in the words of its validator. */
export function checkModel(title: string, { initial, nodes, globals }: FlowModel): void {
  const ids = new Set(nodes.map(({ id }) => id));
  if (!ids.has(initial))
    refuse(title, `initial_node '${initial}' is not a defined node`, ["initial_node"], "Name a node of the flow");
  const check = (where: string, functions: readonly FlowFunction[], path: readonly (string | number)[]) => {
    for (const [index, { name, to }] of functions.entries())
      for (const target of targetsOf(to))
        if (!ids.has(target)) {
          const state = `${where} function '${name}' transitions to unknown node '${target}'`;
          refuse(title, state, [...path, index, "transition_to"], "Name a node of the flow");
        }
  };
  for (const { id, functions } of nodes) check(`node '${id}'`, functions, ["nodes", id, "functions"]);
  check("global_functions", globals, ["global_functions"]);
}

/** The nodes that a function leads to. */
export function targetsOf(to: FlowFunction["to"]): readonly string[] {
  if (to === undefined || typeof to === "string") return to === undefined ? [] : [to];
  return [...to.cases.map(({ target }) => target), ...(to.fallback === undefined ? [] : [to.fallback])];
}
