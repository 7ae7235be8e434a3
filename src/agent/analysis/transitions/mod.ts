export { keysOfCall, keysOfPath, keysOfVisits } from "./covered.ts";
export { explainUnreachable, type UnreachableTransition } from "./explain_unreachable.ts";
export { type GraphTransition, goalOf, graphTransitionKey, graphTransitions } from "./graph_transitions.ts";
export { deducedEquations, recordedEquations } from "./record_equations.ts";
export { deducedWays, recordedWays } from "./record_ways.ts";
