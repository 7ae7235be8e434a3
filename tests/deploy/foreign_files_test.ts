import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  apply,
  type DeployPlan,
  deleteDeployed,
  drift,
  listSnapshots,
  plan,
  promote,
  pull,
  rollback,
} from "../../src/deploy/mod.ts";
import { statePath } from "../../src/deploy/state/lock_file.ts";
import { someOf } from "../fast_check.ts";
import { difference, type Party, placeOf, refusesEntryOf, refusesFilesOf } from "./foreign_files.ts";
import { shop } from "./shop.ts";
import { World } from "./world.ts";

/** Two flows in two environments of a world, each with a snapshot. */
async function partiesIn(world: World): Promise<readonly Party[]> {
  const parties = ["shop", "lamps"].flatMap((flow) =>
    ["staging", "production"].map((environment) => {
      const target = { ...world.target(environment), folder: world.folder, environment, flow };
      return { target, graph: shop({ greet: `${flow} in ${environment}.` }) };
    }),
  );
  for (const { target, graph } of parties) {
    await apply(await plan(shop(), target));
    await apply(await plan(graph, target));
  }
  return parties;
}

test("files of another flow, environment, platform or machine are refused in every pairing", async () => {
  await using one = await World.open("retell");
  await using two = await World.open("retell", 2);
  await using three = await World.open("vapi-squad", 3);
  const parties = [...(await partiesIn(one)), ...(await partiesIn(two)), ...(await partiesIn(three))];
  const plans = new Map<Party, DeployPlan>();
  for (const party of parties) plans.set(party, await plan(party.graph, party.target));
  const pairs = parties.flatMap((owner) => parties.flatMap((user) => (owner === user ? [] : [{ owner, user }])));
  for (const { owner, user } of someOf(pairs)) {
    await refusesFilesOf(owner, user, plans);
    const isCopy = owner.target.folder === user.target.folder || difference(owner, user) === "platform";
    if (isCopy) await refusesEntryOf(owner, user);
    const [from, into] = [placeOf(owner), placeOf(user)];
    const isPromotion = from.flow === into.flow && from.platform === into.platform;
    if (isPromotion && from.environment !== into.environment) continue;
    await assert.rejects(promote(owner.graph, owner.target, user.target), { code: "wrong-place" });
  }
  for (const party of parties)
    assert.equal((await plan(party.graph, party.target)).isEmpty, true, "nothing was written");
});

test("every command refuses local state of another agent, and state and lock files of an earlier version", async () => {
  await using world = await World.open("retell");
  const [party, other] = await partiesIn(world);
  assert.ok(party && other);
  const { target, graph } = party;
  const commands = [
    () => plan(graph, target),
    () => drift(graph, target),
    () => pull(graph, target),
    () => promote(graph, target, other.target),
    () => promote(graph, other.target, target),
    () => rollback("latest", target),
    () => listSnapshots(target),
    () => deleteDeployed(target, { confirm: target.flow }),
  ];
  const state = statePath(world.folder, placeOf(party), "json");
  const lock = join(world.folder, "callweave.lock.json");
  const [own, locked] = [await readFile(state, "utf8"), await readFile(lock, "utf8")];
  const older = JSON.parse(own);
  const ids = JSON.parse(locked).environments.staging.lamps.retell.ids;
  const cases = [
    [state, await readFile(statePath(world.folder, placeOf(other), "json"), "utf8"), "wrong-place"],
    [state, JSON.stringify(older.resources), "state-file"],
    [state, own.slice(0, -9), "state-file"],
    [lock, JSON.stringify({ version: 1, environments: { staging: { shop: { retell: { ids } } } } }), "lock-file"],
    [lock, locked.replace('"format": "retell"', '"format": "vapi-squad"'), "lock-file"],
    [lock, locked.replace('"format": "retell"', '"format": "bland"'), "lock-file"],
    [lock, locked.replaceAll('"conversation-flow"', '"squad"'), "lock-file"],
  ] as const;
  for (const [file, text, code] of cases) {
    await writeFile(file, text);
    for (const [index, command] of commands.entries())
      await assert.rejects(command(), { code }, `${index}: ${text.slice(0, 200)}`);
    await writeFile(file, file === state ? own : locked);
  }
  assert.equal((await plan(graph, target)).isEmpty, true);
});

test("a snapshot of an agent that was deleted is refused for the one that has its name now", async () => {
  await using world = await World.open("vapi-squad");
  const target = { ...world.target(), flow: "shop" };
  await apply(await plan(shop(), target));
  await apply(await plan(shop({ greet: "Old." }), target));
  const [snapshot] = await listSnapshots(target);
  await deleteDeployed(target, { confirm: "shop" });
  await apply(await plan(shop(), target));
  const wrong = { code: "wrong-place", path: ["resources", "squad"] };
  await assert.rejects(rollback(snapshot?.path ?? "", target), wrong);
  assert.deepEqual(await listSnapshots(target), []);
  await assert.rejects(rollback("latest", target), { code: "unknown-snapshot" });
});

test("an agent that another machine created anew has no baseline here, and its changes are not overwritten", async () => {
  await using world = await World.open("retell");
  const lock = join(world.folder, "callweave.lock.json");
  await apply(await plan(shop(), world.target()));
  const earlier = await readFile(lock, "utf8");
  await using other = await World.open("retell", 2);
  const elsewhere = { ...world.target(), folder: other.folder };
  await apply(await plan(shop({ greet: "Theirs." }), elsewhere));
  await writeFile(lock, await readFile(join(other.folder, "callweave.lock.json"), "utf8"));
  await assert.rejects(apply(await plan(shop(), world.target())), { code: "no-baseline" });
  await writeFile(lock, earlier);
  assert.equal((await plan(shop(), world.target())).isEmpty, true);
});

test("flows and environments can have the names of an object's own functions, and stay one agent", async () => {
  for (const name of ["constructor", "__proto__", "prototype", ".."]) {
    await using world = await World.open("retell");
    const target = { ...world.target(name), flow: name };
    await apply(await plan(shop(), target));
    assert.equal((await plan(shop(), target)).isEmpty, true, name);
  }
});

test("a plan is refused once the lock file names another agent", async () => {
  await using world = await World.open("retell");
  const [party, other] = await partiesIn(world);
  assert.ok(party && other);
  const planned = await plan(shop({ greet: "New." }), party.target);
  const lock = join(world.folder, "callweave.lock.json");
  const { version, environments } = JSON.parse(await readFile(lock, "utf8"));
  const { production, staging } = environments;
  await writeFile(lock, JSON.stringify({ version, environments: { production: staging, staging: production } }));
  await assert.rejects(apply(planned), { code: "plan-outdated" });
});
