import type { Issue, Path } from "../errors.ts";
import { isRecord } from "./json.ts";
import { editDistance } from "./nearest.ts";

/** Shorter keys are near too many words that other tools have keys for: `tags` and `says`. */
const LONG_ENOUGH = 7;

/** Keys of a scenario and of what it lists. */
export interface ScenarioKeys {
  readonly scenario: readonly string[];
  readonly metric: readonly string[];
  readonly mock: readonly string[];
  readonly call: readonly string[];
}

/**
 * What a test case seems to ask for and would not be checked: `exclude` in the place of `excludes` would be kept like
 * any other tool's key, and the case would pass whatever the agent says. Keys that are like none of ours are left alone,
 * except in `calls`, which no other tool writes.
 */
export function slipsIn(item: unknown, index: number, keys: ScenarioKeys): readonly Issue[] {
  if (!isRecord(item)) return [];
  const name = typeof item.name === "string" ? `"${item.name}"` : `number ${index}`;
  const issue = (path: Path, message: string, hint: string): Issue => ({
    code: "invalid-scenario",
    path: [index, ...path],
    message: `scenario ${name}, ${path.join(".")}: ${message}`,
    hint,
  });
  const keysIn = (value: unknown, known: readonly string[], at: Path, others?: string): readonly Issue[] =>
    Object.keys(isRecord(value) ? value : {})
      .filter((key) => !known.includes(key))
      .flatMap((key) => {
        const meant = known.find((each) => isMeant(each, key));
        const hint = meant === undefined ? others : `Did you mean "${meant}"?`;
        return hint === undefined ? [] : [issue([...at, key], "there is no such key, it would be ignored", hint)];
      });
  const list = (key: string): readonly unknown[] => (Array.isArray(item[key]) ? item[key] : []);
  return [
    ...keysIn(item, keys.scenario, []),
    ...list("metrics").flatMap((metric, at) => [
      ...keysIn(metric, keys.metric, ["metrics", at]),
      ...(isBlank(metric) || (isRecord(metric) && isBlank(metric.criterion))
        ? [issue(["metrics", at], "the criterion is blank", "Write what the judge shall look for, or take it away")]
        : []),
    ]),
    ...list("tool_mocks").flatMap((mock, at) => keysIn(mock, keys.mock, ["tool_mocks", at])),
    ...list("calls").flatMap((call, at) =>
      keysIn(call, keys.call, ["calls", at], 'An expected call has a "tool" and "args"'),
    ),
  ];
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

/**
 * Whether a key is another way of writing one of ours: `toolMocks`, `include`, `exlcudes`. A mark in front, as in `_type`
 * and `//metrics`, is put there on purpose.
 */
function isMeant(known: string, key: string): boolean {
  if (!/^[a-z]/i.test(key)) return false;
  return bare(known) === bare(key) || (key.length >= LONG_ENOUGH && editDistance(known, key) <= 2);
}

function bare(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/s$/, "");
}
