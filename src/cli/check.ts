import { formatNamed } from "../../platforms/mod.ts";
import { check } from "../check.ts";
import type { Command } from "./command.ts";
import { formatFindings } from "./format_losses.ts";
import { loadSource } from "./source.ts";

/** `callweave check`. */
export const checkCommand: Command = {
  name: "check",
  summary: "Say what is wrong with an agent, and what a platform cannot hold",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      target: { value: "FORMAT", description: "Also say what this format refuses or cannot hold" },
      export: { value: "NAME", description: "Which graph, where the module exports several" },
      from: { value: "FORMAT", description: "Format of a JSON source; told by its keys if absent" },
      json: { description: "Print the findings as JSON" },
    },
  },
  notes: ["Exit code 1 when a finding is an error."],
  examples: ["callweave check flow.ts", "callweave check flow.ts --target vapi-squad --json"],
  run: async (args, terminal) => {
    const target = args.text("target");
    if (target !== undefined) formatNamed(target);
    const { graph } = await loadSource(args.at("SOURCE"), terminal, {
      exportName: args.text("export"),
      format: args.text("from"),
    });
    const findings = check(graph, target === undefined ? {} : { target });
    terminal.out(args.has("json") ? `${JSON.stringify(findings, null, 2)}\n` : formatFindings(findings));
    return findings.some(({ severity }) => severity === "error") ? 1 : 0;
  },
};
