import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { Database } from "./database.ts";

/** Environment variable with the folder of tau2-bench, or of its retail data. */
export const FOLDER_VARIABLE = "CALLWEAVE_TAU2";

const Action = v.object({
  name: v.string(),
  arguments: v.record(v.string(), v.unknown()),
  requestor: v.optional(v.literal("assistant"), "assistant"),
});
const Instructions = v.object({
  task_instructions: v.string(),
  reason_for_call: v.string(),
  known_info: v.nullish(v.string()),
  unknown_info: v.nullish(v.string()),
});
const Task = v.object({
  id: v.string(),
  user_scenario: v.object({ persona: v.nullish(v.string()), instructions: v.union([v.string(), Instructions]) }),
  // the retail tasks start with the database as it is
  initial_state: v.nullish(v.null()),
  evaluation_criteria: v.object({
    actions: v.nullish(v.array(Action)),
    env_assertions: v.nullish(v.pipe(v.array(v.unknown()), v.length(0))),
    communicate_info: v.nullish(v.array(v.string())),
    nl_assertions: v.nullish(v.array(v.string())),
    reward_basis: v.optional(v.array(v.picklist(["DB", "COMMUNICATE", "NL_ASSERTION"])), ["DB", "COMMUNICATE"]),
  }),
});

/** A task: who calls, and what must be true afterwards. */
export type Task = v.InferOutput<typeof Task>;
export type Action = v.InferOutput<typeof Action>;

/** The retail domain of tau2-bench. */
export interface RetailData {
  readonly folder: string;
  readonly database: Database;
  readonly policy: string;
  /** In the order of the file. */
  readonly tasks: readonly Task[];
}

/** Small data of our own in the same format. */
export const FIXTURE = fileURLToPath(new URL("./fixture/", import.meta.url));

/** The folder of the data: that of {@link FOLDER_VARIABLE}, or `../shared/tau2` beside the repository. */
export function retailFolder(): string | undefined {
  const given = process.env[FOLDER_VARIABLE];
  const roots = given ? [given] : [fileURLToPath(new URL("../../../shared/tau2/", import.meta.url))];
  const folders = roots.flatMap((root) => [
    root,
    join(root, "data", "tau2", "domains", "retail"),
    join(root, "retail"),
  ]);
  return folders.find((folder) => existsSync(join(folder, "tasks.json")));
}

/** @throws When a file is missing, or has another format: a part that nobody reads would be graded wrongly. */
export async function readRetail(folder: string): Promise<RetailData> {
  const json = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, name), "utf8"));
  return {
    folder,
    database: v.parse(Database, await json("db.json")),
    policy: await readFile(join(folder, "policy.md"), "utf8"),
    tasks: v.parse(v.array(Task), await json("tasks.json")),
  };
}

/** What the caller of a task is told. */
export function callerOf({ user_scenario: { persona, instructions } }: Task): string {
  if (typeof instructions === "string") return [persona, instructions].filter(Boolean).join("\n\n");
  const { task_instructions: how, reason_for_call: why, known_info: known, unknown_info: unknown } = instructions;
  const parts = [
    persona,
    `Why you call: ${why}`,
    known ? `What you know: ${known}` : "",
    unknown ? `What you do not know: ${unknown}` : "",
    `How you behave: ${how}`,
    "Say only what the agent asks for, and hang up when it is done, refused or transferred to a person.",
  ];
  return parts.filter(Boolean).join("\n\n");
}
