import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isCallweaveError, StoreError } from "../../src/base/errors.ts";
import { parseJsonFile, readTextFile } from "../../src/base/files/mod.ts";
import { parsedJson } from "../../src/base/values/mod.ts";
import { createRecordings, fileRecordings, offline } from "../../src/call/models/mod.ts";
import {
  apply,
  deleteDeployed,
  drift,
  listDeployed,
  plan,
  pull,
  requireReviewedPlan,
  rollback,
} from "../../src/deploy/mod.ts";
import { pullCalls } from "../../src/run/calls/mod.ts";
import { run } from "../../src/run/runner/mod.ts";
import { openStore } from "../../src/run/store/mod.ts";
import { readProject } from "../../src/surface/project/mod.ts";
import { WRONG_KINDS } from "../base/http/wrong_answers.ts";
import { leaveSpool } from "../run/store/_spools.ts";
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

/** The texts of wrong answers, as the content of a file. Bodies that do not end, and unknown keys, are no damage of a file. */
const TEXTS = WRONG_KINDS.filter(({ name }) => !/body|key twice/.test(name)).map(
  ({ name, answer }) =>
    [
      `is an answer: ${name}`,
      async (path: string, text: string) => {
        const made = answer({ status: 200, text, value: parsedJson(text), expire: () => {} });
        if (made instanceof Response && made.status === 200)
          await writeFile(path, new Uint8Array(await made.arrayBuffer()));
      },
    ] as const,
);

const ALL = [...Object.entries(DAMAGES), ...TEXTS];

/** A file, and everything that reads it. */
interface ReadFile {
  readonly path: string;
  readonly readers: readonly (() => Promise<unknown>)[];
  /** Damages that cannot be told from what the file may be. */
  readonly except?: RegExp;
}

/**
 * Damages each file that Callweave keeps and reads again, in each way, and does what reads it.
 *
 * @param step 1 for all pairs of a file and a way, 5 for every fifth of them.
 */
export async function fuzzFiles(step = 1): Promise<FileFuzzReport> {
  const report = { damages: 0, successes: [] as string[], rawErrors: [] as string[], changed: [] as string[] };
  await using world = await World.open("retell");
  const kept = await mkdtemp(join(tmpdir(), "callweave-test-kept-"));
  let pair = 0;
  for (const { path, readers, except } of [...(await deployFiles(world)), ...(await runFiles(world))]) {
    const text = await readFile(path, "utf8");
    for (const [damage, make] of ALL) {
      if (except?.test(damage) || pair++ % step !== 0) continue;
      await cp(path, join(kept, "file"));
      await make(path, text);
      const before = await stateOf(path);
      if (before === Buffer.from(text).toString("base64")) continue; // it has nothing to damage in this way
      report.damages++;
      world.requests.length = 0;
      for (const [index, read] of readers.entries()) {
        const place = `${path.slice(world.folder.length)} ${damage}, reader ${index}`;
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
      await rm(path, { recursive: true, force: true });
      await cp(join(kept, "file"), path);
    }
  }
  await rm(kept, { recursive: true });
  return report;
}

/** The files of deployments and of pulling calls. */
async function deployFiles(world: World): Promise<readonly ReadFile[]> {
  await apply(await plan(shop(), world.target()));
  await apply(await plan(shop({ greet: "Ask kindly." }), world.target()));
  const graph = shop({ greet: "Ask again." });
  const snapshots = join(world.folder, ".callweave/snapshots/staging/shop/retell");
  const [snapshot = ""] = await readdir(snapshots);
  const [pulls, planned] = [join(world.folder, "pulls.json"), join(world.folder, "plan.json")];
  await writeFile(pulls, '{"retell x":{"covered":[{"from":1,"to":2}],"result":null}}');
  const target = world.target();
  const reviewed = await plan(graph, target);
  await writeFile(planned, JSON.stringify(reviewed));
  // a request means that the record was believed
  const asked = Object.assign(async () => Promise.reject(new Error("the platform was asked")), {
    preconnect: () => {},
  });
  const pullAgain = async () => {
    await using store = await openStore(":memory:");
    const options = { key: "key-of-the-test", since: new Date(0), store, clock: WITHOUT_PAUSES };
    await pullCalls("retell", { ...options, state: pulls, fetch: asked });
  };
  return [
    {
      path: join(world.folder, "callweave.lock.json"),
      readers: [
        () => plan(graph, target),
        () => drift(graph, target),
        () => pull(graph, target),
        () => listDeployed(world.folder),
        () => deleteDeployed(target, { confirm: "shop" }),
      ],
    },
    {
      path: join(world.folder, ".callweave/deploy/staging/shop/retell.json"),
      readers: [() => plan(graph, target), () => drift(graph, target)],
    },
    { path: join(snapshots, snapshot), readers: [() => rollback(join(snapshots, snapshot), target)] },
    { path: pulls, readers: [pullAgain], except: /empty object/ },
    {
      path: planned,
      readers: [async () => requireReviewedPlan(reviewed, parseJsonFile(planned, await readTextFile(planned)))],
    },
  ];
}

/** The configuration, and the files of runs. */
async function runFiles(world: World): Promise<readonly ReadFile[]> {
  const [config, calls] = [join(world.folder, "callweave.config.json"), join(world.folder, "calls.json")];
  const environments = { staging: { to: "retell", key: "RETELL_API_KEY", voice: { retell: "11labs-Adrian" } } };
  await writeFile(config, JSON.stringify({ source: "flow.ts", run: { db: "results.db" }, environments }));
  const scenarios = [{ name: "asks for a lamp", says: ["I would like a lamp."], visits: ["greet"] }];
  const runWith = async (mode: "record" | "replay") => {
    const recordings = createRecordings(fileRecordings(calls), mode);
    await run(shop(), scenarios, { models: { agent: offline() }, store: false, recordings });
  };
  await runWith("record");
  const [database, spool] = [join(world.folder, "results.db"), join(world.folder, "spool")];
  await (await openStore(database, { spool })).close();
  const { path: spooled = "" } = await leaveSpool(spool, database, 3);
  const recover = async () => {
    await using store = await openStore(database, { spool, recover: false });
    const { unreadable, damaged } = await store.recover();
    await rename(`${spooled}.left`, spooled).catch(() => {}); // where lines cannot be read, it is renamed
    // `callweave runs recover` reports them, and ends with 1
    if (unreadable.length + damaged > 0)
      throw new StoreError("Cannot recover", { code: "store-failed", hint: unreadable.join() });
  };
  return [
    { path: config, readers: [() => readProject(dirname(config), { env: {} })], except: /empty object/ },
    { path: calls, readers: [() => runWith("replay"), () => runWith("record")] },
    // a killed process leaves an empty file, or a last line without an end
    { path: spooled, readers: [recover], except: /cut|behind|truncated|larger|: empty$/ },
  ];
}

/** The content of a file, as far as it can be read. */
async function stateOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return "it is gone";
  if (found.size >= HUGE) return `${found.size} bytes`;
  return await readFile(path, "base64").catch((error: unknown) => String(error));
}
