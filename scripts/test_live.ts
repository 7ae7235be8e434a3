/**
 * Tests with the vendors' own programs, as run by `npm run test:live` and CI: they are installed into a cache outside of
 * the repository. The last line counts everything. What cannot be installed is named and skipped; in CI that is a failure.
 *
 * `npm run test:live -- --install` only installs.
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { install, SOFTWARE } from "./live/installs.ts";

const CI = process.env.CI === "true";
/** A machine with other work needs 10 minutes for it. */
const LIMIT_MS = 30 * 60_000;
const TESTS = [
  "pipecat_desk",
  "livekit",
  "livekit_code",
  "livekit_room",
  "livekit_desk",
  "pipecat",
  "pipecat_flows",
  "pipecat_voice",
  "sip_programs",
  "voice_desk",
  "voice_interruptions",
  "studio_api",
].map((name) => `tests/live/${name}.ts`);

const installations = await Promise.all(SOFTWARE.map(install));
for (const { software, missing } of installations)
  if (missing !== undefined) console.log(`${software.name} is not here: ${missing}`);
if (!process.argv.includes("--install")) {
  const found = installations.filter(({ missing }) => missing === undefined);
  const folders = Object.fromEntries(found.map(({ software, folder }) => [software.variable, folder]));
  const { code, output } = await runTests(folders);
  const count = (name: string) =>
    Number([...output.matchAll(new RegExp(`^\\S* ?${name} (\\d+)`, "gm"))].at(-1)?.[1] ?? 0);
  const skipped = count("skipped");
  if (skipped > 0) console.log(`${skipped} skipped${CI ? ": CI counts a skipped test as a failure" : ""}`);
  const bad = count("fail") + count("cancelled");
  const crashed = code !== 0 && bad === 0 ? 1 : 0;
  const failed = bad + crashed + (CI ? skipped : 0);
  console.log(`\n${count("pass")} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

async function runTests(env: { readonly [name: string]: string }): Promise<{ code: number | null; output: string }> {
  return await new Promise((resolve) => {
    const args = ["--import", "tsx", "--test", "--test-reporter=spec", "--test-concurrency=1", ...TESTS];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...env },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: LIMIT_MS,
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      output += part;
      process.stdout.write(part);
    });
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code, signal) => {
      if (signal) console.log(`The tests were stopped after ${LIMIT_MS / 60_000} minutes`);
      resolve({ code, output });
    });
  });
}
