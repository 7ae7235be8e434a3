import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord, type JsonObject, records } from "../../../../src/base/values/mod.ts";
import {
  apply,
  type DeployTarget,
  drift,
  listDeployed,
  plan,
  promote,
  pull,
  rollback,
} from "../../../../src/deploy/mod.ts";
import { shop } from "../../../deploy/shop.ts";
import { World } from "../../../deploy/world.ts";

const target = (world: World, telnyx: JsonObject = {}, environment = "staging"): DeployTarget => ({
  ...world.target(environment),
  flow: "shop",
  settings: { telnyx },
});

const B = shop({ greet: "Greet with B." });
const C = shop({ greet: "Greet with C." });

/** An assistant with a first version, and what is asked of it in tests. */
async function opened() {
  const world = await World.open("telnyx");
  await apply(await plan(shop(), target(world)));
  const path = `/ai/assistants/${(await world.ids()).assistant}`;
  const get = async (rest = ""): Promise<JsonObject> => {
    const answer = await world.send({ method: "GET", path: `${path}${rest}` });
    return isRecord(answer) ? answer : {};
  };
  const canary = async () => {
    const found = await get("/canary-deploys").catch(() => undefined);
    return found && records(found.rules);
  };
  const edit = async (body: JsonObject) => await world.send({ method: "POST", path, body });
  const locked = async () => (await listDeployed(world.folder))[0]?.agentVersion;
  const versions = async () => records((await get("/versions")).data).length;
  return {
    world,
    path,
    get,
    canary,
    edit,
    locked,
    versions,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const serving = (version: unknown, weight: number) => [
  { match: [], serve: { rollout: [{ version_id: version, weight }] } },
];

test("an apply writes a version that calls do not use, and --publish promotes it", async () => {
  await using telnyx = await opened();
  const { world, get, locked } = telnyx;
  const first = (await get()).version_id;
  assert.equal(await locked(), first);
  const planned = await plan(B, target(world));
  assert.deepEqual(
    planned.releases.map(({ action, message }) => [action, message]),
    [["none", `Calls get version ${first} until the version that is written is published with --publish`]],
  );
  assert.equal((await apply(planned)).isPublished, false);
  assert.equal((await get()).version_id, first);
  const draft = await locked();
  assert.notEqual(draft, first);
  const again = await plan(B, target(world));
  assert.deepEqual(
    [again.isEmpty, again.releases[0]?.message],
    [true, `Calls get version ${first} until version ${draft} is published with --publish`],
  );
  assert.equal((await apply(again, { publish: true })).isPublished, true);
  const main = await get();
  assert.deepEqual([main.version_id, await locked()], [draft, draft]);
  assert.match(JSON.stringify(main), /Greet with B\./);
  assert.deepEqual((await plan(B, target(world))).releases, []);
});

test("an environment with publish promotes what it applies, also a version that was written before", async () => {
  await using telnyx = await opened();
  const { world, get } = telnyx;
  await apply(await plan(B, target(world)));
  const planned = await plan(B, target(world, { publish: true }));
  assert.deepEqual([planned.isEmpty, planned.releases[0]?.action], [false, "change"]);
  assert.equal((await apply(planned)).isPublished, true);
  assert.match(JSON.stringify(await get()), /Greet with B\./);
  await apply(await plan(C, target(world, { publish: true })));
  assert.match(JSON.stringify(await get()), /Greet with C\./);
  const empty = await plan(C, target(world, { publish: true }));
  assert.deepEqual([empty.isEmpty, (await apply(empty)).isPublished], [true, false]);
  assert.equal(Object.hasOwn(await get(), "publish"), false);
});

test("a canary gives the written version a share of the calls, follows the next one, and ends by a promotion", async () => {
  await using telnyx = await opened();
  const { world, get, canary, locked } = telnyx;
  const tenth = target(world, { canary: { weight: 10 } });
  assert.deepEqual((await plan(shop(), tenth)).releases, []);
  const planned = await plan(B, tenth);
  const main = (await get()).version_id;
  assert.deepEqual(planned.releases, [
    {
      action: "change",
      message: `10% of the calls get the version that is written (canary), the others version ${main}`,
    },
  ]);
  await apply(planned);
  assert.deepEqual(await canary(), serving(await locked(), 10));
  const same = await plan(B, tenth);
  assert.deepEqual([same.isEmpty, same.releases[0]?.action], [true, "none"]);
  // another weight alone
  const half = target(world, { canary: { weight: 50 } });
  const wider = await plan(B, half);
  assert.equal(wider.isEmpty, false);
  await apply(wider);
  assert.deepEqual(await canary(), serving(await locked(), 50));
  const before = await locked();
  await apply(await plan(C, half));
  assert.notEqual(await locked(), before);
  assert.deepEqual(await canary(), serving(await locked(), 50));
  assert.equal((await get()).version_id, main);
  await apply(await plan(C, half), { publish: true });
  assert.deepEqual([await canary(), (await get()).version_id], [undefined, await locked()]);
  assert.deepEqual((await plan(C, half)).releases, []);
});

test("a weight of 0 ends the canary, rules for some callers stay, and without a weight nothing of it changes", async () => {
  await using telnyx = await opened();
  const { world, path, canary, locked } = telnyx;
  await apply(await plan(B, target(world, { canary: { weight: 10 } })));
  const some = {
    match: [{ attribute: "from", operator: "in", values: ["+1"] }],
    serve: { version_id: await locked() },
  };
  const rules = [some, ...serving(await locked(), 10)];
  await world.send({ method: "PUT", path: `${path}/canary-deploys`, body: { rules } });
  const untouched = await plan(B, target(world));
  assert.equal(untouched.isEmpty, true);
  assert.match(untouched.releases[0]?.message ?? "", /^A canary gives calls to other versions/);
  await apply(untouched);
  assert.deepEqual(await canary(), rules);
  await apply(await plan(B, target(world, { canary: { weight: 20 } })));
  assert.deepEqual(await canary(), [some, ...serving(await locked(), 20)]);
  const ended = await plan(B, target(world, { canary: { weight: 0 } }));
  assert.equal(ended.releases[0]?.action, "change");
  await apply(ended);
  assert.deepEqual(await canary(), [some]);
  assert.equal((await plan(B, target(world, { canary: { weight: 0 } }))).isEmpty, true);
});

test("a change of the main version while a version waits is kept, and the waiting version is written again with it", async () => {
  await using telnyx = await opened();
  const { world, get, edit, locked, canary } = telnyx;
  const staging = target(world, { canary: { weight: 10 } });
  await apply(await plan(B, staging));
  const waiting = await locked();
  await edit({ voice_settings: { voice: "Telnyx.NaturalHD.nova" } });
  assert.equal((await drift(B, staging)).isDrifted, true);
  const planned = await plan(B, staging);
  assert.match(planned.releases[0]?.message ?? "", new RegExp(`^Version ${waiting} is written again`));
  await apply(planned);
  assert.equal((await plan(B, staging)).isEmpty, true);
  const draft = await get(`/versions/${await locked()}`);
  assert.match(JSON.stringify(draft), /Greet with B\..*nova|nova.*Greet with B\./);
  assert.deepEqual(await canary(), serving(await locked(), 10));
  assert.doesNotMatch(JSON.stringify(await get()), /Greet with B\./);
  await apply(await plan(B, staging), { publish: true });
  assert.match(JSON.stringify(await get()), /Greet with B\..*nova|nova.*Greet with B\./);
  // after the promotion, the dashboard's word is the last one
  await edit({ greeting: "By hand." });
  const { graph } = await pull(B, staging);
  assert.match(JSON.stringify(graph), /By hand\./);
  assert.match(JSON.stringify(graph), /Greet with B\./);
});

test("publishing a version that waits does not undo a change of the main version", async () => {
  await using telnyx = await opened();
  const { world, get, edit } = telnyx;
  await apply(await plan(B, target(world)));
  await edit({ description: "By hand." });
  await apply(await plan(B, target(world)), { publish: true });
  const main = await get();
  assert.equal(main.description, "By hand.");
  assert.match(JSON.stringify(main), /Greet with B\./);
});

test("a second version that waits has what the first one changed", async () => {
  await using telnyx = await opened();
  const { world, get, locked } = telnyx;
  await apply(await plan(B, target(world)));
  await apply(await plan(B, target(world, { description: "Second." })));
  const draft = await get(`/versions/${await locked()}`);
  assert.equal(draft.description, "Second.");
  assert.match(JSON.stringify(draft), /Greet with B\./);
});

test("what was promoted in the portal, and taken back there in part, stays so", async () => {
  await using telnyx = await opened();
  const { world, path, get, edit, locked } = telnyx;
  const both = shop({ greet: "Greet with B.", order: "Order with B." });
  await apply(await plan(both, target(world)));
  await world.send({ method: "POST", path: `${path}/versions/${await locked()}/promote`, body: {} });
  const flow: unknown = JSON.parse(
    JSON.stringify((await get()).conversation_flow).replace("Greet with B.", "Ask what the caller wants."),
  );
  await edit({ conversation_flow: flow });
  assert.equal((await drift(both, target(world))).isDrifted, true);
  await apply(await plan(both, target(world)), { publish: true });
  assert.doesNotMatch(JSON.stringify(await get()), /Greet with B\./);
});

test("what was promoted and taken back by hand stays taken back", async () => {
  await using telnyx = await opened();
  const { world, get, edit } = telnyx;
  const { conversation_flow: flow } = await get();
  await apply(await plan(B, target(world)), { publish: true });
  await edit({ conversation_flow: flow });
  assert.equal((await drift(B, target(world))).isDrifted, true);
  const planned = await plan(B, target(world, { publish: true }));
  assert.equal(planned.isEmpty, true);
  await apply(planned, { publish: true });
  assert.doesNotMatch(JSON.stringify(await get()), /Greet with B\./);
});

test("a change in the dashboard is drift, and a rollback writes the earlier state and promotes it", async () => {
  await using telnyx = await opened();
  const { world, get, edit, canary, locked } = telnyx;
  await apply(await plan(B, target(world)), { publish: true });
  const applied = await locked();
  assert.equal((await drift(B, target(world))).version, undefined);
  await edit({ description: "By hand." });
  const { isDrifted, version } = await drift(B, target(world));
  const { version_id: now, version_created_at: changed } = await get();
  assert.deepEqual([isDrifted, version], [true, { applied, now, changed }]);
  await apply(await rollback("latest", target(world)), { publish: true });
  assert.doesNotMatch(JSON.stringify(await get()), /Greet with B\.|By hand/);
  // a rollback of a version that has a share of the calls
  const tenth = target(world, { canary: { weight: 10 } });
  await apply(await plan(C, tenth));
  assert.notEqual(await canary(), undefined);
  await apply(await rollback("latest", tenth));
  assert.equal(await canary(), undefined);
});

test("an apply that is interrupted at any request is finished by the next one, with one canary and no version too many", async () => {
  for (const fault of ["cut-before", "cut-after"] as const)
    for (let at = 0; at < 16; at++) {
      await using telnyx = await opened();
      const { world, canary, locked, get, versions } = telnyx;
      const tenth = target(world, { canary: { weight: 10 } });
      const planned = await plan(B, tenth);
      let count = 0;
      world.fault = () => (count++ >= at && count < at + 8 ? fault : undefined);
      await apply(planned).catch(() => undefined);
      world.fault = () => undefined;
      await apply(await plan(B, tenth));
      assert.equal((await plan(B, tenth)).isEmpty, true, `${fault} ${at}`);
      assert.deepEqual(await canary(), serving(await locked(), 10), `${fault} ${at}`);
      assert.doesNotMatch(JSON.stringify(await get()), /Greet with B\./);
      assert.ok((await versions()) <= 3, `${fault} ${at}`);
    }
});

test("a shared tool that changes is named: it has no versions; promoting between environments needs no published version", async () => {
  await using telnyx = await opened();
  const { world } = telnyx;
  await apply(await plan(B, target(world)));
  await apply(await promote(B, target(world), target(world, {}, "production")));
  assert.equal((await plan(B, target(world, {}, "production"))).isEmpty, true);
  const tool = Object.entries(await world.ids()).find(([address]) => address.startsWith("tool:"));
  assert.ok(tool);
  const path = `/ai/tools/${tool[1]}`;
  const found = await world.send({ method: "GET", path });
  const hangup = { description: "Hangs up." };
  await world.send({ method: "PATCH", path, body: { hangup } });
  assert.ok(isRecord(found));
  const back = await rollback("latest", target(world));
  assert.ok(back.releases.some(({ message }) => /^The tool "hangup" changes for all calls at once/.test(message)));
});

test("settings of versions are checked", async () => {
  await using telnyx = await opened();
  const { world } = telnyx;
  for (const [settings, key] of [
    [{ canary: { weight: 100 } }, "canary"],
    [{ canary: { weight: -1 } }, "canary"],
    [{ canary: { wieght: 10 } }, "canary"],
    [{ canary: 10 }, "canary"],
    [{ publish: "yes" }, "publish"],
    [{ publish: true, canary: { weight: 10 } }, "publish"],
  ] as const)
    await assert.rejects(plan(B, target(world, settings)), {
      code: "invalid-option",
      path: ["settings", "telnyx", key],
    });
});
