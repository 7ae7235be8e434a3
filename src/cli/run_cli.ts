import { readArguments, usage } from "./arguments.ts";
import type { ExitCode, ListedCommand } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { formatError } from "./format_error.ts";
import { formatCommandHelp, formatOverview } from "./help.ts";
import type { Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

/**
 * Runs a command line. Never throws: what goes wrong is one line on standard error.
 *
 * @param argv Without the runtime and the script.
 */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await dispatch(argv, terminal);
  } catch (error) {
    terminal.err(formatError(error));
    if (terminal.env.CALLWEAVE_DEBUG && error instanceof Error) terminal.err(`${error.stack}\n`);
    return 2;
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first = "", second = ""] = argv;
  if (first === "--version" || first === "-v") {
    terminal.out(`${VERSION}\n`);
    return 0;
  }
  if (first === "" || isHelp(first)) {
    terminal.out(formatOverview(COMMANDS));
    return first === "" ? 2 : 0;
  }
  const words = COMMANDS.some(({ name }) => name === `${first} ${second}`) ? 2 : 1;
  const listed = COMMANDS.find(({ name }) => name === argv.slice(0, words).join(" "));
  if (!listed) return await group(first, second, terminal);

  const command = await listed.load();
  const rest = argv.slice(words);
  const end = rest.indexOf("--");
  if (rest.slice(0, end < 0 ? undefined : end).some(isHelp)) {
    terminal.out(formatCommandHelp(command));
    return 0;
  }
  return await command.run(await readArguments(rest, command.spec, command.name), terminal);
}

/** `callweave runs` and `callweave runs --help`; everything else there is no command for. */
async function group(first: string, second: string, terminal: Terminal): Promise<ExitCode> {
  const members = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (members.length > 0 && (second === "" || isHelp(second))) {
    terminal.out(formatOverview(members, first));
    return second === "" ? 2 : 0;
  }
  throw await unknownCommand(members.length > 0 ? `${first} ${second}` : first, COMMANDS);
}

async function unknownCommand(name: string, commands: readonly ListedCommand[]) {
  const { nearestName } = await import("../graph/mod.ts");
  const nearest = nearestName(name, [...commands.map((command) => command.name), "runs"]);
  return usage(
    `there is no command "${name}"`,
    nearest ? `Did you mean "callweave ${nearest}"?` : "See callweave --help",
  );
}

function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h" || argument === "help";
}
