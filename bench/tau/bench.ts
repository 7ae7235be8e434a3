import { writeFile } from "node:fs/promises";
import { type BenchOptions, type Figure, sized } from "../figure.ts";
import { databaseHash } from "./database.ts";
import { tauMessages } from "./messages.ts";
import { passHats } from "./pass_hat.ts";
import { type GradedTrial, recordedScript, runScript, runTasks } from "./simulate.ts";
import { FIXTURE, FOLDER_VARIABLE, type RetailData, readRetail, retailFolder } from "./tasks.ts";

/** Calls of each task with a model. */
const TRIALS = 4;

/**
 * The retail tasks of tau2-bench. Without a model, a scripted agent takes the recorded actions of each task, and each has
 * the reward 1. With one, pass^k of the model.
 */
export async function bench(options: BenchOptions): Promise<readonly Figure[]> {
  const { tasks: count = Number.POSITIVE_INFINITY, save, model } = options;
  const data = await readRetail(sized(1, 0) === 1 ? folderOf() : FIXTURE);
  const tasks = data.tasks.slice(0, count);
  const part = { ...data, tasks };
  const trials = model === undefined ? await recorded(part) : await played(part, model, options);
  if (save !== undefined)
    await writeFile(save, trials.map((trial) => `${JSON.stringify(savedCall(trial))}\n`).join(""));
  const against = `${tasks.length} tasks of ${data.folder === FIXTURE ? "the fixture" : "tau2-bench retail"}`;
  const failed = trials.filter(({ reward }) => reward?.reward !== 1);
  if (model === undefined) {
    for (const { task, reward } of failed) console.error(`Task ${task}: ${JSON.stringify(reward)}`);
    return [
      { name: "tau_recorded_tasks", value: trials.length, unit: "tasks", against },
      { name: "tau_recorded_failed", value: failed.length, unit: "tasks", against, bound: 0 },
    ];
  }
  const graded = trials.filter(({ reward }) => reward);
  const unjudged = graded.filter(({ reward }) => (reward?.unjudged.length ?? 0) > 0);
  const all = `${model} on ${against}, ${graded.length} calls`;
  const database = graded.filter(({ reward }) => reward?.parts.DB === 1).length / Math.max(1, graded.length);
  return [
    ...passHats(trials).flatMap(({ k, value, low, high, tasks: of }): readonly Figure[] => [
      { name: `tau_pass_hat_${k}`, value, unit: "share", against: `${all}, ${of} tasks with ${k} calls` },
      { name: `tau_pass_hat_${k}_low`, value: low, unit: "share", against: "95 % interval" },
      { name: `tau_pass_hat_${k}_high`, value: high, unit: "share", against: "95 % interval" },
    ]),
    { name: "tau_database_right", value: database, unit: "share", against: all },
    { name: "tau_errors", value: trials.length - graded.length, unit: "calls", against: "calls that do not count" },
    { name: "tau_unjudged", value: unjudged.length, unit: "calls", against: "calls with a part that nobody judged" },
  ];
}

function folderOf(): string {
  const folder = retailFolder();
  if (folder !== undefined) return folder;
  console.error(
    `There are no data of tau2-bench: set ${FOLDER_VARIABLE} to its folder, or put it at ../shared/tau2. The tasks of bench/tau/fixture are run instead.`,
  );
  return FIXTURE;
}

async function recorded(data: RetailData): Promise<readonly GradedTrial[]> {
  const trials: GradedTrial[] = [];
  const before = databaseHash(data.database);
  for (const task of data.tasks) trials.push(await runScript(data, task, recordedScript(task)));
  if (databaseHash(data.database) !== before) throw new Error("A call has changed the database of the others");
  return trials;
}

async function played(data: RetailData, model: string, options: BenchOptions): Promise<readonly GradedTrial[]> {
  const caller = options.callerModel ?? model;
  const models = { agent: model, caller, judge: caller };
  return await runTasks(data, data.tasks, { models, trials: options.trials ?? TRIALS, judgesWords: true });
}

/** A call with its messages as tau2-bench has them. */
function savedCall({ task, trial, reward, result }: GradedTrial): object {
  const { endReason, errorMessage, transcript } = result;
  return { task_id: task, trial, ...reward, endReason, errorMessage, messages: tauMessages(transcript) };
}
