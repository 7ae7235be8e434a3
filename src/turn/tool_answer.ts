import { isCallweaveError, ToolError } from "../errors.ts";
import { canonicalJson, isRecord, type JsonObject, sameJson, type ToolMock } from "../graph/mod.ts";

/** A tool's function, as it is defined in code. */
export type ToolImplementation = (
  args: JsonObject,
  context: { readonly signal: AbortSignal | undefined },
) => unknown | Promise<unknown>;

/** Who answers tool calls: mocks first, then implementations. */
export interface ToolSources {
  readonly mocks: readonly ToolMock[];
  readonly implementations: { readonly [name: string]: ToolImplementation };
  readonly signal?: AbortSignal | undefined;
}

/** What a tool call came to. */
export interface ToolAnswer {
  readonly outcome: "succeeded" | "failed";
  /** Parsed when it was JSON, else text; of a failure its message. */
  readonly result: unknown;
  readonly mocked: boolean;
}

/** Answers a tool call: by the first mock that fits, else by the tool's implementation; a tool without either fails. */
export async function answerToolCall(name: string, args: JsonObject, sources: ToolSources): Promise<ToolAnswer> {
  const mock = sources.mocks.find((candidate) => fits(candidate, name, args));
  if (mock) return { outcome: mock.result ? "succeeded" : "failed", result: parsed(mock.output), mocked: true };
  try {
    if (!Object.hasOwn(sources.implementations, name)) throw unmocked(name);
    const result = await sources.implementations[name]?.(args, { signal: sources.signal });
    return { outcome: "succeeded", result: parsed(result), mocked: false };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = isCallweaveError(error) ? ` (${error.hint})` : "";
    return { outcome: "failed", result: `${message}${hint}`, mocked: false };
  }
}

/** The outcome that a mock gives something which is no tool, such as a transfer; nothing when no mock is named so. */
export function mockedOutcome(name: string, mocks: readonly ToolMock[]): ToolAnswer["outcome"] | undefined {
  const mock = mocks.find((candidate) => fits(candidate, name, {}));
  return mock && (mock.result ? "succeeded" : "failed");
}

/** A call's identity: the same for equal arguments, whatever the order of their keys. */
export function callKey(name: string, args: JsonObject): string {
  return `${name}(${canonicalJson(args)})`;
}

/** A value by a JSON path such as `$.order.items[0].status`; `undefined` where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  const steps = path.replace(/^\$\.?/, "").match(/[^.[\]"']+/g) ?? [];
  let found: unknown = value;
  for (const step of steps) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isRecord(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

function fits(mock: ToolMock, name: string, args: JsonObject): boolean {
  if (mock.tool_name !== name) return false;
  const rule = mock.input_match_rule;
  return rule.type === "any" || Object.entries(rule.args).every(([key, want]) => holds(args, key, want));
}

/** Objects must hold at least what is wanted; scalars are the same when they read the same. */
function holds(args: JsonObject, key: string, want: unknown): boolean {
  if (!Object.hasOwn(args, key)) return false;
  const got = args[key];
  if (isRecord(want)) return isRecord(got) && Object.entries(want).every(([inner, value]) => holds(got, inner, value));
  return typeof want === "object" ? sameJson(got, want) : String(got) === String(want);
}

function parsed(output: unknown): unknown {
  if (typeof output !== "string") return output ?? null;
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}

function unmocked(name: string): ToolError {
  return new ToolError(`Cannot call tool "${name}": nobody answers for it`, {
    code: "unmocked-tool",
    path: [name],
    hint: `Mock "${name}" in the scenario, or give the tool an execute function`,
  });
}
