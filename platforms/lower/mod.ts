export { isSilent, isTerminal } from "../../src/document/graph/mod.ts";
export { type ExtractedBehind, extractBehind, lossesAtOrigins } from "./extract_behind.ts";
export { ECHOES, extractByTool, extractionByTool } from "./extract_by_tool.ts";
export { contractChains, foldLogic, type PlatformGuards } from "./fold_logic.ts";
export { guardGoBacks, multiplyGlobals, multiplySpeakingGlobals } from "./globals.ts";
export {
  ALWAYS,
  all,
  any,
  expandSnippets,
  expandSnippetsIn,
  type Guard,
  isAlways,
  type Lowered,
  type LoweredGraph,
  type LoweredNode,
  type LoweredTransition,
  lower,
  mapLoweredNodes,
  nameTools,
  none,
  type Pass,
  promoteBusy,
  type Route,
  toolSlug,
  transitionPath,
} from "./pass.ts";
