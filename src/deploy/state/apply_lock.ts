import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { DeployError } from "../../base/errors.ts";
import { checkWritable, createFile, makeFolder, withLock } from "../../base/files/mod.ts";
import { errorCode, isRecord, parsedJson } from "../../base/values/mod.ts";
import type { DeployScope } from "../target/mod.ts";
import { LOCK_FILE } from "./lock_file.ts";
import { readStateFile, statePath, whileWriting, writeStateFile } from "./owned_file.ts";

/**
 * Runs work while no other process of this machine applies the same agent. A lock left by a killed process is taken
 * over at once.
 *
 * @throws {DeployError} `apply-running` with the process that holds the lock; `lock-file` or `state-file` if what is done could
 * not be recorded.
 */
export async function whileApplying<Result>(
  folder: string,
  place: DeployScope,
  work: () => Promise<Result>,
): Promise<Result> {
  const path = statePath(folder, place, "applying");
  const token = JSON.stringify({ host: hostname(), pid: process.pid, id: randomUUID() });
  const take = async () => {
    await makeFolder(dirname(path));
    return await createFile(path, token, 0o600);
  };
  while (!(await whileWriting(path, take))) await removeAbandoned(path, place);
  try {
    await checkRecords(folder, place);
    return await work();
  } finally {
    if ((await readStateFile(path)) === token) await writeStateFile(path, undefined);
  }
}

/** What is done on the platform has to be recorded: nothing is sent while that is impossible. */
async function checkRecords(folder: string, place: DeployScope): Promise<void> {
  const lock = join(folder, LOCK_FILE);
  await whileWriting(lock, () => checkWritable(lock), "lock-file");
  const state = statePath(folder, place, "json");
  await whileWriting(state, () => checkWritable(state));
}

async function removeAbandoned(path: string, { environment, flow }: DeployScope): Promise<void> {
  const content = await readStateFile(path);
  if (content === undefined) return; // released in the meantime
  const holder = holderOf(content);
  if (holder === undefined || holder.host !== hostname() || isAlive(holder.pid)) {
    throw new DeployError(`Cannot apply: another process is applying "${flow}" to ${environment}`, {
      code: "apply-running",
      hint: holder
        ? `Wait for process ${holder.pid} on ${holder.host}; if it no longer runs, remove ${path}`
        : `If none is, remove ${path}`,
    });
  }
  const remove = async () => {
    // another process may have removed it in the meantime, and taken the lock
    if ((await readStateFile(path)) === content) await writeStateFile(path, undefined);
  };
  await whileWriting(path, () => withLock(path, remove));
}

function holderOf(content: string): { readonly host: string; readonly pid: number } | undefined {
  const holder = parsedJson(content);
  return isRecord(holder) && typeof holder.host === "string" && typeof holder.pid === "number"
    ? { host: holder.host, pid: holder.pid }
    : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
