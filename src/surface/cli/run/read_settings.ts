import type { AgentGraph } from "../../../document/graph/mod.ts";
import {
  isOfKind,
  parseRunSettings,
  RUN_SETTINGS,
  type RunSettings,
  type Setting,
  settingKey,
  valueKindOf,
} from "../../../document/settings/mod.ts";
import type { RunOptions } from "../../../run/runner/mod.ts";
import { runOptionsFrom, type Wording } from "../../project/mod.ts";
import { type Arguments, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

/** The wording for a command line: `--repeat 3`. */
const OF_FLAGS: Wording = {
  written: (name, value) => (value === undefined ? `--${name}` : `--${name} ${value}`),
  problem: usage,
};

/**
 * Reads the settings of a run from the arguments: the flags, then the environment, then the configuration.
 *
 * @throws {UsageError} `usage`.
 */
export function readRunSettings(args: Arguments): RunSettings {
  const values = Object.entries(RUN_SETTINGS).flatMap(([name, setting]) => {
    const value = readSetting(name, setting, args);
    return value === undefined ? [] : [[settingKey(name), value] as const];
  });
  return parseRunSettings(Object.fromEntries(values));
}

/** Reads the options of a run from the flags, except recordings and the queue. */
export async function readRunOptions(
  { graph, name }: { readonly graph: AgentGraph; readonly name: string },
  args: Arguments,
  { env, signal }: Pick<Terminal, "env" | "signal">,
): Promise<RunOptions> {
  const model = graph.default_model;
  return await runOptionsFrom(readRunSettings(args), { env, signal, agent: { name, model }, wording: OF_FLAGS });
}

/**
 * The value of a flag with a fixed set of values.
 *
 * @throws {UsageError} `usage`.
 */
export function readChoice<Choice extends string>(
  args: Arguments,
  flag: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = args.text(flag);
  const choice = choices.find((each) => each === text);
  if (text !== undefined && choice === undefined) {
    throw usage(`--${flag} is "${text}"`, `Write --${flag} ${choices.join("|")}`);
  }
  return choice;
}

function readSetting(name: string, setting: Setting, args: Arguments): string | number | true | undefined {
  const kind = valueKindOf(setting);
  switch (kind.type) {
    case "switch":
      return args.has(name) || undefined;
    case "choice":
      return readChoice(args, name, kind.choices);
    case "number": {
      const text = args.text(name);
      return text !== undefined && text === kind.or && isOfKind(text, kind) ? text : args.number(name);
    }
    case "text":
      return args.text(name);
  }
}
