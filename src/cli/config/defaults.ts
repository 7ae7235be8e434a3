import { existsSync } from "node:fs";
import type { ArgumentsSpec, Defaults, ListedCommand } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";

/** The configuration of a project, in the folder where `callweave` is started. */
export const CONFIG_FILE = "callweave.config.json";

/**
 * What `callweave.config.json` in the current folder says for a command that takes a SOURCE; `undefined` for other
 * commands, and without the file.
 *
 * @param commands Every command, because each that takes a SOURCE may have a section.
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `invalid-config`.
 */
export async function configDefaults(
  command: { readonly name: string; readonly spec: ArgumentsSpec },
  commands: readonly ListedCommand[],
  { env }: Pick<Terminal, "env">,
): Promise<Defaults | undefined> {
  const configurable = configurableCommands(commands).map(({ name }) => name);
  if (!configurable.includes(command.name) || !existsSync(CONFIG_FILE)) return undefined;
  const { readConfig } = await import("./read_config.ts");
  const others = configurable.filter((name) => name !== command.name);
  return await readConfig(CONFIG_FILE, command, others, env);
}

/** The commands that work on the agent of a configuration. */
export function configurableCommands(commands: readonly ListedCommand[]): readonly ListedCommand[] {
  return commands.filter(({ usage }) => usage.startsWith("SOURCE"));
}
