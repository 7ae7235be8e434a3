export { agentChanges } from "./agent_changes.ts";
export { nodeChanges } from "./node_changes.ts";
export { otherChanges } from "./other_changes.ts";
export { followNames } from "./rename_changes.ts";
export type { NodePair } from "./transition_changes.ts";
