import { pythonIn } from "../../scripts/live/installs.ts";
import { freePort, listens, startProgram } from "./_programs.ts";

/** A bot's script, and the Python that runs it. */
export interface BotOptions {
  /** Folder of the installed Pipecat. */
  readonly software: string;
  readonly script: string;
  readonly env: { readonly [name: string]: string };
}

/** Starts a bot of Pipecat's development runner on a free port, and waits until it listens. */
export async function startBot({ software, script, env }: BotOptions) {
  const port = await freePort();
  const bot = startProgram(pythonIn(software), [script, "--host", "127.0.0.1", "--port", String(port)], env);
  await bot.until(() => listens(port), "it does not listen");
  return { url: `ws://127.0.0.1:${port}/ws`, [Symbol.asyncDispose]: bot.stop };
}
