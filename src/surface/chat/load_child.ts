/** The process that `followAgent()` starts for each save: it loads the agent, sends its document, and waits to be stopped. */
import process from "node:process";
import { formatError } from "../../base/values/mod.ts";
import { loadSource } from "../project/mod.ts";
import type { Loaded, LoadRequest } from "./follow_agent.ts";

process.on("message", async (request: LoadRequest) => process.send?.(await load(request)));
process.on("disconnect", () => process.exit());

async function load({ path, exportName, format }: LoadRequest): Promise<Loaded> {
  try {
    const terminal = { env: process.env, input: async () => "" };
    const { graph } = await loadSource(path, terminal, { exportName, format });
    return { graph };
  } catch (error) {
    return { error: formatError(error).trim() };
  }
}
