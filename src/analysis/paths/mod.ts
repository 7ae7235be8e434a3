export { findPath, type PathFinder, pathFinder } from "./find_path.ts";
export type { CallPath, Goal, MoveCause, PathAnswer, PathStep } from "./path.ts";
export { toolResult } from "./path_of.ts";
