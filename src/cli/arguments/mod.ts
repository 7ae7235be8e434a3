export {
  type Arguments,
  type ArgumentsSpec,
  type Defaults,
  type Flag,
  readArguments,
  readNumber,
  usage,
} from "./arguments.ts";
export type { Command, ExitCode, ListedCommand } from "./command.ts";
