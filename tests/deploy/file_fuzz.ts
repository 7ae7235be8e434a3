import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCallweaveError } from "../../src/base/errors.ts";
import { apply, deleteDeployed, drift, listDeployed, plan, pull, rollback } from "../../src/deploy/mod.ts";
import { pullCalls } from "../../src/run/calls/mod.ts";
import { openStore } from "../../src/run/store/mod.ts";
import { WITHOUT_PAUSES } from "../test_clock.ts";
import { shop } from "./shop.ts";
import { World } from "./world.ts";

/** What came of files that another program has damaged. */
export interface FileFuzzReport {
  readonly damages: number;
  /** Work that succeeded although it had to read a file that is not what it should be. */
  readonly successes: readonly string[];
  /** Errors without a code and a hint. */
  readonly rawErrors: readonly string[];
  /** Work that has changed a file which it could not read, or the platform. */
  readonly changed: readonly string[];
}

const HUGE = 2 ** 28 + 1;

/** Ways to damage a file. */
const DAMAGES: { readonly [name: string]: (path: string, text: string) => Promise<void> } = {
  "is a folder": async (path) => {
    await rm(path);
    await mkdir(path);
  },
  "is larger than any": async (path) => await truncate(path, HUGE), // sparse: it takes no space
  "is cut": async (path, text) => await writeFile(path, text.slice(0, Math.floor(text.length * 0.6))),
  "has something behind it": async (path, text) => await writeFile(path, `${text}}`),
  "is no text": async (path) => await writeFile(path, new Uint8Array([0xc3, 0x28, 0xff, 0x80, 0x81])),
  "is of another format": async (path) => await writeFile(path, "version: 1\n"),
  "is null": async (path) => await writeFile(path, "null"),
  "is a list": async (path) => await writeFile(path, "[]"),
  "is a number": async (path) => await writeFile(path, "5"),
  "is nested deep": async (path) => await writeFile(path, `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`),
  "has numbers for texts": async (path, text) => await writeFile(path, text.replaceAll(/: ?"[^"]*"/g, ":7")),
  "has lists for objects": async (path, text) =>
    await writeFile(path, text.replaceAll(/: ?\{/g, ":[{").replaceAll("}", "}]")),
};

/** Damages each file that deployments and pulling calls keep, in each way, and does what reads it. */
export async function fuzzFiles(): Promise<FileFuzzReport> {
  const report = { damages: 0, successes: [] as string[], rawErrors: [] as string[], changed: [] as string[] };
  await using world = await World.open("retell");
  await apply(await plan(shop(), world.target()));
  await apply(await plan(shop({ greet: "Ask kindly." }), world.target()));
  const graph = shop({ greet: "Ask again." });
  const snapshots = join(world.folder, ".callweave/snapshots/staging/shop/retell");
  const [snapshot = ""] = await readdir(snapshots);
  const pulls = join(world.folder, "pulls.json");
  await writeFile(pulls, '{"retell x":{"covered":[{"from":1,"to":2}],"result":null}}');
  const store = await openStore(":memory:");
  const target = world.target();
  // a request means that the record was believed
  const asked = Object.assign(async () => Promise.reject(new Error("the platform was asked")), {
    preconnect: () => {},
  });
  const works: { readonly [file: string]: readonly (() => Promise<unknown>)[] } = {
    "callweave.lock.json": [
      () => plan(graph, target),
      () => drift(graph, target),
      () => pull(graph, target),
      () => listDeployed(world.folder),
      () => deleteDeployed(target, { confirm: "shop" }),
    ],
    ".callweave/deploy/staging/shop/retell.json": [() => plan(graph, target), () => drift(graph, target)],
    [join(".callweave/snapshots/staging/shop/retell", snapshot)]: [() => rollback(join(snapshots, snapshot), target)],
    "pulls.json": [
      () =>
        pullCalls("retell", {
          key: "key-of-the-test",
          since: new Date(0),
          store,
          clock: WITHOUT_PAUSES,
          state: pulls,
          fetch: asked,
        }),
    ],
  };
  const kept = await mkdtemp(join(tmpdir(), "callweave-test-kept-"));
  for (const [file, readers] of Object.entries(works)) {
    const path = join(world.folder, file);
    const text = await readFile(path, "utf8");
    for (const [damage, make] of Object.entries(DAMAGES)) {
      await cp(path, join(kept, "file"));
      await make(path, text);
      const before = await stateOf(path);
      if (before === Buffer.from(text).toString("base64")) continue; // it has nothing to damage in this way
      report.damages++;
      world.requests.length = 0;
      for (const [index, read] of readers.entries()) {
        const place = `${file} ${damage}, reader ${index}`;
        const error: unknown = await read().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const isBelieved = isCallweaveError(error) && error.code === "platform-unreachable";
        if (error === undefined || isBelieved) report.successes.push(place);
        else if (!isCallweaveError(error) || error.hint === "") report.rawErrors.push(`${place}: ${String(error)}`);
        const isWritten = world.requests.some((request) => /^(?:PATCH|DELETE|POST \/(?!v2\/list))/.test(request));
        if (isWritten || (await stateOf(path)) !== before) report.changed.push(place);
      }
      await rm(path, { recursive: true });
      await cp(join(kept, "file"), path);
    }
  }
  await rm(kept, { recursive: true });
  await store.close();
  return report;
}

/** The content of a file, as far as it can be read. */
async function stateOf(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size >= HUGE) return `${size} bytes`;
  return await readFile(path, "base64").catch((error: unknown) => String(error));
}
