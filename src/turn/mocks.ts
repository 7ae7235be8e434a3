import type { ToolMock } from "../scenario/mod.ts";
import { isRecord, type JsonObject, sameJson } from "../values/mod.ts";

/** Mocks of a call. Counts how often each one answered. */
export class Mocks {
  readonly #mocks: readonly ToolMock[];
  readonly #answered = new Map<ToolMock, number>();

  constructor(mocks: readonly ToolMock[]) {
    this.#mocks = mocks;
  }

  /** Returns the first matching mock that is not used up, and counts the call. */
  take(name: string, args: JsonObject): ToolMock | undefined {
    const mock = this.#mocks.find((candidate) => fits(candidate, name, args) && !this.#usedUp(candidate));
    if (mock) this.#answered.set(mock, (this.#answered.get(mock) ?? 0) + 1);
    return mock;
  }

  #usedUp(mock: ToolMock): boolean {
    return typeof mock.times === "number" && (this.#answered.get(mock) ?? 0) >= mock.times;
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
