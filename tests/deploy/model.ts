import assert from "node:assert/strict";
import { DeployError } from "../../src/base/errors.ts";
import { isRecord, type JsonObject, recordAt } from "../../src/base/values/mod.ts";
import {
  type ApplyOptions,
  apply,
  type DeployPlan,
  listDeployed,
  listSnapshots,
  plan,
  promote,
  pull,
  type ResourceIds,
  rollback,
} from "../../src/deploy/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { type Party, refusesEntryOf, refusesFilesOf } from "./foreign_files.ts";
import { type DashboardEdit, SETTINGS } from "./model_edits.ts";
import { type ShopTexts, shop } from "./shop.ts";
import { FORMATS, randomOf, type To, World } from "./world.ts";

/** Runs a random sequence of edits, plans, applies, failures and rollbacks, and checks the laws after each step. */
export async function drive(to: To, seed: number, steps: number): Promise<readonly string[]> {
  await using world = await World.open(to, seed);
  const session = new Session(world, randomOf(seed * 7919));
  await session.start();
  try {
    for (let step = 0; step < steps; step++) await session.step();
  } catch (cause) {
    throw new Error(`${to}, seed ${seed}: ${session.log.join(", ")}`, { cause });
  }
  return session.log;
}

class Session {
  readonly log: string[] = [];
  readonly #world: World;
  readonly #random: () => number;
  #texts: ShopTexts = {};
  #graph: AgentGraph = shop();
  /** Changes of the dashboard that nobody has reverted, by address and key. */
  readonly #edits = new Map<string, DashboardEdit>();
  #foreign = "";
  #count = 0;

  constructor(world: World, random: () => number) {
    this.#world = world;
    this.#random = random;
  }

  /** Somebody else's agent is in the workspace from the start. */
  async start(): Promise<void> {
    const other = { ...this.#world.target("someone-else"), flow: "other" };
    await apply(await plan(shop({ greet: "This is somebody else's agent." }), other));
    this.#foreign = await this.#foreignState();
  }

  async step(): Promise<void> {
    const actions = [
      () => this.#editCode(),
      () => this.#editCode(),
      () => this.#editDashboard(),
      () => this.#apply(),
      () => this.#apply(),
      () => this.#failApplying(),
      () => this.#failApplying(),
      () => this.#pull(),
      () => this.#rollBack(),
      () => this.#promote(),
      () => this.#loseBaseline(),
      () => this.#changeFormat(),
      () => this.#changeFormat(),
      () => this.#tryForeignFiles(),
    ];
    const action = actions[Math.floor(this.#random() * actions.length)];
    await action?.();
    assert.equal(
      await this.#foreignState(),
      this.#foreign,
      `somebody else's agent was changed: ${this.log.join(", ")}`,
    );
  }

  #editCode(): void {
    const value = `${this.#count++}`;
    const edits: readonly ShopTexts[] = [
      { greet: `Ask what the caller wants (${value}).` },
      { order: `Take the order (${value}).` },
      { hasReturns: !this.#texts.hasReturns },
    ];
    this.#texts = { ...this.#texts, ...edits[Math.floor(this.#random() * edits.length)] };
    this.#graph = shop(this.#texts);
    this.log.push(`code ${JSON.stringify(this.#texts)}`);
  }

  async #editDashboard(): Promise<void> {
    const ids = await this.#world.ids();
    const settings = SETTINGS[this.#world.to];
    const edit = settings[Math.floor(this.#random() * settings.length)]?.(this.#count++ % 90);
    if (!edit || ids[edit.address] === undefined) return;
    if (!(await this.#write(edit.address, ids, { [edit.key]: edit.value }))) return;
    this.#edits.set(`${edit.address} ${edit.key}`, edit);
    this.log.push(`dashboard ${edit.address} ${edit.key}`);
  }

  /** Returns whether the resource could be changed: a published version cannot. */
  async #write(address: string, ids: ResourceIds, body: JsonObject): Promise<boolean> {
    if ((await this.#world.read(address, ids)).is_published === true) return false;
    const method = this.#world.updateMethod(address);
    await this.#world.send({ method, path: this.#world.updatePath(address, ids), body });
    return true;
  }

  async #apply(options: ApplyOptions = {}): Promise<void> {
    const planned = await plan(this.#graph, this.#world.target());
    await this.#applied(planned, options);
    await this.#checkDeployed();
  }

  /** Applies a plan. Differences of unknown origin are refused, and then taken over. */
  async #applied(planned: DeployPlan, options: ApplyOptions): Promise<void> {
    const publish = (this.#world.isRetell || this.#world.to === "telnyx") && this.#random() < 0.2;
    try {
      await apply(planned, { ...options, publish });
      this.log.push(publish ? "apply and publish" : "apply");
    } catch (error) {
      // changes of the dashboard to an engine that the agent will no longer use stay there, after a confirmation
      const isConflict = error instanceof DeployError && error.code === "deploy-conflict";
      const isExpected = isConflict && planned.replaces !== undefined;
      if (!isExpected && !(error instanceof DeployError && error.code === "no-baseline")) throw error;
      this.log.push(`refused: ${error.code}`);
      await apply(planned, { ...options, overwriteRemote: true });
    }
  }

  /** After an apply: no change of the dashboard is lost, nothing is left to write, and there are no duplicates. */
  async #checkDeployed(): Promise<void> {
    const where = this.log.join(", ");
    const again = await plan(this.#graph, this.#world.target());
    const open = again.resources
      .filter(({ action }) => action !== "none")
      .map(({ address, state }) => `${address} ${state}`);
    assert.deepEqual(open, [], `a second apply is not empty: ${where}`);
    const ids = await this.#world.ids();
    await this.#checkEdits(ids);
    const known = (await Promise.all(["staging", "production", "someone-else"].map((name) => this.#world.ids(name))))
      .flatMap((each) => Object.values(each))
      .sort();
    assert.deepEqual(await this.#world.everything(), known, `the lock file and the platform disagree: ${where}`);
    const text = JSON.stringify(await this.#readAnswering(ids, where));
    for (const said of [this.#texts.greet, this.#texts.order])
      if (said) assert.ok(text.includes(said), `${said} is missing: ${where}`);
  }

  async #checkEdits(ids: ResourceIds): Promise<void> {
    for (const { address, key, value } of this.#edits.values()) {
      const id = ids[address];
      if (id === undefined) continue;
      const body = await this.#world.read(address, ids);
      assert.deepEqual(
        body[key],
        value,
        `the dashboard's ${key} of ${address} was overwritten: ${this.log.join(", ")}`,
      );
    }
  }

  /** The resources that answer calls in the format that the code names. */
  async #readAnswering(ids: ResourceIds, where: string): Promise<readonly JsonObject[]> {
    const { to, isRetell } = this.#world;
    const [entry] = (await listDeployed(this.#world.folder)).filter(({ environment }) => environment === "staging");
    assert.equal(entry?.format, to, where);
    if (!isRetell) {
      const isUsed = (address: string) => to === "telnyx" || (address === "assistant") === (to === "vapi-assistant");
      return await this.#read(Object.fromEntries(Object.entries(ids).filter(([address]) => isUsed(address))));
    }
    const engine = recordAt(await this.#world.read("agent", ids), "response_engine");
    const kind = to === "retell" ? "conversation-flow" : to;
    assert.equal(engine.type, kind, `the agent answers with another engine: ${where}`);
    assert.ok(Object.values(engine).includes(ids[kind]), `the agent answers with another engine: ${where}`);
    return await this.#read({ [kind]: ids[kind] ?? "" });
  }

  async #read(ids: ResourceIds): Promise<readonly JsonObject[]> {
    return await Promise.all(Object.keys(ids).map((address) => this.#world.read(address, ids)));
  }

  /** A request fails; the next apply finishes the interrupted one. */
  async #failApplying(): Promise<void> {
    const at = Math.floor(this.#random() * 14);
    const faults = ["cut-before", "cut-after", { status: 500, body: { message: "boom" } }] as const;
    const fault = faults[Math.floor(this.#random() * faults.length)];
    const planned = await plan(this.#graph, this.#world.target());
    let count = 0;
    // the fault stays, so that retries do not hide it
    this.#world.fault = () => (count++ === at || (count > at && count <= at + 5) ? fault : undefined);
    try {
      await apply(planned);
      this.log.push("apply in spite of a fault");
    } catch (error) {
      if (!(error instanceof DeployError)) throw error;
      this.log.push(`fault ${at} ${String(fault)}: ${error.code}`);
    } finally {
      this.#world.fault = () => undefined;
    }
    await this.#apply();
  }

  async #pull(): Promise<void> {
    if (Object.keys(await this.#world.ids()).length === 0) return;
    const { graph, conflicts } = await pull(this.#graph, this.#world.target());
    assert.deepEqual(conflicts, [], this.log.join(", "));
    this.log.push("pull");
    const again = await plan(graph, this.#world.target());
    assert.deepEqual(again.conflicts, [], `a pulled graph is in conflict: ${this.log.join(", ")}`);
  }

  async #rollBack(): Promise<void> {
    const target = { ...this.#world.target(), flow: "shop" };
    const [latest] = await listSnapshots(target);
    if (!latest) return;
    this.log.push("rollback");
    await apply(await rollback(latest.path, target));
    const again = await rollback(latest.path, target);
    assert.equal(again.isEmpty, true, `a second rollback is not empty: ${this.log.join(", ")}`);
    // a snapshot has the dashboard as it was then
    for (const [key, { address, key: setting, value }] of this.#edits) {
      const id = (await this.#world.ids())[address];
      const body = id === undefined ? {} : await this.#world.read(address, { [address]: id });
      if (JSON.stringify(body[setting]) !== JSON.stringify(value)) this.#edits.delete(key);
    }
    await this.#apply();
  }

  async #promote(): Promise<void> {
    const [from, to] = [this.#world.target("staging"), this.#world.target("production")];
    try {
      const planned = await promote(this.#graph, from, to);
      this.log.push("promote");
      await this.#applied(planned, {});
      const again = await plan(this.#graph, to);
      assert.equal(again.isEmpty, true, `production is not what was promoted: ${this.log.join(", ")}`);
    } catch (error) {
      if (!(error instanceof DeployError) || error.code !== "not-verified") throw error;
      this.log.push("not verified");
    }
  }

  /** Another machine continues, without a baseline. */
  async #loseBaseline(): Promise<void> {
    await this.#world.forget();
    this.log.push("another machine");
  }

  /** The code names the other format of the platform from now on. */
  #changeFormat(): void {
    const formats = FORMATS.find((pair) => pair.some((to) => to === this.#world.to)) ?? [];
    this.#world.to = formats.find((to) => to !== this.#world.to) ?? this.#world.to;
    this.log.push(`format ${this.#world.to}`);
  }

  /** Files of each agent of the folder are tried in the place of each other one. */
  async #tryForeignFiles(): Promise<void> {
    const { folder } = this.#world;
    const parties = (await listDeployed(folder)).map(({ environment, flow, format: to }): Party => {
      return { target: { ...this.#world.target(environment), to, folder, environment, flow }, graph: this.#graph };
    });
    const pairs = parties.flatMap((owner) => parties.map((user) => [owner, user] as const));
    for (const [owner, user] of pairs.filter(([owner, user]) => owner !== user)) {
      await refusesFilesOf(owner, user);
      await refusesEntryOf(owner, user);
    }
    this.log.push(`foreign files of ${parties.length}`);
  }

  async #foreignState(): Promise<string> {
    return JSON.stringify((await this.#read(await this.#world.ids("someone-else"))).map(sortedKeys));
  }
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortedKeys(value[key])]),
  );
}
