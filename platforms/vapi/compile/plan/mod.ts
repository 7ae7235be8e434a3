export { createContext, type EmitContext, markersOf, workOf } from "./context.ts";
export { awaitedTools, outcomeSource, outcomeWords, toolOfNode } from "./outcomes.ts";
export { joinTools, ownTerminals, TERMINALS, type TerminalKind, withDestinations } from "./terminals.ts";
