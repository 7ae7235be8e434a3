import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type DeployPlan,
  type DeployTarget,
  listSnapshots,
  plan,
  requireReviewedPlan,
  rollback,
} from "../../src/deploy/mod.ts";
import { readIntent, writeIntent } from "../../src/deploy/state/intent.ts";
import { statePath } from "../../src/deploy/state/lock_file.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";

/** An agent in an environment, on a platform and a machine. */
export interface Party {
  readonly target: DeployTarget & { readonly folder: string; readonly environment: string; readonly flow: string };
  readonly graph: AgentGraph;
}

/** The first key in which two parties differ; files of one are refused for the other because of it. */
export function difference(one: Party, other: Party): "platform" | "flow" | "environment" | "machine" | undefined {
  const [a, b] = [placeOf(one), placeOf(other)];
  const key = (["platform", "flow", "environment"] as const).find((each) => a[each] !== b[each]);
  return key ?? (one.target.folder === other.target.folder ? undefined : "machine");
}

export function placeOf({ target: { to, environment, flow } }: Party) {
  return { environment, flow, platform: to.replace(/-.*/, "") };
}

/** Puts every file that belongs to `owner` where the one of `user` is: each is refused, and nothing is written. */
export async function refusesFilesOf(
  owner: Party,
  user: Party,
  plans: ReadonlyMap<Party, DeployPlan> = new Map(),
): Promise<void> {
  const path = [difference(owner, user)];
  const wrong = { code: "wrong-place", path };
  for (const { path: snapshot } of await listSnapshots(owner.target))
    await assert.rejects(rollback(snapshot, user.target), wrong, "a snapshot");

  const [from, at] = [owner, user].map((party) => statePath(party.target.folder, placeOf(party), "json"));
  await instead(from, at, () => assert.rejects(plan(user.graph, user.target), wrong, "the state"));

  const intent = { address: "agent", kind: "agent", known: [], body: {} };
  await writeIntent(owner.target.folder, placeOf(owner), intent);
  const [begun, here] = [owner, user].map((party) => statePath(party.target.folder, placeOf(party), "intent.json"));
  await instead(begun, here, () => assert.rejects(readIntent(user.target.folder, placeOf(user)), wrong, "an intent"));
  await rm(begun ?? "");

  const [reviewed, now] = [plans.get(owner), plans.get(user)];
  if (!reviewed || !now) return;
  const code = path[0] === "machine" ? "plan-outdated" : "wrong-place"; // plans are made to be sent to another machine
  assert.throws(() => requireReviewedPlan(now, JSON.parse(JSON.stringify(reviewed))), { code }, "a plan");
}

/** The lock file's entry of `owner` at the place of `user`: refused, for one agent would overwrite the other. */
export async function refusesEntryOf(owner: Party, user: Party): Promise<void> {
  const [theirs, ours] = [owner, user].map((party) => join(party.target.folder, "callweave.lock.json"));
  const text = await readFile(ours ?? "", "utf8");
  const { environments } = JSON.parse(await readFile(theirs ?? "", "utf8"));
  const [from, at] = [placeOf(owner), placeOf(user)];
  const lock = JSON.parse(text);
  lock.environments[at.environment][at.flow][at.platform] = environments[from.environment][from.flow][from.platform];
  await writeFile(ours ?? "", JSON.stringify(lock));
  try {
    await assert.rejects(plan(user.graph, user.target), { code: "lock-file" }, "the lock file");
  } finally {
    await writeFile(ours ?? "", text);
  }
}

/** Runs a check while a file is in the place of another one. */
async function instead(from = "", at = "", check: () => Promise<void>): Promise<void> {
  const before = await readFile(at, "utf8").catch(() => undefined);
  if (!existsSync(from)) return; // another machine has none
  await mkdir(dirname(at), { recursive: true });
  await copyFile(from, at);
  try {
    await check();
  } finally {
    await (before === undefined ? rm(at) : writeFile(at, before));
  }
}
