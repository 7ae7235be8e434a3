import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { blandAdapter } from "../../../../platforms/bland/deploy/mod.ts";
import { LocalBland } from "../../../../platforms/bland/local/mod.ts";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { fetchLocally, type LocalFault, type LocalRequest } from "../../../../platforms/serving/mod.ts";
import { DeployError, isCallweaveError } from "../../../../src/base/errors.ts";
import { createPlatformClient } from "../../../../src/base/http/mod.ts";
import { getAt, isRecord, type JsonObject, records } from "../../../../src/base/values/mod.ts";
import {
  apply,
  deleteDeployed,
  drift,
  importDeployed,
  listDeployed,
  plan,
  promote,
  pull,
  rollback,
} from "../../../../src/deploy/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { TEST_CONNECTION } from "../../../base/http/connection.ts";
import { WITHOUT_PAUSES } from "../../../test_clock.ts";
import { seeded } from "../../mutate.ts";

const KEY = "key-of-tests";

const shop = (greet = "Greet."): AgentGraph =>
  parseGraph({
    entry_node_id: "greet",
    source_metadata: { name: "shop", general_prompt: "You answer for a shop." },
    nodes: {
      greet: {
        state_prompt: greet,
        transitions: [{ target_node_id: "bye", condition: { type: "llm_prompt", value: "Done" } }],
      },
      bye: { node_type: "end", state_prompt: "Say goodbye." },
    },
  });

/** A local Bland without a server, and a folder of the code. */
async function open() {
  const folder = await mkdtemp(join(tmpdir(), "callweave-test-bland-"));
  const platform = new LocalBland({
    keys: { [KEY]: "org-1", other: "org-2" },
    random: seeded(1),
    now: () => 1_800_000_000_000,
  });
  const requests: string[] = [];
  const world = {
    folder,
    requests,
    fault: (_: LocalRequest): LocalFault | undefined => undefined,
    target: (environment = "staging") => ({
      ...{ to: "bland" as const, key: KEY, environment, folder, baseUrl: "http://bland.test", clock: WITHOUT_PAUSES },
      fetch: fetchLocally(platform, {
        fault: (request) => {
          requests.push(`${request.method} ${request.path}`);
          return world.fault(request);
        },
      }),
    }),
    ask: (method: string, path: string, body: JsonObject = {}): JsonObject => {
      const { body: answer } = platform.answer({ method, path, body, key: KEY, query: new URLSearchParams() });
      return isRecord(answer) ? answer : { list: answer };
    },
    id: async (environment = "staging") =>
      (await listDeployed(folder)).find((each) => each.environment === environment)?.ids.pathway ?? "",
    promptOf: (id: string, version?: number) =>
      getAt(world.ask("GET", `/v1/pathway/${id}${version === undefined ? "" : `/version/${version}`}`), [
        "nodes",
        0,
        "data",
        "prompt",
      ]),
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
  return world;
}

test("an agent is planned, applied, and planned again without changes", async () => {
  await using world = await open();
  const planned = await plan(shop(), world.target());
  assert.deepEqual(
    planned.resources.map(({ address, action }) => [address, action]),
    [["pathway", "create"]],
  );
  const { written, isPublished } = await apply(planned);
  assert.deepEqual([written.length, isPublished], [1, false]);
  assert.equal((await plan(shop(), world.target())).isEmpty, true);
  assert.equal((await drift(shop(), world.target())).isDrifted, false);
  const { nodes, name } = world.ask("GET", `/v1/pathway/${await world.id()}`);
  assert.deepEqual([name, records(nodes).length], ["shop", 3]);
});

test("publishing makes a version of what was applied, which answers calls, and reuses it", async () => {
  await using world = await open();
  const first = await apply(await plan(shop("First."), world.target()), { publish: true });
  assert.equal(first.isPublished, true);
  const id = await world.id();
  assert.equal(world.promptOf(id, 0), "First.");
  await apply(await plan(shop("Second."), world.target()));
  assert.deepEqual([world.promptOf(id), world.promptOf(id, 0)], ["Second.", "First."]);
  await apply(await plan(shop("Second."), world.target()), { publish: true });
  await apply(await plan(shop("Second."), world.target()), { publish: true });
  assert.equal(world.promptOf(id, 0), "Second.");
  assert.equal(records(world.ask("GET", `/v1/pathway/${id}/versions`).list).length, 2);
});

test("an environment with publishTo publishes to staging, and leaves the calls of production alone", async () => {
  await using world = await open();
  const published: unknown[] = [];
  world.fault = ({ path, body }) => {
    if (path.endsWith("/publish")) published.push(body.environment);
    return undefined;
  };
  const to = (publishTo: unknown) => ({ ...world.target(), settings: { bland: { publishTo } } });
  await apply(await plan(shop("First."), to("production")), { publish: true });
  await apply(await plan(shop("Second."), to("staging")), { publish: true });
  await apply(await plan(shop("Second."), to("staging")), { publish: true });
  const id = await world.id();
  assert.deepEqual([world.promptOf(id), world.promptOf(id, 0)], ["Second.", "First."]);
  await apply(await plan(shop("Second."), world.target()), { publish: true });
  assert.equal(world.promptOf(id, 0), "Second.");
  assert.deepEqual(published, ["production", "staging", "staging", "production"]);
  assert.equal(records(world.ask("GET", `/v1/pathway/${id}/versions`).list).length, 2);
  for (const wrong of ["live", true, null])
    await assert.rejects(plan(shop("Third."), to(wrong)), {
      code: "invalid-option",
      path: ["settings", "bland", "publishTo"],
    });
});

test("an edit of the dashboard is drift, and is pulled", async () => {
  await using world = await open();
  await apply(await plan(shop(), world.target()));
  const id = await world.id();
  const { nodes } = world.ask("GET", `/v1/pathway/${id}`);
  const [greet, ...others] = records(nodes);
  const data = { ...(isRecord(greet?.data) ? greet.data : {}), prompt: "Greet warmly." };
  world.ask("POST", `/v1/pathway/${id}`, { nodes: [{ ...greet, data }, ...others] });
  assert.equal((await drift(shop(), world.target())).isDrifted, true);
  const { graph } = await pull(shop(), world.target());
  assert.equal(graph.nodes.greet?.state_prompt, "Greet warmly.");
});

test("an apply is rolled back, an agent is promoted and deleted", async () => {
  await using world = await open();
  await apply(await plan(shop("First."), world.target()));
  await apply(await plan(shop("Second."), world.target()));
  const id = await world.id();
  await apply(await rollback("latest", world.target()));
  assert.equal(world.promptOf(id), "First.");
  await apply(await promote(shop("First."), world.target(), world.target("production")));
  const other = await world.id("production");
  assert.notEqual(other, id);
  assert.equal(world.promptOf(other), "First.");
  await deleteDeployed({ ...world.target("production"), flow: "shop" }, { confirm: "shop" });
  assert.equal(records(world.ask("GET", "/v1/all_pathway").list).length, 1);
});

test("a pathway of the dashboard is adopted by its id", async () => {
  await using world = await open();
  const { pathway_id: id } = world.ask("POST", "/v1/pathway/create", { name: "shop" });
  const { config } = emit(shop("Theirs."), "bland");
  world.ask("POST", `/v1/pathway/${String(id)}`, isRecord(config) ? config : {});
  const { graph } = await importDeployed(String(id), world.target());
  assert.equal(await world.id(), id);
  assert.equal((await plan(graph, world.target())).isEmpty, true);
});

const FAULTS: readonly LocalFault[] = [
  "cut-before",
  "cut-after",
  { status: 503, body: { message: "busy" } },
  { status: 200, body: { status: "error", message: "busy" } },
];

test("a failure at any request is finished by the next apply, without duplicates", async () => {
  for (const fault of FAULTS)
    for (let at = 0; ; at++) {
      await using world = await open();
      const planned = await plan(shop(), world.target());
      let count = 0;
      let isHit = false;
      world.fault = () => {
        if (count++ < at || count > at + 6) return undefined;
        isHit = true;
        return fault;
      };
      await apply(planned, { publish: true }).catch((error: unknown) => {
        if (!(error instanceof DeployError)) throw error;
      });
      world.fault = () => undefined;
      await apply(await plan(shop(), world.target()), { publish: true });
      const id = await world.id();
      const all = records(world.ask("GET", "/v1/all_pathway").list);
      assert.deepEqual(
        all.map(({ pathway_id: each }) => each),
        [id],
        `${JSON.stringify(fault)} at request ${at}`,
      );
      assert.equal(world.promptOf(id, 0), "Greet.");
      if (!isHit) break;
    }
});

test("a pathway that two applies have left empty is finished by the next one, without a duplicate", async () => {
  await using world = await open();
  world.fault = ({ method, path }) =>
    method === "POST" && !path.endsWith("/create") ? { status: 400, body: { message: "busy" } } : undefined;
  for (let count = 0; count < 2; count++)
    await assert.rejects(async () => await apply(await plan(shop(), world.target())), { code: "platform-refused" });
  const id = await world.id();
  assert.deepEqual(world.ask("GET", `/v1/pathway/${id}`).nodes, []);
  world.fault = () => undefined;
  const { snapshot } = await apply(await plan(shop(), world.target()));
  assert.equal(snapshot, undefined, "an empty pathway is nothing to go back to");
  assert.deepEqual([world.promptOf(id), await world.id()], ["Greet.", id]);
  assert.equal(records(world.ask("GET", "/v1/all_pathway").list).length, 1);
});

test("a phone number of the configuration is refused, because Bland's numbers are not read", async () => {
  await using world = await open();
  const target = { ...world.target(), settings: { numbers: ["+14155550100"] } };
  await assert.rejects(plan(shop(), target), { code: "not-deployable", path: ["settings", "numbers"] });
});

test("refusals are told in Bland's words, with the status 200 too", async () => {
  await using world = await open();
  world.fault = ({ path }) =>
    path.endsWith("/create") ? { status: 200, body: { status: "error", message: "Plan limit" } } : undefined;
  await assert.rejects(
    async () => await apply(await plan(shop(), world.target())),
    (error) => isCallweaveError(error) && error.code === "platform-refused" && /Plan limit/.test(error.message),
  );
});

const corpus = new URL("../../../../../shared/corpus/bland/", import.meta.url);
test("published pathways come back from the local platform as they were deployed", {
  skip: existsSync(corpus) ? false : "no corpus",
}, async () => {
  for (const file of readdirSync(corpus).filter((each) => each.endsWith(".json"))) {
    const { graph } = importAgent(readFileSync(new URL(file, corpus), "utf8"));
    const platform = new LocalBland({ keys: { [KEY]: "org-1" }, random: seeded(1) });
    const client = createPlatformClient({
      ...TEST_CONNECTION,
      baseUrl: "http://bland.test",
      key: KEY,
      fetch: fetchLocally(platform),
    });
    const [resource] = blandAdapter.split(emit(graph, "bland").config);
    const now = await blandAdapter.write(client, resource ?? assert.fail(), { written: new Map() });
    const [read] = await blandAdapter.read(client, { pathway: now.id });
    const { name: _, ...sent } = resource?.body ?? {};
    for (const [key, value] of Object.entries(sent)) assert.deepEqual(read?.body[key], value, `${file} ${key}`);
    const pulled = importAgent(blandAdapter.join([read ?? assert.fail()])).graph;
    assert.deepEqual(JSON.parse(JSON.stringify(pulled.nodes)), JSON.parse(JSON.stringify(graph.nodes)), file);
    assert.equal(pulled.source_metadata.general_prompt, graph.source_metadata.general_prompt);
  }
});
