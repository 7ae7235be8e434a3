import { type Command, EXAMPLE, usage } from "../arguments/mod.ts";
import { follow } from "./follow.ts";
import { serveView } from "./serve.ts";

/** `callweave view`. */
export const viewCommand: Command = {
  name: "view",
  summary: "Show an agent in the browser and redraw it on every save",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      port: {
        value: "N",
        kind: { type: "number", from: 0, to: 65_535, whole: true },
        description: "Port on 127.0.0.1 (default: a free one)",
      },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
    },
  },
  notes: [
    "The page shows the picture, the findings of check, and errors. Files that SOURCE imports are watched too.",
    "Ctrl-C stops it.",
  ],
  examples: ["callweave view flow.ts", `callweave view ${EXAMPLE.format}-export.json --port 4000`],
  run: async (args, { out, signal }) => {
    const path = args.at("SOURCE");
    if (path === "-") throw usage("standard input cannot be watched", "Name a file");
    const server = await serveView(args.number("port") ?? 0);
    out(`${path} is shown at ${server.address}\n`);
    try {
      await follow({ path, exportName: args.text("export"), format: args.text("from") }, signal, server.publish);
    } finally {
      await server.close();
    }
    return 0;
  },
};
