import type { Scenario } from "../../../src/document/scenario/mod.ts";
import type { Loss } from "../../platform.ts";
import { limits } from "../api/mod.ts";
import type { AssistantOverrides, ChatEvalAssistantMessageEvaluation, CreateEvalDTO } from "../generated/mod.ts";
import { clipped, loseCommon, losesInto, TESTER, variableOverrides } from "./losses.ts";

/** A call with scripted lines, and the variables of its target. */
export interface VapiEval {
  readonly eval: CreateEvalDTO;
  /** For the target of `POST /eval/run`. */
  readonly assistantOverrides?: AssistantOverrides;
}

/** Accepts any reply between two lines of the script. */
const ANYTHING = "[\\s\\S]*";

/** Emits a scenario with scripted lines as an eval: the caller's lines, and one judge after the last one. */
export function emitEval(scenario: Scenario, losses: Loss[]): VapiEval {
  const lose = losesInto(losses, scenario);
  loseCommon(scenario, lose);
  if (scenario.tool_mocks.length > 0)
    lose("tool_mocks", "tool-mock", "Evals do not support mocks: the agent's own tools are called");
  if (Object.keys(scenario.extracts).length > 0)
    lose("extracts", "variable-expectation", "Evals cannot access the variables of a call");
  const last = scenario.says.length - 1;
  const messages = scenario.says.flatMap((line, index): CreateEvalDTO["messages"] => [
    { role: "user", content: clipped(line, limits().evalLine, "says", lose) },
    { role: "assistant", judgePlan: index === last ? judge(scenario) : { type: "regex", content: ANYTHING } },
  ]);
  return {
    eval: {
      type: "chat.mockConversation",
      name: clipped(scenario.name, limits().evalName, "name", lose),
      messages,
    },
    ...variableOverrides("assistantOverrides", scenario),
  };
}

function judge(scenario: Scenario): ChatEvalAssistantMessageEvaluation["judgePlan"] {
  const criteria = [
    ...scenario.metrics.map(({ criterion }) => criterion),
    ...scenario.includes.map((text) => `Somewhere the agent says ${JSON.stringify(text)}, in whatever case`),
    ...scenario.excludes.map((text) => `The agent never says ${JSON.stringify(text)}, in whatever case`),
    ...scenario.patterns.map(
      (pattern) => `Something that the agent says matches the pattern ${JSON.stringify(pattern)}`,
    ),
    ...scenario.calls.map(({ tool, args }) => `The agent calls ${tool} with at least ${JSON.stringify(args)}`),
  ];
  if (criteria.length === 0) return { type: "regex", content: ANYTHING };
  const list = criteria.map((criterion, index) => `${index + 1}. ${criterion}`).join("\n");
  const content = [
    "You judge how an agent handled a phone call. All of this must hold:",
    `{% raw %}${list.replaceAll("{% endraw %}", "")}{% endraw %}`,
    "The call: {{messages}}",
    'Answer "pass" when all of it holds, and "fail" otherwise. Say nothing else.',
  ].join("\n\n");
  return {
    type: "ai",
    model: { provider: "openai", model: TESTER, temperature: 0, messages: [{ role: "system", content }] },
  };
}
