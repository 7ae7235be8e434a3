export {
  type Arguments,
  type ArgumentsSpec,
  type Defaults,
  type Flag,
  type Positional,
  readArguments,
  readNumber,
  usage,
} from "./arguments.ts";
export type { Command, ExitCode, ListedCommand } from "./command.ts";
export { CALL_FORMAT_NAMES, CALL_TITLES, EXAMPLE } from "./examples.ts";
