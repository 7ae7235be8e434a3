import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, type DeployTarget, drift, importDeployed, plan, pull, rollback } from "../../src/deploy/mod.ts";
import { shop } from "./shop.ts";
import { World } from "./world.ts";

/** A world whose production has the shop on the main branch. */
async function withMain(): Promise<World> {
  const world = await World.open("elevenlabs");
  await apply(await plan(shop(), world.target("production")));
  return world;
}

const onBranch = (world: World, branch: unknown = "staging"): DeployTarget => ({
  ...world.target("staging"),
  settings: { elevenlabs: { branch } },
});

const textOf = async (world: World, query = {}) =>
  JSON.stringify(
    await world.send({
      method: "GET",
      path: `/v1/convai/agents/${(await world.ids("production")).agent}`,
      query,
    }),
  );

const branchOf = async (world: World) => (await world.ids("staging")).agent?.split("@")[1];

test("an environment with a branch creates it from main, writes it alone, and the plan says so", async () => {
  await using world = await withMain();
  const edited = shop({ greet: "Greet on the branch." });
  const planned = await plan(edited, onBranch(world));
  const { agent } = await world.ids("production");
  assert.deepEqual(planned.releases, [
    { action: "change", message: `The branch "staging" is created from the main branch of agent ${agent}` },
  ]);
  await apply(planned);
  const again = await plan(edited, onBranch(world));
  assert.deepEqual([again.isEmpty, again.releases], [true, []]);
  const branch = await branchOf(world);
  assert.match(branch ?? "", /^agtbrch_/);
  assert.match(await textOf(world, { branch_id: branch }), /Greet on the branch\./);
  assert.doesNotMatch(await textOf(world), /Greet on the branch\./);
  assert.equal((await plan(shop(), world.target("production"))).isEmpty, true);
  // a second apply changes the same branch
  await apply(await plan(shop({ greet: "Greet again." }), onBranch(world)));
  assert.equal(await branchOf(world), branch);
  assert.match(await textOf(world, { branch_id: branch }), /Greet again\./);
});

test("drift, pull and rollback work on the branch", async () => {
  await using world = await withMain();
  const target = onBranch(world);
  await apply(await plan(shop(), target));
  await apply(await plan(shop({ greet: "Second." }), target));
  const { agent = "" } = await world.ids("production");
  const query = { branch_id: await branchOf(world) };
  const path = `/v1/convai/agents/${agent}`;
  await world.send({ method: "PATCH", path, query, body: { tags: ["by-hand"] } });
  const { isDrifted, version } = await drift(shop({ greet: "Second." }), target);
  const changed = Object(await world.send({ method: "GET", path, query })).version_id;
  assert.deepEqual([isDrifted, version?.now], [true, changed]);
  assert.equal((await drift(shop(), world.target("production"))).isDrifted, false);
  const { graph } = await pull(shop({ greet: "Second." }), target);
  assert.match(JSON.stringify(graph.source_metadata), /by-hand/);
  await apply(await rollback("latest", { ...target, flow: "shop" }));
  assert.doesNotMatch(await textOf(world, query), /Second\.|by-hand/);
});

test("a branch of the name that exists is found, and not overwritten without confirmation", async () => {
  await using world = await withMain();
  const { agent = "" } = await world.ids("production");
  const path = `/v1/convai/agents/${agent}`;
  const main = Object(await world.send({ method: "GET", path }));
  const body = { parent_version_id: main.version_id, name: "staging", description: "" };
  const made = Object(await world.send({ method: "POST", path: `${path}/branches`, body }));
  const planned = await plan(shop({ greet: "Other." }), onBranch(world));
  assert.deepEqual(
    planned.resources.filter(({ kind }) => kind === "agent").map(({ id, state }) => [id, state]),
    [[`${agent}@${made.created_branch_id}`, "no-baseline"]],
  );
  await assert.rejects(apply(planned), { code: "no-baseline" });
  await apply(planned, { overwriteRemote: true });
  assert.equal(await branchOf(world), made.created_branch_id);
});

test("a creation of a branch that was interrupted is finished, without a second branch", async () => {
  for (let at = 0; at < 12; at++) {
    await using world = await withMain();
    const graph = shop({ greet: "Interrupted." });
    // tags are sent after the branch was created
    const target = { ...onBranch(world), settings: { elevenlabs: { branch: "staging", tags: ["branch"] } } };
    const planned = await plan(graph, target);
    let count = 0;
    world.fault = () => (count++ >= at && count < at + 8 ? "cut-after" : undefined);
    await apply(planned).catch(() => undefined);
    world.fault = () => undefined;
    await apply(await plan(graph, target));
    assert.equal((await plan(graph, target)).isEmpty, true, `request ${at}`);
    const path = `/v1/convai/agents/${(await world.ids("production")).agent}/branches`;
    assert.equal(Object(await world.send({ method: "GET", path })).results.length, 2);
  }
});

test("a branch is refused without an agent, as the main branch, with another branch in the lock file, and without a name", async () => {
  await using empty = await World.open("elevenlabs");
  await assert.rejects(plan(shop(), onBranch(empty)), { code: "agent-missing" });
  await using world = await withMain();
  await assert.rejects(plan(shop(), onBranch(world, "Main")), { code: "not-deployable" });
  await assert.rejects(plan(shop(), onBranch(world, 7)), { code: "invalid-option" });
  await apply(await plan(shop(), onBranch(world)));
  await apply(await plan(shop(), { ...onBranch(world, "other"), environment: "test" }));
  await assert.rejects(plan(shop(), onBranch(world, "other")), { code: "wrong-place" });
});

test("an agent is adopted on the branch that the environment names", async () => {
  await using world = await withMain();
  await apply(await plan(shop({ greet: "On the branch." }), onBranch(world)));
  const { agent = "" } = await world.ids("staging");
  await using other = await World.open("elevenlabs");
  const [id = ""] = agent.split("@");
  const target = { ...onBranch(world), folder: other.folder, flow: "shop" };
  const { graph } = await importDeployed(id, target);
  assert.match(JSON.stringify(graph), /On the branch\./);
  assert.equal((await other.ids("staging")).agent, agent);
  await assert.rejects(importDeployed(`${id}@agtbrch_none`, { ...target, flow: "x" }), { code: "wrong-place" });
});
