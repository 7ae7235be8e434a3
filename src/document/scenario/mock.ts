import { isRecord, isTypoOf, type JsonObject } from "../../base/values/mod.ts";
import type { ToolMock } from "./scenario.ts";

/** Keys of an answer in `.mock(tool, answer)`. */
export const ANSWER_KEYS = ["args", "output", "fails", "delayMs", "delay_ms", "times"];

/**
 * Creates the mock of `.mock(tool, answer)`. An object with only keys of an answer is an answer; any other value is the
 * output.
 */
export function mockOf(tool: string, answer: unknown): ToolMock {
  return mockFrom(tool, isAnswer(answer) ? answer : { output: answer });
}

/** Finds a misspelt key of an answer, because of which the whole object would be read as the output. */
export function slipInAnswer(answer: unknown): { readonly key: string; readonly meant: string } | undefined {
  if (!isRecord(answer)) return undefined;
  const keys = Object.keys(answer);
  const others = keys.filter((key) => !ANSWER_KEYS.includes(key));
  if (others.length === 0 || others.length === keys.length) return undefined;
  const slips = others.flatMap((key) => {
    const meant = ANSWER_KEYS.find((each) => isTypoOf(each, key));
    return meant === undefined ? [] : [{ key, meant }];
  });
  return slips.length === others.length ? slips[0] : undefined;
}

/** Reads a mock in a list. `tool`, `args`, `fails` and `delayMs` are aliases of the keys of a {@link ToolMock}. */
export function mockInList(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { tool, args, fails, delayMs, ...rest } = item;
  const taken = (given: unknown, key: string) => given !== undefined && (rest[key] === undefined || rest[key] === null);
  return {
    ...rest,
    ...named("tool", "tool_name", tool),
    ...(taken(args, "input_match_rule") ? { input_match_rule: { type: "partial_match", args } } : unread({ args })),
    ...(taken(fails, "result") ? { result: typeof fails === "boolean" ? !fails : fails } : unread({ fails })),
    ...named("delayMs", "delay_ms", delayMs),
  };

  function named(word: string, key: string, given: unknown): JsonObject {
    return taken(given, key) ? { [key]: given } : unread({ [word]: given });
  }
}

/** Leaves keys that are given twice under their alias, which is then reported as unknown. */
function unread(given: JsonObject): JsonObject {
  return Object.values(given)[0] === undefined ? {} : given;
}

function isAnswer(answer: unknown): answer is JsonObject {
  if (!isRecord(answer)) return false;
  const keys = Object.keys(answer);
  return keys.length > 0 && keys.every((key) => ANSWER_KEYS.includes(key));
}

/** Builds a mock. Values of wrong types are kept, and rejected by `parseScenarios()`. */
function mockFrom(
  tool: string,
  { args, output, fails = false, delayMs, delay_ms: delay = delayMs, times }: JsonObject,
) {
  const mock: { readonly [Key in keyof ToolMock]: unknown } = {
    tool_name: tool,
    input_match_rule: args !== undefined ? { type: "partial_match", args } : { type: "any" },
    output: output ?? "",
    result: typeof fails === "boolean" ? !fails : fails,
    ...(delay === undefined ? {} : { delay_ms: delay }),
    ...(times === undefined ? {} : { times }),
  };
  return mock as ToolMock; // validated by parseScenarios()
}
