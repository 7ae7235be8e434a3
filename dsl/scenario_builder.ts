import { ScenarioError } from "../src/errors.ts";
import {
  checkOptions,
  completeScenario,
  type EndReason,
  isRecord,
  parseScenarios,
  rule,
  type Scenario,
  type ToolMock,
} from "../src/graph/mod.ts";
import type { MockAnswer } from "./scenario.ts";

/**
 * A scenario as plain JavaScript sees it: without literals. What no scenario can hold is thrown where it is written, as
 * a ScenarioError; names are checked against the graph when it is run.
 */
export class ScenarioBuilder {
  readonly #scenario: Scenario;

  constructor(scenario: Scenario) {
    const [checked = scenario] = parseScenarios(scenario);
    this.#scenario = Object.freeze(checked);
  }

  persona(text: string): ScenarioBuilder {
    return this.#with({ user_prompt: text });
  }
  says(...lines: readonly string[]): ScenarioBuilder {
    return this.#with({ says: [...this.#scenario.says, ...lines] });
  }
  variables(values: { readonly [name: string]: unknown }): ScenarioBuilder {
    return this.#with({ dynamic_variables: joined(this.#scenario.dynamic_variables, values) });
  }
  mock(tool: string, answer: unknown): ScenarioBuilder {
    return this.#with({ tool_mocks: [...this.#scenario.tool_mocks, mockOf(tool, answer)] });
  }
  judge(criterion: string, options: { readonly threshold?: number } = {}): ScenarioBuilder {
    checkOptions(options, { threshold: rule("a number", () => true) }, ScenarioError, "Cannot add a criterion");
    const { threshold } = options;
    const { metrics } = completeScenario({ name: "", metrics: [{ criterion, threshold }] });
    return this.#with({ metrics: [...this.#scenario.metrics, ...metrics] });
  }
  includes(...texts: readonly string[]): ScenarioBuilder {
    return this.#with({ includes: [...this.#scenario.includes, ...texts] });
  }
  excludes(...texts: readonly string[]): ScenarioBuilder {
    return this.#with({ excludes: [...this.#scenario.excludes, ...texts] });
  }
  matches(...patterns: readonly (string | RegExp)[]): ScenarioBuilder {
    const sources = patterns.map((pattern) => (pattern instanceof RegExp ? sourceOf(pattern) : pattern));
    return this.#with({ patterns: [...this.#scenario.patterns, ...sources] });
  }
  visits(...ids: readonly string[]): ScenarioBuilder {
    return this.#with({ visits: [...this.#scenario.visits, ...ids] });
  }
  avoids(...ids: readonly string[]): ScenarioBuilder {
    return this.#with({ avoids: [...this.#scenario.avoids, ...ids] });
  }
  ends(reason: EndReason): ScenarioBuilder {
    return this.#with({ ends: reason });
  }
  extracts(values: { readonly [name: string]: unknown }): ScenarioBuilder {
    return this.#with({ extracts: joined(this.#scenario.extracts, values) });
  }
  calls(tool: string, args: { readonly [name: string]: unknown } = {}): ScenarioBuilder {
    return this.#with({ calls: [...this.#scenario.calls, { tool, args }] });
  }
  turns(max: number): ScenarioBuilder {
    return this.#with({ max_turns: max });
  }
  toJSON(): Scenario {
    return this.#scenario;
  }

  #with(changes: Partial<Scenario>): ScenarioBuilder {
    return new ScenarioBuilder({ ...this.#scenario, ...changes });
  }
}

/** Both, unless plain JavaScript has passed something else, which is refused where all of it is looked at. */
function joined<Values extends object>(before: Values, values: Values): Values {
  return isRecord(values) ? { ...before, ...values } : values;
}

const ANSWER_KEYS = new Set(["args", "output", "fails", "delayMs", "times"]);

/** An object with nothing but an answer's keys is an answer; anything else is the output itself. */
function isAnswer(answer: unknown): answer is MockAnswer {
  if (!isRecord(answer)) return false;
  const keys = Object.keys(answer);
  return keys.length > 0 && keys.every((key) => ANSWER_KEYS.has(key));
}

function mockOf(tool: string, answer: unknown): ToolMock {
  const { args, output, fails = false, delayMs, times }: MockAnswer = isAnswer(answer) ? answer : { output: answer };
  return {
    tool_name: tool,
    input_match_rule: args !== undefined ? { type: "partial_match", args } : { type: "any" },
    output: output ?? "",
    result: typeof fails === "boolean" ? !fails : fails, // anything else is refused where all of it is looked at
    ...(delayMs === undefined ? {} : { delay_ms: delayMs }),
    ...(times === undefined ? {} : { times }),
  };
}

/** A regular expression as RE2 writes it: flags at the start. */
function sourceOf({ source, flags }: RegExp): string {
  const kept = [...flags].filter((flag) => "ims".includes(flag)).join("");
  return `re2:${kept === "" ? "" : `(?${kept})`}${source}`;
}
