import { formatNamed } from "../../../platforms/mod.ts";
import { check } from "../../check.ts";
import type { Command } from "../arguments/mod.ts";
import { formatFindings, listStyle } from "../format/mod.ts";
import { loadSource } from "../sources/mod.ts";

/** `callweave check`. */
export const checkCommand: Command = {
  name: "check",
  summary: "Check an agent, and what a platform cannot express",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      target: { value: "FORMAT", description: "Also check against this format: what it refuses or cannot express" },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      verbose: { description: "List every place, and all hints" },
      json: { description: "Print the findings as JSON" },
    },
  },
  notes: [
    "An imported agent is also checked against the rules of its platform.",
    "Exit code 1 when a finding is an error.",
  ],
  examples: ["callweave check flow.ts", "callweave check flow.ts --target vapi-squad --json"],
  run: async (args, terminal) => {
    const target = args.text("target");
    if (target !== undefined) formatNamed(target);
    const { graph } = await loadSource(args.at("SOURCE"), terminal, {
      exportName: args.text("export"),
      format: args.text("from"),
    });
    const findings = check(graph, target === undefined ? {} : { target });
    const style = listStyle(terminal.stdout, terminal.env);
    const text = formatFindings(findings, style, args.has("verbose"));
    terminal.out(args.has("json") ? `${JSON.stringify(findings, null, 2)}\n` : text);
    return findings.some(({ severity }) => severity === "error") ? 1 : 0;
  },
};
