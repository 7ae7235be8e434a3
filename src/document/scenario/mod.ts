export { briefScenario } from "./brief.ts";
export {
  type CallVariables,
  CHECKS,
  type CheckAnswer,
  type CheckContext,
  type CheckFunction,
  type OwnCheckOptions,
  type ScenarioCheck,
} from "./check.ts";
export { completeScenario } from "./complete.ts";
export { scenarioFingerprint, shortHash } from "./fingerprint.ts";
export type { MetricInput, ScenarioInput, ToolMockInput } from "./input.ts";
export { mockOf, slipInAnswer } from "./mock.ts";
export { parseScenarios } from "./parse.ts";
export { inOneDialect, type PatternReading, readPattern } from "./pattern_kind.ts";
export {
  isPolicy,
  type Policy,
  type PolicyPoint,
  type PolicyRule,
  type PolicySource,
  parsePolicies,
} from "./policy.ts";
export {
  DEFAULT_THRESHOLD,
  type ExpectedToolCall,
  isScripted,
  type Metric,
  type MockRule,
  type OfflineTurn,
  type RunMetric,
  type Scenario,
  type ScenarioGate,
  type ToolMock,
} from "./scenario.ts";
export { SCENARIO_KEYS } from "./schema.ts";
export { plainScenario, requireScenarios, type ScenarioSource, toScenario, toScenarios } from "./source.ts";
export { KEY_ALIASES as SCENARIO_ALIASES } from "./words.ts";
