export { type Arguments, type Flag, readArguments, readNumber, usage } from "./arguments.ts";
export type { Command, ExitCode, ListedCommand } from "./command.ts";
