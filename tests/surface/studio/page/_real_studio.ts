import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { ownStart, ROOT } from "../../cli/_process.ts";
import { openRecorded, startChromium } from "../../reporters/html/_browser.ts";

/** The command itself. */
export const PROGRAM = join(ROOT, "src", "surface", "cli", "main.ts");

/** `callweave studio` in a process of its own, and a browser for it. */
export interface RealStudio {
  readonly address: string;
  readonly page: Page;
  /** What the page complains about, and what it loads from elsewhere. */
  readonly wrong: () => readonly string[];
}

/** Starts `callweave studio` in a folder, and opens a browser. Both end with the test. */
export async function openRealStudio(
  t: TestContext,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RealStudio> {
  const address = await startRealStudio(t, folder, args, env);
  const browser = await startChromium();
  t.after(() => browser.close());
  const { page, complaints } = await openRecorded(browser);
  return { address, page, wrong: () => complaints.filter((each) => !each.startsWith(`loads ${address}`)) };
}

/** Starts `callweave studio` in a folder, and returns its address. It ends with the test. */
export async function startRealStudio(
  t: TestContext,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [command = "", ...start] = ownStart();
  const child = spawn(command, [...start, PROGRAM, "studio", "--no-open", ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  t.after(() => child.kill("SIGTERM"));
  return await addressOf(child);
}

/** The address that `callweave studio` prints. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        out += chunk;
        const [address] = /http:\/\/127\.0\.0\.1:\d+\//.exec(out) ?? [];
        if (address !== undefined) resolve(address);
      });
    child.once("exit", (code) => reject(new Error(`callweave studio ended with ${code}: ${out}`)));
  });
}
