import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, drift, plan, pull } from "../../src/deploy/mod.ts";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { ownPartOf } from "../fast_check.ts";
import { deployed, editPrompt, editVoice, PLATFORMS } from "./dashboard.ts";
import { shop } from "./shop.ts";
import type { World } from "./world.ts";

/** The text of everything that is deployed. */
async function textOf(world: World): Promise<string> {
  const ids = await world.ids();
  return JSON.stringify(await Promise.all(Object.keys(ids).map((address) => world.read(address, ids))));
}

for (const to of ownPartOf(PLATFORMS)) {
  test(`${to}: once a pull is saved, editing what was pulled is no conflict, and the code's own changes are still applied`, async () => {
    await using world = await deployed(to);
    await editPrompt(world, "The dashboard asks.");
    const { graph, saved } = await pull(shop({ order: "Take it." }), world.target());
    await saved();
    assert.equal((await drift(graph, world.target())).isDrifted, false);
    const greet = { ...graph.nodes.greet, state_prompt: "The code asks." };
    const edited = parseGraph({ ...graph, nodes: { ...graph.nodes, greet } });
    const planned = await plan(edited, world.target());
    assert.deepEqual(planned.conflicts, []);
    await apply(planned);
    const there = await textOf(world);
    assert.deepEqual([/The code asks/.test(there), /Take it/.test(there)], [true, true], there);
    await editVoice(world);
    assert.equal((await drift(edited, world.target())).isDrifted, true, "later changes of the dashboard are told");
  });

  test(`${to}: a saved pull that took the code's side lets an apply write it`, async () => {
    await using world = await deployed(to);
    await editPrompt(world, "The dashboard asks.");
    const { graph, saved } = await pull(shop({ greet: "The code asks." }), world.target(), { take: "local" });
    await saved();
    const planned = await plan(graph, world.target());
    assert.deepEqual([planned.conflicts, planned.isEmpty], [[], false]);
    await apply(planned);
    assert.match(await textOf(world), /The code asks/);
  });

  test(`${to}: a pull that is saved after an apply records nothing`, async () => {
    await using world = await deployed(to);
    await editPrompt(world, "The dashboard asks.");
    const { saved } = await pull(shop(), world.target());
    await apply(await plan(shop({ order: "Take it." }), world.target()));
    await saved();
    const planned = await plan(shop({ order: "Take it." }), world.target());
    assert.equal(planned.isEmpty, true, "the code without the pulled text would write it back");
  });
}
