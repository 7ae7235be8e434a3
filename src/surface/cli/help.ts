import type { Command, ListedCommand, Positional } from "./arguments.ts";

/** Help for all commands, or for those of a group such as `runs`. */
export function formatOverview(commands: readonly ListedCommand[], group?: string): string {
  const calls = commands.map(({ name, usage }) => `${name} ${usage}`.trim());
  return [
    `callweave ${VERSION}: voice agents as typed graphs`,
    "",
    `Usage: callweave ${group ? `${group} ` : ""}COMMAND [options]`,
    "",
    "Commands:",
    ...columns(commands.map(({ summary }, index) => [calls[index] ?? "", summary])),
    "",
    "SOURCE is a TypeScript module that exports a graph, or any JSON that can be imported (- reads it from standard input).",
    "callweave.config.json or callweave.config.ts names a SOURCE and sets flags that are not passed.",
    "Exit codes: 0 success, 1 failed scenarios or findings, 2 wrong usage or input, 3 errors but no failure.",
    `callweave ${group ? `${group} ` : ""}COMMAND --help describes a command, callweave --version prints the version.`,
    "",
  ].join("\n");
}

/**
 * Help for one command.
 *
 * @param program The start of the command line. Default: `callweave` and the command's name.
 */
export function formatCommandHelp(
  { name, summary, spec, notes = [], examples }: Command,
  program = `callweave ${name}`,
): string {
  const places = spec.positionals.map(usageOf).join(" ");
  const flags = [
    ...Object.entries(spec.flags).map(
      ([flag, { value, description }]) => [`--${flag}${value ? ` ${value}` : ""}`, description] as const,
    ),
    ["--help", "This text"] as const,
  ];
  return [
    `${summary}.`,
    "",
    `Usage: ${[program, places, "[options]"].filter(Boolean).join(" ")}`,
    ...section("Arguments", columns(spec.positionals.map((positional) => [positional.name, positional.description]))),
    ...section("Options", columns(flags)),
    ...section(
      "Notes",
      notes.map((note) => `  ${note}`),
    ),
    ...section(
      "Examples",
      examples.map((example) => `  ${example}`),
    ),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? ["", `${title}:`, ...lines] : [];
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

/** Whether an argument asks for help. */
export function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h" || argument === "help";
}

/**
 * Whether the arguments of a command ask for its help. `help` without dashes counts only in the first place, as it may
 * be a value.
 */
export function asksForHelp(args: readonly string[]): boolean {
  return args.some((argument, index) => isHelp(argument) && (argument !== "help" || index === 0));
}

function usageOf({ name, optional, repeats }: Positional): string {
  const shown = repeats ? `${name}...` : name;
  return optional ? `[${shown}]` : shown;
}

/** The package's version; a test compares it with package.json. */
export const VERSION = "0.1.0";

/** The version of TypeScript in the projects that `callweave init` writes; a test compares it with package.json. */
export const TYPESCRIPT_VERSION = "7.0.2";
