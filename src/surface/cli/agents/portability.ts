import { formatNamed } from "../../../../platforms/mod.ts";
import { portability } from "../../../agent/check/mod.ts";
import { loadSource } from "../../project/mod.ts";
import { type Command, EXAMPLE } from "../arguments.ts";
import { formatPortability, listStyle } from "../format/mod.ts";

/** `callweave portability`. */
export const portabilityCommand: Command = {
  name: "portability",
  summary: "Show which parts of an agent each platform represents exactly, emulates or drops",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      target: { value: "FORMAT", description: "Compare only this format; repeatable", repeats: true },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      verbose: { description: "List every part, and why it is not exact" },
      json: { description: "Print the comparison as JSON" },
    },
  },
  notes: ["Exit code 1 when a named target drops or refuses a part."],
  examples: ["callweave portability flow.ts", `callweave portability flow.ts --target ${EXAMPLE.other} --verbose`],
  run: async (args, terminal) => {
    const targets = args.texts("target");
    for (const name of targets) formatNamed(name);
    const { graph } = await loadSource(args.at("SOURCE"), terminal, {
      exportName: args.text("export"),
      format: args.text("from"),
    });
    const ported = portability(graph, targets.length === 0 ? {} : { targets });
    const style = listStyle(terminal.stdout, terminal.env);
    const text = formatPortability(ported, style, args.has("verbose"));
    terminal.out(args.has("json") ? `${JSON.stringify(ported, null, 2)}\n` : text);
    const lost = ported.flatMap(({ nodes, settings }) => [...Object.values(nodes), ...Object.values(settings)]);
    return targets.length > 0 && lost.some((state) => state === "dropped" || state === "refused") ? 1 : 0;
  },
};
