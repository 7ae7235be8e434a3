export { findRenamed } from "./find_renamed.ts";
export { type Names, renamedSnippets, renamedTools, renamedVariables } from "./find_renamed_names.ts";
export { isReordered, pairItems, unpaired } from "./pair_items.ts";
export { pairTransitions } from "./pair_transitions.ts";
export { isNothing, isSame, keyOf } from "./same.ts";
