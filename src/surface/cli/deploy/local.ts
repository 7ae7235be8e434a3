import { type Command, usage } from "../arguments/mod.ts";

/** `callweave deploy --local`. */
export const deployLocalCommand: Command = {
  name: "deploy",
  summary: "Start local platforms that behave like Retell's and Vapi's APIs",
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
    const { retell, vapi, key } = platforms;
    if (args.has("json")) out(`${JSON.stringify({ retell, vapi, key })}\n`);
    else {
      out(`Retell  ${retell}  RETELL_API_KEY=${key}\n`);
      out(`Vapi    ${vapi}  VAPI_API_KEY=${key}\n`);
    }
    err(`try: RETELL_API_KEY=${key} npx callweave deploy plan flow.ts --to retell --base-url ${retell}\n`);
    err("Ctrl-C stops them\n");
    await new Promise<void>((stopped) => {
      if (signal.aborted) stopped();
      else signal.addEventListener("abort", () => stopped(), { once: true });
    });
    return 0;
  },
};
