import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { DeployError } from "../../src/base/errors.ts";
import { apply, deleteDeployed, drift, plan, promote, pull, rollback } from "../../src/deploy/mod.ts";
import { ownPartOf } from "../fast_check.ts";
import { deployed, editPrompt, editsOf, editVoice, PLATFORMS } from "./dashboard.ts";
import { shop } from "./shop.ts";
import { KEY, World } from "./world.ts";

const statesOf = async (world: World, graph = shop()) =>
  Object.fromEntries((await plan(graph, world.target())).resources.map(({ address, state }) => [address, state]));

for (const to of ownPartOf(PLATFORMS)) {
  const { speaker, prompter } = editsOf(to);

  test(`${to}: what was never there is new, and clean once it was applied`, async () => {
    await using world = await World.open(to);
    assert.deepEqual(new Set(Object.values(await statesOf(world))), new Set(["new"]));
    const { written } = await apply(await plan(shop(), world.target()));
    assert.ok(written.every(({ action }) => action === "created"));
    assert.deepEqual(new Set(Object.values(await statesOf(world))), new Set(["clean"]));
    assert.equal((await plan(shop(), world.target())).isEmpty, true);
    assert.equal((await drift(shop(), world.target())).isDrifted, false);
  });

  test(`${to}: a change in code is local-ahead, and no drift`, async () => {
    await using world = await deployed(to);
    const edited = shop({ greet: "Ask what they want." });
    assert.equal((await statesOf(world, edited))[prompter], "local-ahead");
    assert.equal((await drift(edited, world.target())).isDrifted, false);
    const { changes } = await plan(edited, world.target());
    assert.deepEqual(
      changes.map(({ message }) => message),
      ['Prompt of "greet" is reworded'],
    );
  });

  test(`${to}: a change in the dashboard is remote-ahead until it is pulled, and drift says what it is`, async () => {
    await using world = await deployed(to);
    await editVoice(world);
    assert.equal((await statesOf(world))[speaker], "remote-ahead");
    const found = await drift(shop(), world.target());
    assert.equal(found.isDrifted, true);
    assert.match(found.changes.map(({ message }) => message).join(), /voice/);
    await apply(await plan(shop(), world.target()));
    assert.equal((await drift(shop(), world.target())).isDrifted, true, "applying does not take the change over");
  });

  test(`${to}: a voice from the dashboard and a prompt from the code end up both`, async () => {
    await using world = await deployed(to);
    await editVoice(world);
    const edited = shop({ greet: "Ask what they want." });
    await apply(await plan(edited, world.target()));
    const ids = await world.ids();
    const text = JSON.stringify([await world.read(speaker, ids), await world.read(prompter, ids)]);
    assert.match(text, /11labs-Adrian|nova/);
    assert.match(text, /Ask what they want\./);
    assert.equal((await plan(edited, world.target())).isEmpty, true);
  });

  test(`${to}: both sides of one prompt are a conflict that is named, and never a silent win`, async () => {
    await using world = await deployed(to);
    await editPrompt(world, "The dashboard asks.");
    const edited = shop({ greet: "The code asks." });
    assert.equal((await statesOf(world, edited))[prompter], "both-changed");
    const planned = await plan(edited, world.target());
    const [conflict] = planned.conflicts;
    assert.equal(conflict?.address, prompter);
    assert.match(String(conflict?.local), /The code asks\./);
    assert.match(String(conflict?.remote), /The dashboard asks\./);
    await assert.rejects(apply(planned), { code: "deploy-conflict" });
    assert.match(JSON.stringify(await world.read(prompter, await world.ids())), /The dashboard asks\./);
    await apply(planned, { overwriteRemote: true });
    assert.match(JSON.stringify(await world.read(prompter, await world.ids())), /The code asks\./);
  });

  test(`${to}: a machine without a baseline refuses to overwrite, and the earlier version of the code gives it one`, async () => {
    await using world = await deployed(to);
    await editVoice(world);
    await world.forget();
    const edited = shop({ greet: "Ask what they want." });
    const unknown = await plan(edited, world.target());
    assert.equal(unknown.resources.find(({ address }) => address === prompter)?.state, "no-baseline");
    await assert.rejects(apply(unknown), { code: "no-baseline" });
    const known = await plan(edited, { ...world.target(), previous: shop() });
    assert.equal(known.resources.find(({ address }) => address === prompter)?.action, "update");
    await apply(known);
    const ids = await world.ids();
    assert.match(JSON.stringify(await world.read(speaker, ids)), /11labs-Adrian|nova/);
    assert.match(JSON.stringify(await world.read(prompter, ids)), /Ask what they want\./);
  });

  test(`${to}: local equal to remote is clean, whatever the baseline says`, async () => {
    await using world = await deployed(to);
    await editPrompt(world, "Both say this.");
    const edited = shop({ greet: "Both say this." });
    assert.deepEqual(new Set(Object.values(await statesOf(world, edited))), new Set(["clean"]));
    await world.forget();
    assert.deepEqual(new Set(Object.values(await statesOf(world, edited))), new Set(["clean"]));
  });

  test(`${to}: what was deleted on the platform is missing, and is created again`, async () => {
    await using world = await deployed(to);
    const ids = await world.ids();
    const gone = to === "vapi-squad" ? "squad" : to === "retell" ? "agent" : prompter;
    await world.delete(gone, ids);
    assert.equal((await statesOf(world))[gone], "missing");
    assert.equal((await drift(shop(), world.target())).isDrifted, true);
    const isAll = Object.keys(ids).length === 1;
    await apply(await plan(shop(), world.target()), { recreate: isAll });
    assert.notEqual((await world.ids())[gone], ids[gone]);
    assert.equal((await plan(shop(), world.target())).isEmpty, true);
    assert.deepEqual(await world.everything(), Object.values(await world.ids()).sort());
  });

  test(`${to}: an agent of which nothing is left is created again only on request`, async () => {
    await using world = await deployed(to);
    const ids = await world.ids();
    for (const address of Object.keys(ids)
      .reverse()
      .sort((a) => (a === "squad" || a === "agent" ? -1 : 1)))
      await world.delete(address, ids);
    await assert.rejects(apply(await plan(shop(), world.target())), { code: "agent-missing" });
    await apply(await plan(shop(), world.target()), { recreate: true });
    assert.equal((await plan(shop(), world.target())).isEmpty, true);
  });

  test(`${to}: a change between plan and apply is not overwritten`, async () => {
    await using world = await deployed(to);
    const planned = await plan(shop({ greet: "New." }), world.target());
    await editVoice(world);
    await assert.rejects(apply(planned), { code: "remote-changed" });
  });

  test(`${to}: pulling brings what a graph can hold into it, and keeps the code's own changes`, async () => {
    await using world = await deployed(to);
    await editPrompt(world, "The dashboard asks.");
    const edited = shop({ order: "Take it." });
    const pulled = await pull(edited, world.target());
    assert.equal(pulled.graph.nodes.greet?.state_prompt, "The dashboard asks.");
    assert.equal(pulled.graph.nodes.order?.state_prompt, "Take it.");
    assert.deepEqual([pulled.conflicts, pulled.notPulled], [[], []]);
    assert.equal(edited.nodes.greet?.state_prompt, "Ask what the caller wants.", "the graph itself stays");
    const again = await plan(pulled.graph, world.target());
    assert.deepEqual([again.remoteChanges, again.conflicts], [[], []], "what was pulled is no change any more");
    await apply(again);
    assert.equal((await drift(pulled.graph, world.target())).isDrifted, false);
  });

  test(`${to}: pulling names a place that both have changed, and takes the side that it is told`, async () => {
    await using world = await deployed(to);
    await editPrompt(world, "The dashboard asks.");
    const edited = shop({ greet: "The code asks." });
    const local = await pull(edited, world.target());
    assert.equal(local.conflicts.length, 1);
    assert.equal(local.graph.nodes.greet?.state_prompt, "The code asks.");
    const remote = await pull(edited, world.target(), { take: "remote" });
    assert.equal(remote.graph.nodes.greet?.state_prompt, "The dashboard asks.");
  });

  test(`${to}: going back restores what was there, and the code is ahead again`, async () => {
    await using world = await deployed(to);
    const edited = shop({ greet: "New." });
    await apply(await plan(edited, world.target()));
    const back = await rollback("latest", { ...world.target(), flow: "shop" });
    assert.deepEqual(
      back.changes.map(({ message }) => message),
      ['Prompt of "greet" is reworded'],
    );
    await apply(back);
    assert.match(JSON.stringify(await world.read(prompter, await world.ids())), /Ask what the caller wants\./);
    assert.equal((await statesOf(world, edited))[prompter], "local-ahead");
    assert.deepEqual(new Set(Object.values(await statesOf(world))), new Set(["clean"]));
  });

  test(`${to}: a graph is promoted only as it is in the other environment`, async () => {
    await using world = await deployed(to);
    const [from, live] = [world.target(), world.target("production")];
    await assert.rejects(promote(shop({ greet: "Untested." }), from, live), { code: "not-verified" });
    await apply(await promote(shop(), from, live));
    assert.equal((await plan(shop(), live)).isEmpty, true);
    await editVoice(world);
    await assert.rejects(promote(shop(), from, live), { code: "not-verified" });
  });

  test(`${to}: deleting needs the name, and leaves nothing`, async () => {
    await using world = await deployed(to);
    const target = { ...world.target(), flow: "shop" };
    await assert.rejects(deleteDeployed(target, { confirm: "yes" }), { code: "not-confirmed" });
    await deleteDeployed(target, { confirm: "shop" });
    assert.deepEqual(await world.everything(), []);
    assert.deepEqual(await world.ids(), {});
  });

  test(`${to}: a wrong key is refused with the platform's own words, and the key is nowhere`, async () => {
    await using world = await deployed(to);
    await editVoice(world);
    await apply(await plan(shop({ greet: "New." }), world.target()));
    const wrong = { ...world.target(), key: "sk-this-key-is-wrong-1234567890" };
    const error = await plan(shop(), wrong).then(
      () => assert.fail("planned"),
      (thrown: DeployError) => thrown,
    );
    assert.equal(error.code, "platform-key");
    assert.match(error.message, /401/);
    assert.doesNotMatch(JSON.stringify(error) + error.message + error.stack, /this-key-is-wrong/);
    for (const file of await readdir(world.folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const text = await readFile(join(file.parentPath, file.name), "utf8");
      assert.ok(!text.includes(KEY), `${file.name} holds the key`);
    }
  });
}

test("vapi-squad: the key of another workspace is refused", async () => {
  await using world = await deployed("vapi-squad");
  const other = { ...world.target(), key: "key-of-another-workspace" };
  await assert.rejects(apply(await plan(shop(), other)), { code: "agent-missing" }, "an empty workspace has no name");
  await apply(await plan(shop(), { ...other, environment: "of the others" }));
  await assert.rejects(plan(shop(), other), { code: "wrong-workspace" });
});

test("a plan that was read from a file cannot be applied by itself", async () => {
  await using world = await World.open("retell");
  const copy = JSON.parse(JSON.stringify(await plan(shop(), world.target())));
  await assert.rejects(apply(copy), { code: "plan-outdated" });
});

test("the same plan has the same digest on every machine", async () => {
  await using world = await deployed("retell");
  const edited = shop({ greet: "New." });
  const one = await plan(edited, { ...world.target(), previous: shop() });
  await world.forget();
  const other = await plan(edited, { ...world.target(), previous: shop() });
  assert.equal(one.digest, other.digest);
});
