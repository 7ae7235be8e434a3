/**
 * The process that a tool is run in: it loads the project's code as it is now, sends its answer, and waits to be stopped.
 * If it ended by itself, its end could be noticed before its answer.
 */
import process from "node:process";
import { isRecord } from "../../base/values/mod.ts";
import { endWithParent } from "../project/mod.ts";
import { answerText, errorText } from "./answer.ts";
import type { ChildMessage, ToolRequest } from "./run_tool.ts";
import { TOOLS } from "./tools/mod.ts";

const controller = new AbortController();
const watched = endWithParent();
process.on("message", async (message) => {
  if (message === "cancel") return controller.abort();
  if (!isRecord(message)) return;
  await watched;
  const answer = await answerTo(message as unknown as ToolRequest); // of run_tool.ts
  process.send?.(answer, undefined, undefined, () => {});
});

async function answerTo({ tool: name, input, settings, folder, costUsd }: ToolRequest): Promise<ChildMessage> {
  const { env } = process;
  const send = (message: ChildMessage) => void process.send?.(message, undefined, undefined, () => {});
  try {
    const tool = TOOLS.find((each) => each.name === name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    const answer = await tool.run(input, {
      settings,
      folder,
      env,
      costUsd,
      signal: controller.signal,
      onProgress: (done, of, words) => send({ kind: "progress", done, of, words }),
      onCost: (cost) => send({ kind: "cost", costUsd: cost }),
    });
    return { kind: "answer", text: answerText(name, isRecord(input) ? input : {}, answer, env) };
  } catch (error) {
    return { kind: "error", text: errorText(error, env) };
  }
}
