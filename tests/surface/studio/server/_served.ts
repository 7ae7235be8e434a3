import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { createStudioClient, type StudioClient } from "../../../../src/surface/studio/api/client.ts";
import { ownStart, ROOT } from "../../cli/_process.ts";

/** `callweave serve` in a process of its own. */
export interface ServedStudio {
  readonly child: ChildProcess;
  readonly studio: StudioClient;
}

/** Starts `callweave serve flow.ts` in a folder, with its configuration if it has one. */
export async function serve(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<ServedStudio> {
  const [command = "", ...before] = ownStart();
  const argv = [...before, join(ROOT, "src/surface/cli/main.ts"), "serve", "flow.ts", "--model", "offline"];
  const child = spawn(command, argv, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout?.on("data", (data) => {
      out += data;
      const found = /http:\S+\/(?=api\/v1)/.exec(out);
      if (found) resolve(found[0]);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { child, studio: createStudioClient({ url: address, pausesMs: [10, 50] }) };
}

/** Resolves when a process has ended. */
export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
    child.once("exit", resolve);
  });
}
