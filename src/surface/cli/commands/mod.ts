import type { ListedCommand } from "../arguments.ts";
import { AGENT_COMMANDS } from "./agent_commands.ts";
import { CALL_COMMANDS } from "./call_commands.ts";
import { DEPLOY_COMMANDS } from "./deploy_commands.ts";
import { RESULT_COMMANDS } from "./result_commands.ts";
import { RUN_COMMANDS } from "./run_commands.ts";
import { STUDIO_COMMANDS } from "./studio_commands.ts";

/** Every command in the order of the overview. A command is loaded when it runs. */
export const COMMANDS: readonly ListedCommand[] = [
  ...RUN_COMMANDS,
  ...AGENT_COMMANDS,
  ...DEPLOY_COMMANDS,
  ...CALL_COMMANDS,
  ...RESULT_COMMANDS,
  ...STUDIO_COMMANDS,
];
