import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { isCallweaveError } from "../../src/base/errors.ts";
import { createRecordings, fileRecordings, offline } from "../../src/call/models/mod.ts";
import { apply, listSnapshots, plan } from "../../src/deploy/mod.ts";
import { pullCalls } from "../../src/run/calls/mod.ts";
import { run } from "../../src/run/runner/mod.ts";
import { openStore } from "../../src/run/store/mod.ts";
import { writeTextFile } from "../../src/surface/cli/io/mod.ts";
import { readProject } from "../../src/surface/project/mod.ts";
import { ownPartOf } from "../fast_check.ts";
import { retellAnswers, retellCall } from "../run/calls/pull/_platforms.ts";
import { leaveSpool } from "../run/store/_spools.ts";
import { WITHOUT_PAUSES } from "../test_clock.ts";
import { PLATFORMS } from "./dashboard.ts";
import { shop } from "./shop.ts";
import { World } from "./world.ts";

/** Ways in which a file cannot be written. */
const WAYS = {
  folder: async (path: string) => void (await mkdir(path, { recursive: true })),
  "below a file": async (path: string) => {
    await mkdir(dirname(dirname(path)), { recursive: true });
    await rm(dirname(path), { recursive: true, force: true });
    await writeFile(dirname(path), "");
  },
  "full disk": async (path: string) => {
    await mkdir(dirname(path), { recursive: true });
    await symlink("/dev/full", path);
  },
  "read-only": async (path: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "{}");
    await chmod(path, 0o444);
  },
};
type Way = keyof typeof WAYS;

/** Whether this machine can show a way: root writes to anything, and only Linux has a device that is full. */
const SHOWN: { readonly [Each in Way]: boolean } = {
  folder: true,
  "below a file": true,
  "full disk": existsSync("/dev/full"),
  "read-only": process.getuid?.() !== 0,
};

/** A file that cannot be written, the work that writes it, and the code of its error. */
interface Unwritable {
  readonly file: string;
  readonly ways: readonly Way[];
  readonly code: string;
  readonly work: (world: World, path: string) => Promise<unknown>;
}

const PLACE = ".callweave/deploy/staging/shop/retell";
const applied = async (world: World, greet = "Hello.") => apply(await plan(shop({ greet }), world.target()));
const NOW = Date.parse("2024-05-20T12:00:00Z");

const recorded = async (path: string) => {
  const recordings = createRecordings(fileRecordings(path), "record");
  const scenarios = [{ name: "asks", says: ["A lamp."], visits: ["greet"] }];
  return await run(shop(), scenarios, { models: { agent: offline() }, store: false, recordings });
};

const FILES: readonly Unwritable[] = [
  { file: "callweave.lock.json", ways: ["folder", "full disk"], code: "lock-file", work: (world) => applied(world) },
  {
    file: `${PLACE}.json`,
    ways: ["folder", "below a file", "full disk"],
    code: "state-file",
    work: (world) => applied(world),
  },
  { file: `${PLACE}.intent.json`, ways: ["folder", "full disk"], code: "state-file", work: (world) => applied(world) },
  { file: `${PLACE}.applying`, ways: ["below a file"], code: "state-file", work: (world) => applied(world) },
  { file: ".callweave/salt", ways: ["folder", "full disk"], code: "state-file", work: (world) => applied(world) },
  { file: ".callweave/deploy", ways: ["below a file"], code: "state-file", work: (world) => applied(world) },
  {
    file: ".callweave/snapshots/staging/shop/retell/next.json",
    ways: ["below a file"],
    code: "state-file",
    work: (world) => applied(world, "Good morning."),
  },
  {
    file: "plans/plan.json",
    ways: ["folder", "below a file", "full disk", "read-only"],
    code: "unwritable-file",
    work: (_, path) => writeTextFile(path, "{}"),
  },
  {
    file: "pulls/pulls.json",
    ways: ["folder", "below a file", "full disk"],
    code: "unwritable-file",
    work: async (_, state) => {
      const answer = retellAnswers(() => [retellCall(1, NOW - 7_200_000)]);
      const send = Object.assign(
        async (input: string | URL | Request, init: RequestInit = {}) => {
          const { pathname: path, searchParams: query } = new URL(String(input));
          const body = JSON.parse(typeof init.body === "string" ? init.body : "{}");
          return new Response(JSON.stringify(answer({ path, query, body })));
        },
        { preconnect: () => {} },
      );
      await using store = await openStore(":memory:");
      const clock = { ...WITHOUT_PAUSES, now: () => NOW };
      const since = new Date(NOW - 86_400_000);
      await pullCalls("retell", { key: "key-of-the-test", since, store, clock, state, fetch: send });
    },
  },
  {
    file: "recordings/calls.json",
    ways: ["folder", "below a file", "read-only"],
    code: "recording-unwritable",
    work: (_, path) => recorded(path),
  },
  {
    file: "results/results.db",
    ways: ["folder", "below a file", "full disk"],
    code: "store-unavailable",
    work: async (_, path) => await (await openStore(path)).close(),
  },
];

/** The files of each platform's deployments, and those that have nothing to do with a platform. */
const ALL = FILES.flatMap((each) => {
  const isOfDeployment = each.code === "lock-file" || each.code === "state-file";
  return (isOfDeployment ? ownPartOf(PLATFORMS) : (["retell"] as const)).map((to) => ({
    ...each,
    to,
    file: each.file.replace("shop/retell", `shop/${to.replace(/-.*/, "")}`),
  }));
});

for (const { to, file, ways, code, work } of ALL)
  for (const way of ways.filter((way) => SHOWN[way]))
    test(`${to}: ${file}, ${way}: a typed error with path and hint, and the next attempt is whole`, async () => {
      await using world = await World.open(to);
      if (file.includes("snapshots")) await applied(world);
      const path = join(world.folder, file);
      await WAYS[way](path);
      world.requests.length = 0;
      await assert.rejects(work(world, path), (error: unknown) => {
        assert.ok(isCallweaveError(error), String(error));
        // a folder in place of a file that is read first cannot be read, and not only not be written
        const codes: readonly string[] = [code, code.replace("unwritable", "unreadable")];
        assert.ok(codes.includes(error.code), `${error.code}: ${error.message}`);
        assert.ok(error.hint, error.message);
        assert.ok(
          error.path.some((part) => String(part).includes(world.folder)),
          `${error.message}: ${error.path}`,
        );
        return true;
      });
      if (way !== "full disk") assert.deepEqual(world.requests.filter(isWrite), [], "nothing was sent");
      await rm(way === "below a file" ? dirname(path) : path, { recursive: true, force: true });
      await work(world, path);
      assert.deepEqual(await world.everything(), Object.values(await world.ids()).sort(), "there are no duplicates");
    });

function isWrite(request: string): boolean {
  return /^(?:PATCH|DELETE|POST \/(?!v2\/list))/.test(request);
}

test("a run whose recordings do not fit on the disk keeps its results, and says what is missing", {
  skip: !SHOWN["full disk"],
}, async () => {
  await using world = await World.open("retell");
  const path = join(world.folder, "calls.json");
  await WAYS["full disk"](path);
  const { results, recordingsError } = await recorded(path);
  assert.equal(results.length, 1);
  assert.match(recordingsError ?? "", /calls\.json": there is no space left on the device.*\(Free some space/);
});

test("a folder of snapshots that cannot be read is not one without snapshots", async () => {
  await using world = await World.open("retell");
  await applied(world);
  const folder = join(world.folder, ".callweave/snapshots/staging/shop/retell");
  const target = { ...world.target(), flow: "shop" };
  assert.deepEqual(await listSnapshots(target), []);
  await WAYS["below a file"](join(folder, "one.json"));
  await assert.rejects(listSnapshots(target), { code: "state-file", path: [folder] });
});

test("a spool file or folder that cannot be read is reported, not taken for one without results", async () => {
  await using world = await World.open("retell");
  const [database, spool] = [join(world.folder, "results.db"), join(world.folder, "spool")];
  await mkdir(join(spool, "folder.jsonl"), { recursive: true });
  await leaveSpool(spool, database, 2);
  await using store = await openStore(database, { spool, recover: false });
  const recovery = await store.recover();
  assert.deepEqual([recovery.results, recovery.unreadable], [2, [join(spool, "folder.jsonl")]]);
  assert.deepEqual(await readdir(spool), ["folder.jsonl"]);
  await rm(spool, { recursive: true });
  await writeFile(spool, "");
  assert.deepEqual((await store.recover()).unreadable, [spool]);
});

test("a configuration that is a folder or a broken link is an error, not a project without one", async () => {
  await using world = await World.open("retell");
  const path = join(world.folder, "callweave.config.json");
  for (const make of [() => mkdir(path), () => symlink(join(world.folder, "gone.json"), path)]) {
    await make();
    await assert.rejects(readProject(world.folder, { env: {} }), { code: "unreadable-file", path: [path] });
    await rm(path, { recursive: true });
  }
});
