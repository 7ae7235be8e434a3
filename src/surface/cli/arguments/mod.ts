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
