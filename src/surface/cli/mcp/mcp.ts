import process from "node:process";
import { defined } from "../../../base/values/mod.ts";
import { CALL_SETTINGS, KIND } from "../../../document/settings/mod.ts";
import { DEFAULT_LIMITS, type McpSettings } from "../../mcp/mod.ts";
import { type Arguments, type Command, usage } from "../arguments.ts";
import { VERSION } from "../help.ts";
import type { Terminal } from "../io/mod.ts";
import { GRAPH_FLAGS, SOURCE_FLAGS } from "../run/mod.ts";
import { POLICY_FLAGS } from "../sources.ts";

/** `callweave mcp`. */
export const mcpCommand: Command = {
  name: "mcp",
  summary: "Serve the project to a coding assistant over the Model Context Protocol, on standard input and output",
  spec: {
    positionals: [
      {
        name: "SOURCE",
        description: "The agent: a module or JSON (default: source of the configuration)",
        optional: true,
      },
    ],
    flags: {
      ...SOURCE_FLAGS,
      ...POLICY_FLAGS,
      ...GRAPH_FLAGS,
      model: {
        value: "MODEL",
        description:
          "Model that the assistant may use when it asks for one; it costs money (default: none, only offline)",
      },
      "caller-model": CALL_SETTINGS["caller-model"],
      "judge-model": CALL_SETTINGS["judge-model"],
      prices: CALL_SETTINGS.prices,
      "max-cost": {
        value: "DOLLARS",
        kind: KIND.dollars,
        description: `What the assistant's runs and diagnoses may cost together (default: ${DEFAULT_LIMITS.costUsd})`,
      },
      "max-calls": {
        value: "N",
        kind: KIND.count,
        description: `Most calls of a run that the assistant starts (default: ${DEFAULT_LIMITS.calls})`,
      },
      "max-minutes": {
        value: "MINUTES",
        kind: { type: "number", above: 0, to: 1_000 },
        description: `Longest time of such a run (default: ${DEFAULT_LIMITS.minutes})`,
      },
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
    },
  },
  notes: [
    "An assistant starts it: callweave init --assistant NAME writes the entry in the assistant's configuration.",
    "The assistant reads agents and stored calls, runs scenarios, and proposes changes as patches below .callweave/proposals.",
    "It cannot change the source or deploy: a person accepts a change with callweave proposals accept NAME.",
    "Exit codes: 0 the assistant closed the connection; 2 wrong usage, or a message that is too large.",
  ],
  examples: [
    "callweave mcp",
    "callweave mcp flow.ts --scenarios scenarios.ts --model openai/gpt-5-mini --max-cost 0.5",
  ],
  run: async (args, terminal) => {
    if (args.at("SOURCE") === "-")
      throw usage("standard input is the assistant's", "Name a file, or set source in callweave.config.json");
    const { serveMcp } = await import("../../mcp/mod.ts");
    const ended = await serveMcp(settingsOf(args, terminal), {
      version: VERSION,
      folder: process.cwd(),
      env: terminal.env,
      input: process.stdin,
      output: process.stdout,
      signal: terminal.signal,
      warn: (words) => terminal.err(`warning: ${words}\n`),
    });
    return ended === "closed" ? 0 : 2;
  },
};

function settingsOf(args: Arguments, { env }: Pick<Terminal, "env">): McpSettings {
  const [source, model] = [args.at("SOURCE"), args.text("model") ?? env.CALLWEAVE_MODEL];
  const others = defined({ callerModel: args.text("caller-model"), judgeModel: args.text("judge-model") });
  return {
    ...(source === "" ? {} : { source }),
    ...(model ? { models: { model, ...others } } : {}),
    ...defined({
      exportName: args.text("export"),
      format: args.text("from"),
      db: args.text("db"),
      prices: args.text("prices"),
    }),
    scenarioFiles: [...args.texts("scenarios"), ...args.texts("tests")],
    policyFiles: args.texts("policies"),
    limits: {
      calls: args.number("max-calls") ?? DEFAULT_LIMITS.calls,
      costUsd: args.number("max-cost") ?? DEFAULT_LIMITS.costUsd,
      minutes: args.number("max-minutes") ?? DEFAULT_LIMITS.minutes,
    },
  };
}
