import { formats } from "../../../../platforms/mod.ts";
import type { Command } from "../arguments.ts";

/** `callweave formats`. */
export const formatsCommand: Command = {
  name: "formats",
  summary: "List the formats that can be imported and emitted",
  spec: { positionals: [], flags: { json: { description: "Print the list as JSON" } } },
  examples: ["callweave formats --json"],
  run: async (args, terminal) => {
    const list = formats();
    if (args.has("json")) {
      terminal.out(`${JSON.stringify(list, null, 2)}\n`);
      return 0;
    }
    const width = Math.max(...list.map(({ name }) => name.length));
    for (const { name, title, imports, emits } of list) {
      const can = [imports ? "import" : "", emits ? "emit" : ""].filter(Boolean).join(", ");
      terminal.out(`${name.padEnd(width)}  ${can.padEnd(12)}  ${title}\n`);
    }
    return 0;
  },
};
