/** The process that `followAgent()` starts for each save: it loads the agent, sends its document, and waits to be stopped. */
import process from "node:process";
import { formatError } from "../../base/values/mod.ts";
import { endWithParent, loadSource } from "../project/mod.ts";
import type { Loaded, LoadRequest } from "./follow_agent.ts";

const watched = endWithParent();
process.on("message", async (request: LoadRequest) => {
  await watched;
  process.send?.(await load(request));
});

async function load({ path, exportName, format }: LoadRequest): Promise<Loaded> {
  try {
    const terminal = { env: process.env, input: async () => "" };
    const { graph } = await loadSource(path, terminal, { exportName, format });
    return { graph };
  } catch (error) {
    return { error: formatError(error).trim() };
  }
}
