import { emit, formatNamed, type Loss } from "../../platforms/mod.ts";
import { usage } from "./arguments.ts";
import type { Command } from "./command.ts";
import { writeTextFile } from "./files.ts";
import { formatLosses } from "./format_losses.ts";
import { loadSource } from "./source.ts";

/** `callweave emit`. */
export const emitCommand: Command = {
  name: "emit",
  summary: "Write an agent for a platform",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      to: { value: "FORMAT", description: "Format to write; callweave formats lists them" },
      out: { value: "FILE", description: "Write to a file instead of standard output" },
      export: { value: "NAME", description: "Which graph, where the module exports several" },
      from: { value: "FORMAT", description: "Format of a JSON source; told by its keys if absent" },
      contract: { description: "Merge chains of nodes that need no assistant of their own (squads)" },
      env: { description: "Put the values of the environment in the place of {{env:NAME}} references" },
      json: { description: "Print { format, config, losses } instead of the config alone" },
    },
  },
  notes: ["What the platform cannot hold is said on standard error."],
  examples: ["callweave emit flow.ts --to retell --out retell.json", "callweave emit agent.json --to vapi-squad"],
  run: async (args, terminal) => {
    const target = args.text("to");
    if (target === undefined) throw usage("--to is missing", "Write --to FORMAT; callweave formats lists the formats");
    const format = formatNamed(target);
    const { graph } = await loadSource(args.at("SOURCE"), terminal, {
      exportName: args.text("export"),
      format: args.text("from"),
    });
    const { config, losses } = emit(graph, format.name, {
      ...(args.has("contract") ? { contract: true } : {}),
      ...(args.has("env") ? { env: terminal.env } : {}),
    });
    const plain = typeof config === "string" ? ended(config) : `${JSON.stringify(config, null, 2)}\n`;
    const text = args.has("json") ? `${JSON.stringify({ format: format.name, config, losses }, null, 2)}\n` : plain;
    const file = args.text("out");
    if (file === undefined) terminal.out(text);
    else await writeTextFile(file, text);
    if (losses.length > 0) terminal.err(formatLosses(format.title, losses satisfies readonly Loss[]));
    return 0;
  },
};

function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
