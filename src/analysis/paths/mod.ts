export type { CallEvent } from "./events.ts";
export { findPath, type PathFinder, pathFinder, searchable, searchFor } from "./find_path.ts";
export type { CallPath, Goal, MoveCause, PathAnswer, PathStep } from "./path.ts";
export { toolResult } from "./path_of.ts";
export { type CallPosition, searchFrom } from "./position.ts";
export { searchForTrap } from "./traps.ts";
