/**
 * `npm run bench -- NAME…` runs the named benches, `npm run bench` all of them. Prints one JSON line per figure. The exit
 * code is 1 if a figure exceeds its bound, or a bench fails. `--small` runs a few cases of each; `npm test` does so. `--model`,
 * `--caller-model`, `--trials`, `--tasks` and `--save` are for `tau`, see `docs/tau-bench.md`.
 */
import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Bench, benchSmall, runBench } from "./figure.ts";

const text = { type: "string" } as const;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: "boolean" },
    ...{ model: text, "caller-model": text, trials: text, tasks: text, save: text },
  },
});
const { model, "caller-model": callerModel, save } = values;
const [trials, tasks] = [values.trials, values.tasks].map((given) => (given === undefined ? undefined : Number(given)));
if ([trials, tasks].some((count) => count !== undefined && !(Number.isInteger(count) && count > 0))) {
  console.error("Cannot run benches: --trials and --tasks are whole numbers from 1");
  process.exit(2);
}
if (values.small) benchSmall();
const folders = (await readdir(new URL(".", import.meta.url), { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();
const unknown = positionals.filter((name) => !folders.includes(name));
if (unknown.length > 0) {
  console.error(`Cannot run bench "${unknown.join('", "')}": there are ${folders.join(", ")}`);
  process.exit(2);
}

let isGood = true;
for (const name of positionals.length > 0 ? positionals : folders) {
  const { bench }: { readonly bench: Bench } = await import(`./${name}/bench.ts`);
  if (!(await runBench(name, bench, console.log, { model, callerModel, trials, tasks, save }))) isGood = false;
}
process.exitCode = isGood ? 0 : 1;
