import type { Scenario } from "../../../src/document/scenario/mod.ts";
import type { Loss } from "../../platform.ts";
import { limits } from "../api/mod.ts";
import type { EvaluationPlanItem, ScenarioToolMock, SimulationRunSimulationEntry } from "../generated/mod.ts";
import { clipped, type Lose, loseCommon, losesInto, TESTER, variableOverrides } from "./losses.ts";

/** Emits a scenario with a simulated caller as a simulation: persona, goal and checks at the end. */
export function emitSimulation(scenario: Scenario, losses: Loss[]): SimulationRunSimulationEntry {
  const lose = losesInto(losses, scenario);
  loseCommon(scenario, lose);
  const name = clipped(scenario.name, limits().scenarioName, "name", lose);
  const wish = scenario.user_prompt || "Call the agent and see what it can do for you.";
  const instructions = clipped(wish, limits().scenarioInstructions, "user_prompt", lose);
  const toolMocks = emitMocks(scenario, lose);
  return {
    type: "simulation",
    name,
    personality: {
      name,
      assistant: {
        model: {
          provider: "openai",
          model: TESTER,
          messages: [{ role: "system", content: `You are a caller on the phone. ${wish}` }],
        },
      },
    },
    scenario: {
      name,
      instructions,
      evaluations: emitEvaluations(scenario, lose),
      ...variableOverrides("targetOverrides", scenario),
      ...(toolMocks.length > 0 ? { toolMocks } : {}),
    },
  };
}

function emitEvaluations(scenario: Scenario, lose: Lose): EvaluationPlanItem[] {
  const patterns = scenario.patterns.map((pattern) => {
    const message = "Vapi matches patterns against the whole transcript, including the caller";
    lose("patterns", "pattern-judged", message, "a judge");
    return `Something that the agent says matches the pattern ${JSON.stringify(pattern)}`;
  });
  const calls = scenario.calls.map(({ tool, args }) => {
    lose("calls", "tool-call-judged", "Simulations do not compare the arguments of tool calls", "a judge");
    return `The agent called the tool ${tool} with at least these arguments: ${JSON.stringify(args)}`;
  });
  const criteria = [...scenario.metrics.map(({ criterion }) => criterion), ...patterns, ...calls];
  return [
    ...criteria.map((criterion, index) => judged(`criterion_${index + 1}`, "boolean", criterion, true)),
    ...scenario.includes.map((text, index) => said(`says_${index + 1}`, text, true)),
    ...scenario.excludes.map((text, index) => said(`never_says_${index + 1}`, text, false)),
    ...Object.entries(scenario.extracts).map(([variable, value], index) => {
      lose("extracts", "variable-judged", "Simulations cannot access the variables of a call", "a judge");
      const description = `The value of "${variable}" that came out of the call, and nothing else`;
      return judged(`variable_${index + 1}`, "string", description, plainText(value));
    }),
  ];
}

/** Creates a check that a model evaluates. */
function judged(
  name: string,
  type: "boolean" | "string",
  description: string,
  value: boolean | string,
): EvaluationPlanItem {
  const structuredOutput = { name, type: "ai" as const, description, schema: { type, description } };
  return { structuredOutput, comparator: "=", value };
}

/**
 * Creates a check of whether the agent said a text, ignoring case. The agent's lines in Vapi's transcript start with
 * `AI:`.
 */
function said(name: string, text: string, expected: boolean): EvaluationPlanItem {
  const description = `The agent says ${JSON.stringify(text)}`;
  const regex = `/AI: [^\\n]*${text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}/i`;
  const how = regex.length <= limits().outputRegex ? { type: "regex" as const, regex } : { type: "ai" as const };
  return {
    structuredOutput: { name, description, schema: { type: "boolean", description }, ...how },
    comparator: "=",
    value: expected,
  };
}

/** Emits one answer per tool, because Vapi's mocks check neither arguments nor the number of calls. */
function emitMocks(scenario: Scenario, lose: Lose): ScenarioToolMock[] {
  const byTool = new Map<string, ScenarioToolMock>();
  for (const { tool_name: toolName, input_match_rule: rule, output, result } of scenario.tool_mocks) {
    const isKnown = byTool.has(toolName);
    if (rule.type === "partial_match" || isKnown) {
      const instead = isKnown ? "the first answer" : "the same answer for every call";
      lose("tool_mocks", "mock-arguments", `Vapi's mocks ignore the arguments of "${toolName}"`, instead);
    }
    if (isKnown) continue;
    const text = plainText(output);
    if (!result)
      lose("tool_mocks", "mock-failure", `Vapi's mock of "${toolName}" cannot fail`, "an answer with the error");
    byTool.set(toolName, { toolName, result: result ? text : `Error: ${text}`, enabled: true });
  }
  return [...byTool.values()];
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
