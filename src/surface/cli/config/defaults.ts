import type { SectionKey } from "../../project/mod.ts";
import type { ArgumentsSpec, Defaults, ListedCommand } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

/**
 * The configuration in the current folder for a command that works on an agent; `undefined` for other commands, and
 * without a configuration.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `invalid-config`, `module-failed`.
 */
export async function configDefaults(
  command: { readonly name: string; readonly spec: ArgumentsSpec },
  terminal: Pick<Terminal, "env" | "readText">,
): Promise<Defaults | undefined> {
  if (!SECTIONS.includes(command.name)) return undefined;
  const [{ findConfig }, { readConfig }] = await Promise.all([
    import("../../project/mod.ts"),
    import("./read_config.ts"),
  ]);
  const path = findConfig(".");
  return path === undefined ? undefined : await readConfig(path, command, terminal);
}

/** The commands that work on the agent of a configuration. */
export function configurableCommands(commands: readonly ListedCommand[]): readonly ListedCommand[] {
  return commands.filter(({ name }) => SECTIONS.includes(name));
}

const NAMES: { readonly [Key in SectionKey]: string } = {
  run: "run",
  chat: "chat",
  compare_turns: "compare-turns",
  check: "check",
  portability: "portability",
  view: "view",
  draw: "draw",
  emit: "emit",
  convert: "convert",
  generate: "generate",
  replay: "replay",
  evaluate: "evaluate",
  diagnose: "diagnose",
  attack: "attack",
  watch: "watch",
  mcp: "mcp",
  decompose: "decompose",
  snippets_list: "snippets list",
  snippets_analyse: "snippets analyse",
};

/** The commands that have a section in a configuration: those that work on its agent. */
const SECTIONS: readonly string[] = Object.values(NAMES);
