import type { ExitCode, ListedCommand } from "./arguments.ts";
import { COMMANDS } from "./commands/mod.ts";
import { configDefaults } from "./config/mod.ts";
import { asksForHelp, formatCommandHelp, formatOverview, isHelp } from "./help.ts";
import { safeTerminal, type Terminal } from "./io/mod.ts";
import { quickAnswer } from "./quick_answer.ts";

/**
 * Runs a command line. Never throws; prints an error as one line to standard error.
 *
 * @param argv Without the runtime and the script.
 */
export async function runCli(argv: readonly string[], terminalInput: Terminal): Promise<ExitCode> {
  const terminal = safeTerminal(terminalInput);
  try {
    const code = await dispatch(argv, terminal);
    await terminal.flush();
    return code;
  } catch (error) {
    await tellError(error, terminal);
    return exitCodeFor(error);
  }
}

/** Failures of a deployed agent's server that may be over at the next try: they say nothing of the command. */
const PASSING: readonly unknown[] = ["throttled", "vendor", "unreachable", "silence", "ended-early"];

/** The exit code of a command that threw: 3 if an agent could not be reached, else 2. */
function exitCodeFor(error: unknown): ExitCode {
  const isPassing = error instanceof Error && "kind" in error && PASSING.includes(error.kind);
  return isPassing && "code" in error && error.code === "connection-failed" ? 3 : 2;
}

/** Writes an error to standard error: one line, and with CALLWEAVE_DEBUG the stack. */
export async function tellError(error: unknown, { err, env }: Pick<Terminal, "err" | "env">): Promise<void> {
  const { formatError, formatStack } = await import("../../base/values/mod.ts");
  err(formatError(error));
  if (env.CALLWEAVE_DEBUG && error instanceof Error) err(formatStack(error));
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first = "", second = ""] = argv;
  const answer = quickAnswer(argv);
  if (answer !== undefined) {
    terminal.out(`${answer}\n`);
    return 0;
  }
  if (first === "") {
    terminal.out(formatOverview(COMMANDS));
    return 2;
  }
  const words = [3, 2].find((count) => COMMANDS.some(({ name }) => name === argv.slice(0, count).join(" "))) ?? 1;
  const listed = COMMANDS.find(({ name }) => name === argv.slice(0, words).join(" "));
  if (!listed || isGroupCall(listed, second, words)) return await group(argv, terminal);

  const command = await listed.load();
  const rest = argv.slice(words);
  const end = rest.indexOf("--");
  if (asksForHelp(rest.slice(0, end < 0 ? undefined : end))) {
    terminal.out(formatCommandHelp(command));
    return 0;
  }
  const { readArguments } = await import("./arguments.ts");
  const defaults = await configDefaults(command, terminal);
  return await command.run(await readArguments(rest, command.spec, command.name, defaults), terminal);
}

/**
 * Whether the name of a group of commands, such as `deploy`, was called alone or with an unknown subcommand. A group that
 * takes an argument itself, such as `studio [SOURCE]`, is one only with the first word of a subcommand.
 */
function isGroupCall({ name: group, usage }: ListedCommand, second: string, words: number): boolean {
  const members = COMMANDS.filter(({ name }) => name.startsWith(`${group} `)).map(({ name }) => name.split(" ")[1]);
  if (words > 1 || members.length === 0 || second.startsWith("-")) return false;
  return usage === "" || members.includes(second);
}

/** Handles `callweave runs` and `callweave runs baseline --help`; throws for unknown commands. */
async function group(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const membersOf = (words: number) =>
    COMMANDS.filter(({ name }) => name.startsWith(`${argv.slice(0, words).join(" ")} `));
  const words = argv.length > 1 && membersOf(2).length > 0 ? 2 : 1;
  const [members, title] = [membersOf(words), argv.slice(0, words).join(" ")];
  const own = COMMANDS.filter(({ name }) => name === title);
  const next = argv[words] ?? "";
  if (members.length > 0 && (next === "" || isHelp(next))) {
    terminal.out(formatOverview([...own, ...members], title));
    return next === "" ? 2 : 0;
  }
  throw await unknownCommand(members.length > 0 ? `${title} ${next}` : title, COMMANDS);
}

async function unknownCommand(name: string, commands: readonly ListedCommand[]) {
  const [{ usage }, { nearestName }] = await Promise.all([
    import("./arguments.ts"),
    import("../../base/values/mod.ts"),
  ]);
  const groups = new Set(commands.flatMap((command) => command.name.match(/^\S+(?= )/) ?? []));
  const nearest = nearestName(name, [...commands.map((command) => command.name), ...groups]);
  if (name.startsWith("-")) return usage(`there is no flag ${name} before a command`, "See callweave --help");
  return usage(
    `there is no command "${name}"`,
    nearest ? `Did you mean "callweave ${nearest}"?` : "See callweave --help",
  );
}
