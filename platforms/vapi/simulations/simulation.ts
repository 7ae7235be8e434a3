import type { Vapi } from "@vapi-ai/server-sdk";
import type { Scenario } from "../../../src/scenario/mod.ts";
import type { Loss } from "../../platform.ts";
import { limits } from "../api/mod.ts";
import { clipped, lose, loseCommon, TESTER } from "./losses.ts";

/** Emits a scenario with a simulated caller as a simulation: persona, goal and checks at the end. */
export function emitSimulation(scenario: Scenario, losses: Loss[]): Vapi.SimulationRunSimulationsItem.Simulation {
  loseCommon(scenario, losses);
  const name = clipped(scenario.name, limits().scenarioName, scenario, "name", losses);
  const wish = scenario.user_prompt || "Call the agent and see what it can do for you.";
  const instructions = clipped(wish, limits().scenarioInstructions, scenario, "user_prompt", losses);
  const toolMocks = emitMocks(scenario, losses);
  const variables = Object.keys(scenario.dynamic_variables).length > 0;
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
      evaluations: emitEvaluations(scenario, losses),
      ...(variables ? { targetOverrides: { variableValues: { ...scenario.dynamic_variables } } } : {}),
      ...(toolMocks.length > 0 ? { toolMocks } : {}),
    },
  };
}

function emitEvaluations(scenario: Scenario, losses: Loss[]): Vapi.EvaluationPlanItem[] {
  const judged = (description: string, value = true) => ({ description, value });
  const patterns = scenario.patterns.map((pattern) => {
    const message = "Vapi matches patterns against the whole transcript, including the caller";
    lose(losses, scenario, "patterns", { code: "pattern-judged", kind: "emulated", message, instead: "a judge" });
    return judged(`Something that the agent says matches the pattern ${JSON.stringify(pattern)}`);
  });
  const calls = scenario.calls.map(({ tool, args }) => {
    const message = "Simulations do not compare the arguments of tool calls";
    lose(losses, scenario, "calls", { code: "tool-call-judged", kind: "emulated", message, instead: "a judge" });
    return judged(`The agent called the tool ${tool} with at least these arguments: ${JSON.stringify(args)}`);
  });
  const booleans = [...scenario.metrics.map(({ criterion }) => judged(criterion)), ...patterns, ...calls];
  return [
    ...booleans.map(({ description, value }, index) => ({
      structuredOutput: {
        name: `criterion_${index + 1}`,
        type: "ai" as const,
        description,
        schema: { type: "boolean" as const, description },
      },
      comparator: "=" as const,
      value,
    })),
    ...scenario.includes.map((text, index) => said(`says_${index + 1}`, text, true)),
    ...scenario.excludes.map((text, index) => said(`never_says_${index + 1}`, text, false)),
    ...Object.entries(scenario.extracts).map(([variable, value], index) => {
      const message = "Simulations do not see the variables of a call";
      lose(losses, scenario, "extracts", { code: "variable-judged", kind: "emulated", message, instead: "a judge" });
      const description = `The value of "${variable}" that came out of the call, and nothing else`;
      const schema = { type: "string" as const, description };
      const structuredOutput = { name: `variable_${index + 1}`, type: "ai" as const, description, schema };
      return { structuredOutput, comparator: "=" as const, value: plainText(value) };
    }),
  ];
}

/**
 * Creates a check of whether the agent said a text, ignoring case. The agent's lines in Vapi's transcript start with
 * `AI:`.
 */
function said(name: string, text: string, expected: boolean): Vapi.EvaluationPlanItem {
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
function emitMocks(scenario: Scenario, losses: Loss[]): Vapi.ScenarioToolMock[] {
  const byTool = new Map<string, Vapi.ScenarioToolMock>();
  for (const { tool_name: toolName, input_match_rule: rule, output, result } of scenario.tool_mocks) {
    if (rule.type === "partial_match" || byTool.has(toolName)) {
      const message = `Vapi's mocks do not look at the arguments of "${toolName}"`;
      const instead = byTool.has(toolName) ? "the first answer" : "the same answer for every call";
      lose(losses, scenario, "tool_mocks", { code: "mock-arguments", kind: "emulated", message, instead });
    }
    if (byTool.has(toolName)) continue;
    const text = plainText(output);
    if (!result) {
      const message = `Vapi's mock of "${toolName}" cannot fail`;
      lose(losses, scenario, "tool_mocks", {
        code: "mock-failure",
        kind: "emulated",
        message,
        instead: "an answer that says so",
      });
    }
    byTool.set(toolName, { toolName, result: result ? text : `Error: ${text}`, enabled: true });
  }
  return [...byTool.values()];
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
