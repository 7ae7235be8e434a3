export { findRenamed } from "./find_renamed.ts";
export { type RenamedNames, renamedSnippets, renamedTools, renamedVariables } from "./find_renamed_names.ts";
export { isReordered, pairItems, pairTransitions, unpaired } from "./pair_items.ts";
export { comparisonKey, isNothing, isSame } from "./same.ts";
