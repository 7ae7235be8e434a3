export { callersOf } from "./callers_of.ts";
export {
  agentName,
  attachDefinition,
  DEFINITION,
  definitionOf,
  type GraphDefinition,
  type ToolExecute,
  toolImplementations,
} from "./definition.ts";
export type { Finding, Witness } from "./finding.ts";
export { contentOf, fingerprint, withoutEmpty } from "./fingerprint.ts";
export { foldedTarget, foundTarget } from "./found_target.ts";
export { isUnary } from "./is_unary.ts";
export { type NodeNames, nodeNames, withNodeNames } from "./node_names.ts";
export {
  canFuse,
  canSpeakNext,
  endingOf,
  goesOnAtOnce,
  hasOutcome,
  holdsAnyway,
  isOnCall,
  isOverAtOnce,
  isSilent,
  isStatic,
  isTerminal,
  MOST_HOPS,
  openingOf,
  speaks,
  wayAfterFailedTransfer,
  waysAfterHearing,
  waysAfterSpeech,
  waysAfterWork,
  waysBack,
  workQuestion,
} from "./node_rules.ts";
export { ORIGINAL, originalOf, withOriginal, withoutOriginal } from "./original.ts";
export { otherDocument, otherTool } from "./other_documents.ts";
export { parseGraph, referenceIssues } from "./parse.ts";
export { formatGraph, isGraphFile } from "./save.ts";
export { GRAPH_KEYS, graphJsonSchema } from "./schema.ts";
export { checkEntry, toGraph } from "./to_graph.ts";
export type * from "./types.ts";
export { withoutLists } from "./without_lists.ts";
