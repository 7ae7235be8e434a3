export {
  CHECK_KINDS,
  type CheckKind,
  type CheckResult,
  END_REASONS,
  type EndReason,
  type Message,
  type ToolCall,
  type Usage,
  type Verdict,
} from "./call.ts";
export {
  agentName,
  attachDefinition,
  DEFINITION,
  definitionOf,
  type GraphDefinition,
  type ToolExecute,
  toolImplementations,
} from "./definition.ts";
export { isTooDeep, MAX_DEPTH } from "./depth.ts";
export { dropPromise } from "./drop_promise.ts";
export { bare, type EquationProblem, equationProblem } from "./equation_problem.ts";
export type { Finding } from "./finding.ts";
export { fingerprint } from "./fingerprint.ts";
export { canonicalJson, isRecord, type JsonObject, omit, own, sameJson } from "./json.ts";
export { didYouMean, isSlipOf, nearestName } from "./nearest.ts";
export { inferNodeType } from "./node_type.ts";
export {
  checkOptions,
  groupOf,
  isFlow,
  OPTION,
  type OptionRules,
  oneOf,
  optionIssues,
  recordOf,
  rule,
  shown,
} from "./options.ts";
export { parseGraph, referenceIssues } from "./parse.ts";
export { parseScenarios } from "./parse_scenarios.ts";
export { isKnownPlaceholder, placeholdersIn, snippetsIn } from "./placeholders.ts";
export {
  isPlatformVariable,
  PLATFORM_VARIABLE_PREFIXES,
  PLATFORM_VARIABLES,
  type PlatformVariable,
} from "./platform_variables.ts";
export { formatGraph } from "./save.ts";
export {
  completeScenario,
  DEFAULT_THRESHOLD,
  type ExpectedToolCall,
  isScripted,
  type Metric,
  type MockRule,
  type Scenario,
  type ToolMock,
} from "./scenario.ts";
export {
  type CallVariables,
  CHECKS,
  type CheckAnswer,
  type CheckContext,
  type CheckedCall,
  type CheckFunction,
  type OwnCheckOptions,
  type ScenarioCheck,
} from "./scenario_check.ts";
export type { ScenarioFields, ScenarioInput, ToolMockInput } from "./scenario_input.ts";
export { mockOf, slipInAnswer } from "./scenario_mock.ts";
export { plainScenario, type ScenarioSource, toScenario, toScenarios } from "./scenario_source.ts";
export { GRAPH_KEYS, graphJsonSchema } from "./schema.ts";
export { checkEntry, toGraph } from "./to_graph.ts";
export type { FlowTypeError } from "./type_error.ts";
export type * from "./types.ts";
