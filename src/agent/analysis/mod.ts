export { checkScenarios } from "./check_scenarios.ts";
export {
  COVERAGE_KINDS,
  COVERAGE_RULE,
  type Coverage,
  type CoverageCount,
  type CoverageItem,
  type CoverageKind,
  type CoverageOptions,
  type CoverageTarget,
  coverage,
  coverageMarks,
  mergeCoverage,
  type NamedTarget,
  percentOf,
  reachableCounts,
  type UncoveredItem,
  uncovered,
} from "./coverage/mod.ts";
export {
  compose,
  type DecomposeOptions,
  type Decomposition,
  type DecompositionManifest,
  decompose,
  type Handoff,
  type PartEntry,
} from "./decompose/mod.ts";
export {
  type AffectedScenario,
  affectedScenarios,
  CHANGE_KINDS,
  type ChangeKind,
  type ChangeRisk,
  diffGraphs,
  type GraphChange,
  namedChanges,
  otherChanges,
  overlayChanges,
  type TextPart,
} from "./diff/mod.ts";
export { type ExtractSnippetOptions, editGraph, type GraphEditor, type SplitOptions } from "./edit/mod.ts";
export { knownVariables, reachedIn, type TurnBound, turnBounds, typedValue } from "./facts/mod.ts";
export { checkGraph } from "./findings/mod.ts";
export {
  type CallEvent,
  type CallPath,
  type CallPosition,
  type EvaluatedClause,
  findPath,
  type Goal,
  type MoveCause,
  type PathAnswer,
  type PathFinder,
  type PathFinderOptions,
  type PathStep,
  pathFinder,
  searchFrom,
  toolResult,
} from "./paths/mod.ts";
export {
  type CallerFacts,
  callerFacts,
  type PathAnswers,
  type PlayedPath,
  type PlayOptions,
  playPath,
  visitedNodes,
  withSamples,
} from "./play/mod.ts";
export {
  BROKEN,
  checkPolicies,
  isAny,
  NOTED,
  type PolicyAnswer,
  policyFindings,
  ruleText,
  ruleWatch,
  unknownNames,
} from "./policies.ts";
export { analyseSnippets, type SnippetAnalysis, type SnippetSuggestion, type SnippetUsage } from "./snippets.ts";
export { CHECK_CODES, type CheckCode, type Suppression, suppressFindings } from "./suppress.ts";
export {
  explainUnreachable,
  type GraphTransition,
  goalOf,
  graphTransitionKey,
  graphTransitions,
  keysOfCall,
  keysOfPath,
  keysOfVisits,
  type UnreachableTransition,
} from "./transitions.ts";
