import assert from "node:assert/strict";
import { test } from "node:test";
import { flow, offline, openStore, type RunOptions, run, scenario } from "../../../mod.ts";
import { requireRun } from "../../../src/deploy/gate.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import type { Scenario } from "../../../src/document/scenario/mod.ts";
import type { RunRecord, Store } from "../../../src/run/store/mod.ts";
import { standingOf } from "../../../src/run/summary/mod.ts";
import { seeded } from "../../platforms/mutate.ts";

/** All on one runtime, a tenth on the others: the code is the same everywhere. */
const SEQUENCES = "Bun" in globalThis ? 2_000 : 200;
const SLOW = { timeout: 300_000 };
const NAMES = ["orders", "returns", "thanks"] as const;

function agent(prompt: string): AgentGraph {
  return flow("desk").conversation("greet", { prompt }).compile();
}

const graphs = [agent("Greet the caller."), agent("Greet the caller in German.")] as const;

/** The scenarios of the agent; `edited` has another content. */
function scenariosOf(graph: AgentGraph, edited: string | undefined): readonly Scenario[] {
  return NAMES.map((name) =>
    scenario(name, graph)
      .says(name === edited ? "Good evening" : "Good morning")
      .visits("greet")
      .toJSON(),
  );
}

interface Part {
  readonly version: 0 | 1;
  readonly edited: string | undefined;
  readonly selected: readonly string[];
  readonly shard: { readonly index: number; readonly total: number } | undefined;
  /** Scenarios whose caller fails. */
  readonly broken: ReadonlySet<string>;
  readonly repeat: number;
  readonly isAborted: boolean;
  /** The database lacks a result: it is spooled or lost. */
  readonly isLossy: boolean;
}

function choose(random: () => number): Part {
  const chance = (of: number) => random() < of;
  const some = NAMES.filter(() => chance(0.6));
  return {
    version: chance(0.1) ? 1 : 0,
    edited: chance(0.15) ? NAMES[Math.floor(random() * NAMES.length)] : undefined,
    selected: chance(0.25) && some.length > 0 ? some : NAMES,
    shard: chance(0.15) ? { index: 1, total: 1 + Math.floor(random() * 2) } : undefined,
    broken: new Set(chance(0.2) ? some.slice(0, 1) : []),
    repeat: chance(0.1) ? 2 : 1,
    isAborted: chance(0.1),
    isLossy: chance(0.1),
  };
}

/** The shard that a part runs as; none of more shards than scenarios. */
function shardOf({ shard, selected }: Part): Part["shard"] {
  return shard && shard.total <= selected.length ? shard : undefined;
}

/** Runs a part; the first call of an aborted one aborts it. */
async function runPart(part: Part, store: Store, more: Partial<RunOptions> = {}): Promise<RunRecord> {
  const graph = graphs[part.version];
  const all = scenariosOf(graph, part.edited);
  const abort = new AbortController();
  const shard = shardOf(part);
  const report = await run(
    graph,
    all.filter(({ name }) => part.selected.includes(name)),
    {
      models: { agent: offline() },
      ...{
        store,
        repeat: part.repeat,
        concurrency: part.isAborted ? 1 : 4,
        selectedFrom: all,
        codeVersion: "one",
        signal: abort.signal,
      },
      ...(shard ? { shard } : {}),
      createCaller: ({ name, says }) => {
        if (part.isAborted) abort.abort();
        if (part.broken.has(name)) throw new Error("this caller is broken");
        const lines = [...says];
        return {
          next: async () => {
            const say = lines.shift();
            return say === undefined ? { hangUp: "caller_ended" } : { say };
          },
        };
      },
      ...more,
    },
  );
  return await store.findRun(report.id);
}

/** Whether a run is whole for the present version and scenarios, by what was asked of it. */
function isWhole(part: Part): boolean {
  return (
    part.version === 0 &&
    part.edited === undefined &&
    part.selected.length === NAMES.length &&
    (shardOf(part)?.total ?? 1) === 1 &&
    !NAMES.some((name) => part.broken.has(name)) &&
    !part.isAborted &&
    !part.isLossy
  );
}

/** A store that lacks one of a run's results. */
function withoutOne(store: Store): Pick<Store, "listRuns" | "findRun" | "listResults"> {
  return {
    listRuns: (query) => store.listRuns(query),
    findRun: (id, wait) => store.findRun(id, wait),
    listResults: async (query) => (await store.listResults(query)).slice(1),
  };
}

test(
  "gates take whole runs only: random selections, shards, errors, aborts, losses, contents and versions",
  SLOW,
  async () => {
    const random = seeded(27);
    const wanted = scenariosOf(graphs[0], undefined);
    let wholes = 0;
    let store = await openStore(":memory:");
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      if (sequence % 50 === 49) {
        await store.close();
        store = await openStore(":memory:");
      }
      const part = choose(random);
      let done = part;
      let stored = await runPart(part, store);
      if ((part.isAborted || part.broken.size > 0) && random() < 0.3) {
        done = { ...part, isAborted: false, broken: new Set() };
        stored = await runPart(done, store, { resume: stored.id });
      }
      const seen = part.isLossy ? withoutOne(store) : store;
      const expected = isWhole(done);
      const context = JSON.stringify({ ...done, broken: [...done.broken] });
      const { missing } = await standingOf(seen, stored, { wanted });
      const lacking = [...missing, ...(part.version === 1 ? ["another version"] : [])];
      assert.equal(lacking.length === 0, expected, `${context}: ${lacking.join("; ")}`);
      const refusal = await requireRun(graphs[0], seen, { run: stored.id, scenarios: wanted }).then(
        () => undefined,
        (error: { code: string; message: string }) => error,
      );
      assert.equal(refusal === undefined, expected, `${context}: ${refusal?.message}`);
      const named = await store.setBaseline("main", stored.id).then(
        () => undefined,
        (error: { code: string; message: string }) => error,
      );
      // a baseline stands for the scenarios of its own version
      const isOwnWhole = isWhole({ ...done, version: 0, edited: undefined, isLossy: false });
      assert.equal(named === undefined, isOwnWhole, `${context}: ${named?.message}`);
      if (named) assert.equal(named.code, "partial-run");
      if (refusal) assert.equal(refusal.code, "gate");
      else wholes++;
    }
    await store.close();
    assert.ok(wholes > SEQUENCES / 20 && wholes < SEQUENCES, `${wholes} whole runs`);
  },
);

test("a gate says which scenarios of a part are missing", async () => {
  await using store = await openStore(":memory:");
  const none = { edited: undefined, shard: undefined, broken: new Set<string>(), isAborted: false, isLossy: false };
  const part = { version: 0, repeat: 1, selected: ["orders"], ...none } as const;
  const gate = (run: RunRecord, scenarios?: readonly Scenario[]) =>
    requireRun(graphs[0], store, { run: run.id, ...(scenarios ? { scenarios } : {}) });
  const selected = await runPart(part, store);
  const message = /1 of 3 scenarios were selected, without "returns", "thanks"/;
  await assert.rejects(gate(selected), { code: "gate", message });
  const split = await runPart({ ...part, selected: NAMES, shard: { index: 1, total: 2 } }, store);
  await assert.rejects(gate(split), { code: "gate", message: /it is shard 1\/2/ });
  const broken = await runPart({ ...part, selected: NAMES, broken: new Set(["thanks"]) }, store);
  await assert.rejects(gate(broken), { code: "gate", message: /"thanks" has 1 error/ });
  const whole = await runPart({ ...part, selected: NAMES }, store);
  assert.equal((await gate(whole)).id, whole.id);
  const edited = scenariosOf(graphs[0], "returns");
  await assert.rejects(gate(whole, edited), { code: "gate", message: /"returns" had another content/ });
});
