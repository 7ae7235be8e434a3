import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, RUNTIMES, runProgram } from "../../tests/surface/cli/_process.ts";
import { type Figure, sized } from "../figure.ts";

/** In the small form: a file that takes a second. */
const SMALL = "tests/base/values/pair_equal_test.ts";
/** Names by which a test file gets the number of its generated cases. */
const GENERATES = /from "[./]+\/(?:fast_check|properties|visits)\.ts"/;
/** A property whose cases all run. */
const LIMIT_MS = 1_800_000;

/** Runs the tests with generated cases on all of their cases, on Bun; `npm test` runs a quarter of them there. */
export async function bench(): Promise<readonly Figure[]> {
  const files = readdirSync(join(ROOT, "tests"), { recursive: true, encoding: "utf8" })
    .map((name) => `tests/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith("_test.ts") && GENERATES.test(readFileSync(join(ROOT, name), "utf8")))
    .sort();
  const chosen = sized(1, 0) === 1 ? files : [SMALL];
  const [bun = "bun"] = RUNTIMES.bun ?? [];
  const args = ["test", "--timeout", String(LIMIT_MS), ...chosen.map((file) => `./${file}`)];
  const { code, out, err } = await runProgram(bun, args, { env: { CALLWEAVE_SHARE: "1" }, limitMs: 4 * LIMIT_MS });
  const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(err)?.[1] ?? 0);
  const [passed, failed] = [count("pass"), count("fail")];
  if (failed > 0 || code !== 0 || passed === 0) console.error(`${out}${err}`);
  const against = `${chosen.length} files of tests with generated cases, on all of their cases`;
  return [
    { name: "properties_passed", value: passed, unit: "tests", against },
    {
      name: "properties_failed",
      value: passed === 0 ? 1 : failed + (failed === 0 && code !== 0 ? 1 : 0),
      unit: "tests",
      against,
      bound: 0,
    },
  ];
}
