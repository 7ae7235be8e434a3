export { createContext, type EmitContext, markersOf, presenceClauses, workOf } from "./context.ts";
export { type Destination, destinationOf, findDestination } from "./destination.ts";
export { awaitedTools, outcomeSource, outcomeWords, toolOfNode } from "./outcomes.ts";
export { isNamed, joinTools, ownTerminals, type TerminalKind, withDestinations } from "./own_terminals.ts";
export { workGuard } from "./work_guard.ts";
