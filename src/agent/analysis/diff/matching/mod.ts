export { findRenamed } from "./find_renamed.ts";
export { type RenamedNames, renamedSnippets, renamedTools, renamedVariables } from "./find_renamed_names.ts";
export { isReordered, pairItems, unpaired } from "./pair_items.ts";
export { pairTransitions } from "./pair_transitions.ts";
export { comparisonKey, isNothing, isSame } from "./same.ts";
