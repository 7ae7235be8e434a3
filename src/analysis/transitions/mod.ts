export { keysOfCall, keysOfPath, keysOfVisits } from "./covered.ts";
export { type GraphTransition, goalOf, graphTransitions, keyOf } from "./graph_transitions.ts";
