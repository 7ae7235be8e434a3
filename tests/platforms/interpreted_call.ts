import type { JsonObject } from "../../src/base/values/mod.ts";
import { compareDecimals, textOf } from "../../src/document/expressions/mod.ts";

/** What the model and the tools of a call do. */
export interface Script {
  /** Whether the model says that a condition in words holds. */
  readonly holds: (condition: string) => boolean;
  /** The value that the model finds for a variable; `undefined` leaves it unset. */
  readonly valueOf: (schema: JsonObject, variable: string) => unknown;
  /** The result of a tool; `undefined` if it fails. */
  readonly call: (tool: string) => JsonObject | undefined;
}

/**
 * A whole call of a platform's document, as the platform's documentation describes it. A platform says what its nodes
 * do, which of them go on before the caller has spoken, and where they lead.
 */
export abstract class InterpretedCall {
  readonly visited: string[] = [];
  readonly variables: Map<string, unknown>;
  ended = false;
  /** Whether a node that does not wait for the caller leads nowhere. What platforms do then is not documented. */
  isStuck = false;
  protected readonly script: Script;
  protected at = "";
  #moves = 0;
  readonly #mostMoves: number;

  /** @param mostMoves How many moves a turn has. One more ends the call. */
  constructor(variables: JsonObject, script: Script, mostMoves: number) {
    this.variables = new Map(Object.entries(variables));
    this.script = script;
    this.#mostMoves = mostMoves;
  }

  /** Starts the call, up to the first node that waits for the caller. */
  abstract open(): void;

  /** The caller has said something. */
  hear(): void {
    this.#moves = 0;
    this.move(this.wayOut());
  }

  /** Does what the current node does. */
  protected abstract work(): void;

  /** Whether a call leaves the current node before the caller has spoken. */
  protected abstract goesOn(): boolean;

  /** The node after the current one; `undefined`: the call stays. */
  protected abstract wayOut(): string | undefined;

  /** The node of the graph that a node stands for. */
  protected nameOf(id: string): string {
    return id;
  }

  /** Starts at a node that is entered without a move. */
  protected start(first: string | undefined): void {
    this.#moves = -1;
    this.move(first);
  }

  protected move(first: string | undefined): void {
    for (let next = first; next !== undefined && !this.ended; ) {
      if (++this.#moves > this.#mostMoves) {
        this.ended = true;
        return;
      }
      this.at = next;
      this.visited.push(this.nameOf(next));
      this.work();
      const leaves = !this.ended && this.goesOn();
      next = leaves ? this.wayOut() : undefined;
      if (leaves && next === undefined) {
        this.isStuck = true;
        this.ended = true;
      }
    }
  }

  /** A text with the values of variables. Placeholders of variables that are not set stay. */
  protected filled(text: string): string {
    return text.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (all, name: string) => textOf(this.variables.get(name)) ?? all);
  }
}

/** Compares texts, and numbers by their size. Nothing is true of a variable that is not set. */
export function comparesTexts(operator: string, left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  const order = compareDecimals(left, right);
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "contains":
      return left.includes(right);
    case "not_contains":
      return !left.includes(right);
    case ">":
      return order !== undefined && order > 0;
    case ">=":
      return order !== undefined && order >= 0;
    case "<":
      return order !== undefined && order < 0;
    case "<=":
      return order !== undefined && order <= 0;
    default:
      throw new TypeError(`unknown operator "${operator}"`);
  }
}
