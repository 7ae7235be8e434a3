import { PLATFORMS, type PlatformFacts } from "../../../../platforms/mod.ts";
import { type Command, usage } from "../arguments.ts";

/** Platforms that have a local server. */
const LOCAL = Object.values<PlatformFacts>(PLATFORMS).filter(({ deploy }) => deploy?.local);

/** `callweave deploy --local`. */
export const deployLocalCommand: Command = {
  name: "deploy",
  summary: `Start local platforms that behave like the APIs of ${LOCAL.map(({ title }) => title).join(" and ")}`,
  spec: {
    positionals: [],
    flags: {
      local: { description: "Start them on 127.0.0.1, until Ctrl-C" },
      lenient: { description: "Accept keys and choices that the published schemas lack (default)" },
      "strict-schema": { description: "Reject keys and choices that the published schemas lack" },
      json: { description: "Print their URLs and their key as JSON" },
    },
  },
  notes: ["They keep everything in memory, and need no account. callweave deploy lists the other commands."],
  examples: ["callweave deploy --local"],
  run: async (args, { out, err, signal }) => {
    if (!args.has("local")) throw usage("--local is missing", "Write callweave deploy --local, or deploy plan|apply");
    const strictSchema = args.has("strict-schema");
    if (strictSchema && args.has("lenient"))
      throw usage("--lenient and --strict-schema exclude each other", "Pass one of them");
    const { startLocalPlatforms } = await import("../../../deploy/mod.ts");
    await using platforms = await startLocalPlatforms({ strictSchema });
    const { key } = platforms;
    const urls = new Map<string, unknown>(Object.entries(platforms));
    const served = LOCAL.map((facts) => ({ ...facts, url: urls.get(facts.name) }));
    if (args.has("json"))
      out(`${JSON.stringify({ ...Object.fromEntries(served.map(({ name, url }) => [name, url])), key })}\n`);
    else {
      const width = Math.max(...served.map(({ title }) => title.length));
      for (const { title, url, connection } of served)
        out(`${title.padEnd(width)}  ${url}  ${connection.keyVariable}=${key}\n`);
    }
    for (const { name, url, connection } of served.slice(0, 1))
      err(`try: ${connection.keyVariable}=${key} npx callweave deploy plan flow.ts --to ${name} --base-url ${url}\n`);
    err("Ctrl-C stops them\n");
    await new Promise<void>((stopped) => {
      if (signal.aborted) stopped();
      else signal.addEventListener("abort", () => stopped(), { once: true });
    });
    return 0;
  },
};
