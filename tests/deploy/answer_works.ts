import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DeployError } from "../../src/base/errors.ts";
import {
  apply,
  type DeployFormat,
  deleteDeployed,
  drift,
  importDeployed,
  plan,
  promote,
  pull,
  rollback,
} from "../../src/deploy/mod.ts";
import { pullCalls } from "../../src/run/calls/mod.ts";
import { openStore } from "../../src/run/store/mod.ts";
import { shop } from "./shop.ts";
import { DAY, KEY, NOW, type Wronged } from "./wronged.ts";

/** Work that sends requests, and what is done before any answer is wrong. */
interface Work {
  readonly name: string;
  /** What it depends on: the format, or the platform alone. */
  readonly by: "format" | "platform";
  readonly prepare?: (world: Wronged) => Promise<unknown>;
  readonly run: (world: Wronged) => Promise<unknown>;
}

const first = shop();
const second = shop({ greet: "Ask what the caller would like.", hasReturns: true });

const applied = async (world: Wronged, graph = first, to = world.to) =>
  await apply(await plan(graph, world.target({ to })), { publish: true });

/** The other format of a platform, to which an agent's engine can change. */
const OTHER: { readonly [format: string]: DeployFormat } = {
  retell: "retell-llm",
  "retell-llm": "retell",
  bland: "bland", // it has one format, as have the other two
  telnyx: "telnyx",
  "vapi-squad": "vapi-assistant",
  "vapi-assistant": "vapi-squad",
  elevenlabs: "elevenlabs",
};

/** Everything that sends requests to platforms for which agents are deployed. */
export const WORKS: readonly Work[] = [
  { name: "first apply", by: "format", run: async (world) => await applied(world) },
  {
    name: "next apply",
    by: "format",
    prepare: async (world) => await applied(world),
    run: async (world) => await applied(world, second),
  },
  {
    name: "apply as the other format",
    by: "format",
    prepare: async (world) => await applied(world),
    run: async (world) => await applied(world, first, OTHER[world.to]),
  },
  {
    name: "drift",
    by: "format",
    prepare: async (world) => await applied(world),
    run: async (world) => await drift(first, world.target()),
  },
  {
    name: "pull",
    by: "format",
    prepare: async (world) => await applied(world),
    run: async (world) => await pull(first, world.target()),
  },
  {
    name: "promote",
    by: "format",
    prepare: async (world) => await applied(world),
    run: async (world) =>
      await apply(await promote(first, world.target(), world.target({ environment: "production" }))),
  },
  {
    name: "rollback",
    by: "format",
    prepare: async (world) => {
      await applied(world);
      await applied(world, second);
    },
    run: async (world) => await apply(await rollback("latest", world.target())),
  },
  {
    name: "prune",
    by: "format",
    prepare: async (world) => await applied(world, second),
    run: async (world) => {
      const { kept } = await apply(await plan(first, world.target()), { prune: true });
      // a report that names what was not deleted, and why, is no silent success
      for (const { address, id, why } of kept)
        throw new DeployError(`Kept ${address} (${id}): ${why}`, { code: "platform-refused", hint: "Delete it later" });
    },
  },
  {
    name: "delete",
    by: "format",
    // an agent that answers a number cannot be deleted
    prepare: async (world) => await apply(await plan(first, { ...world.target(), settings: {} })),
    run: async (world) => await deleteDeployed(world.target(), { confirm: "shop" }),
  },
  {
    name: "adopt",
    by: "format",
    prepare: async (world) => {
      await applied(world);
      await rm(join(world.folder, ".callweave"), { recursive: true });
      const lock = join(world.folder, "callweave.lock.json");
      world.adopted = /"(?:agent|pathway|squad|assistant)": "([^"]+)"/.exec(await readFile(lock, "utf8"))?.[1] ?? "";
      await rm(lock);
    },
    run: async (world) => await importDeployed(world.adopted, world.target()),
  },
  {
    name: "calls pull",
    by: "platform",
    run: async (world) => {
      const store = await openStore(`file:${join(world.folder, "results.db")}`);
      const { fetch: send, clock, platform } = world;
      const state = join(world.folder, "pulls.json");
      try {
        const since = new Date(NOW - 2 * DAY);
        const report = await pullCalls(platform, { key: KEY, since, store, state, clock, fetch: send });
        if (report.damaged + report.skipped > 0) throw new Error(`${report.damaged} damaged`);
      } finally {
        await store.close();
      }
    },
  },
];
