export type { CallEvent } from "./events.ts";
export { findPath, type PathFinder, type PathFinderOptions, pathFinder } from "./find_path.ts";
export type { CallPath, EvaluatedClause, Goal, MoveCause, PathAnswer, PathStep } from "./path.ts";
export { toolResult } from "./path_of.ts";
export { type CallPosition, searchFrom } from "./position.ts";
export { searchFor } from "./search_for.ts";
export { searchable } from "./searchable.ts";
export { searchForTrap } from "./traps.ts";
