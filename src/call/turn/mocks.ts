import { isRecord, type JsonObject, sameJson } from "../../base/values/mod.ts";
import type { ToolMock } from "../../document/scenario/mod.ts";

/** Mocks of a call. Counts how often each one answered. */
export class Mocks {
  readonly #mocks: readonly ToolMock[];
  readonly #answered: number[];

  /** @param answered How often each mock has answered before, in the order of the mocks. */
  constructor(mocks: readonly ToolMock[], answered: readonly number[] = []) {
    this.#mocks = mocks;
    this.#answered = mocks.map((_, index) => answered[index] ?? 0);
  }

  /** How often each mock has answered. */
  get answered(): readonly number[] {
    return this.#answered;
  }

  /** Returns the first matching mock that is not used up, and counts the call. */
  take(name: string, args: JsonObject): ToolMock | undefined {
    const index = this.#mocks.findIndex((mock, at) => fits(mock, name, args) && !this.#usedUp(mock, at));
    if (index < 0) return undefined;
    this.#answered[index] = this.#uses(index) + 1;
    return this.#mocks[index];
  }

  #usedUp(mock: ToolMock, index: number): boolean {
    return typeof mock.times === "number" && this.#uses(index) >= mock.times;
  }

  #uses(index: number): number {
    return this.#answered[index] ?? 0;
  }
}

function fits(mock: ToolMock, name: string, args: JsonObject): boolean {
  if (mock.tool_name !== name) return false;
  const rule = mock.input_match_rule;
  return rule.type === "any" || Object.entries(rule.args).every(([key, want]) => holds(args, key, want));
}

/** Whether arguments contain the expected value. Objects may have more keys; scalars are compared as texts. */
function holds(args: JsonObject, key: string, want: unknown): boolean {
  if (!Object.hasOwn(args, key)) return false;
  const got = args[key];
  if (isRecord(want)) return isRecord(got) && Object.entries(want).every(([inner, value]) => holds(got, inner, value));
  return typeof want === "object" ? sameJson(got, want) : String(got) === String(want);
}
