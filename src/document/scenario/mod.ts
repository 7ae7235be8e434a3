export {
  briefScenario,
  completeScenario,
  type MetricInput,
  parseScenarios,
  type ScenarioInput,
  type ToolMockInput,
} from "./parse.ts";
export {
  isPolicy,
  type Policy,
  type PolicyPoint,
  type PolicyRule,
  type PolicySource,
  parsePolicies,
} from "./policy.ts";
export { inOneDialect, KEY_ALIASES as SCENARIO_ALIASES, type PatternReading, readPattern } from "./problems.ts";
export {
  type CallVariables,
  CHECKS,
  type CheckAnswer,
  type CheckContext,
  type CheckFunction,
  DEFAULT_THRESHOLD,
  type ExpectedToolCall,
  isScripted,
  type Metric,
  type MockRule,
  mockOf,
  type OfflineTurn,
  type OwnCheckOptions,
  type RunMetric,
  type Scenario,
  type ScenarioCheck,
  type ScenarioGate,
  slipInAnswer,
  type ToolMock,
} from "./scenario.ts";
export { SCENARIO_KEYS } from "./schema.ts";
export {
  plainScenario,
  requireScenarios,
  type ScenarioSource,
  scenarioFingerprint,
  shortHash,
  toScenario,
  toScenarios,
} from "./source.ts";
