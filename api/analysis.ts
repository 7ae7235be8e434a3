/**
 * `callweave/analysis`: what a graph says without a call. Checks it, finds paths, compares versions, measures coverage,
 * draws it, edits it and writes the scenarios that are missing.
 *
 * @module
 */
export {
  type Coverage,
  type CoverageCount,
  type CoverageItem,
  type CoverageKind,
  type CoverageOptions,
  type CoverageTarget,
  coverage,
  mergeCoverage,
  type NamedTarget,
  type UncoveredItem,
  uncovered,
} from "../src/agent/analysis/coverage/public.ts";
export * from "../src/agent/analysis/decompose/mod.ts";
export {
  type AffectedScenario,
  affectedScenarios,
  type CallPath,
  type ChangeKind,
  type ChangeRisk,
  checkGraph,
  checkPolicies,
  checkScenarios,
  diffGraphs,
  type EvaluatedClause,
  type ExtractSnippetOptions,
  editGraph,
  findPath,
  type Goal,
  type GraphChange,
  type GraphEditor,
  type GraphTransition,
  type MoveCause,
  type PathAnswer,
  type PathAnswers,
  type PathFinder,
  type PathFinderOptions,
  type PathStep,
  type PlayedPath,
  type PlayOptions,
  type PolicyAnswer,
  pathFinder,
  playPath,
  type SplitOptions,
  type TextPart,
  type TurnBound,
  turnBounds,
  type UnreachableTransition,
} from "../src/agent/analysis/mod.ts";
export * from "../src/agent/analysis/snippets.ts";
export { type DrawOptions, type DrawPngOptions, draw, drawPng, type Grouping } from "../src/agent/draw/mod.ts";
export type { CutOutOptions, PngOptions, PngPicture } from "../src/agent/pictures/mod.ts";
export * from "../src/run/generate/mod.ts";
