import { DeployError, type Path } from "../errors.ts";
import { revealSecrets } from "../secrets/mod.ts";
import { checkOptions, isRecord, type JsonObject, OPTION } from "../values/mod.ts";
import { byAddress, type Deployment, type FoundAgent, readAgent, withCreated } from "./deployment/mod.ts";
import type { ComparedResource, DeployPlan, PlanParts } from "./plan/mod.ts";
import { checkApplicable, PreparedPlan, pointNumbers } from "./plan/mod.ts";
import type { RemoteResource } from "./resources/mod.ts";
import { linkIds, mergeBodies, type ResourceIds, unlinkIds } from "./resources/mod.ts";
import {
  type Baseline,
  holdsAll,
  lockedAgent,
  readBaseline,
  readLockFile,
  removeIntent,
  whileApplying,
  writeBaseline,
  writeIntent,
  writeLockedAgent,
  writeSnapshot,
} from "./state/mod.ts";

/** Options of {@link apply}. */
export interface ApplyOptions {
  /**
   * Overwrites changes on the platform with the code: changes made after the plan, conflicts, and differences whose origin
   * this machine does not know.
   */
  readonly overwriteRemote?: boolean;
  /** Creates the agent again if it was deleted completely. */
  readonly recreate?: boolean;
  /** Publishes what was written, so that calls use it. */
  readonly publish?: boolean;
  /** Deletes resources that the agent no longer uses. */
  readonly prune?: boolean;
  /** Called after each resource. */
  readonly onWritten?: (written: WrittenResource) => void;
}

const RULES = {
  overwriteRemote: OPTION.switch,
  recreate: OPTION.switch,
  publish: OPTION.switch,
  prune: OPTION.switch,
  onWritten: OPTION.function,
};

/** A resource that was written. */
export interface WrittenResource {
  readonly address: string;
  readonly id: string;
  readonly action: "created" | "updated" | "deleted";
}

/** The result of an apply. */
export interface ApplyReport {
  readonly written: readonly WrittenResource[];
  /** Values that the platform did not store as they were sent. */
  readonly notPersisted: readonly { readonly address: string; readonly path: Path }[];
  /** Snapshot file of the platform's previous state; absent if nothing was written or nothing existed. */
  readonly snapshot?: string;
  /** Phone numbers that now point to the agent. */
  readonly numbers: readonly string[];
  /** Whether calls use the new version. */
  readonly isPublished: boolean;
}

/**
 * Executes a plan in order. Ids are written to the lock file as soon as they are known, so that the next apply finishes
 * an interrupted one.
 *
 * @throws {DeployError} `remote-changed` if the platform changed since the plan; `deploy-conflict` for places
 * that both sides have changed; `no-baseline` for differences of unknown origin; `agent-missing` if the agent was
 * deleted completely; `unresolved-reference` if environment variables of references were not passed; `apply-running` for a
 * concurrent apply; and errors of the platform.
 */
export async function apply(plan: DeployPlan, options: ApplyOptions = {}): Promise<ApplyReport> {
  const parts = PreparedPlan.partsOf(plan);
  checkOptions(options, RULES, DeployError, "Cannot apply");
  const { folder, place } = parts.deployment;
  return await whileApplying(folder, place, () => new Application(plan, parts, options).run());
}

class Application {
  readonly #plan: DeployPlan;
  readonly #parts: PlanParts;
  readonly #options: ApplyOptions;
  readonly #deployment: Deployment;
  readonly #written: WrittenResource[] = [];
  readonly #done = new Map<string, RemoteResource>();
  #workspace: string | undefined;
  #ids: ResourceIds = {};
  #baseline: Baseline = {};

  constructor(plan: DeployPlan, parts: PlanParts, options: ApplyOptions) {
    this.#plan = plan;
    this.#parts = parts;
    this.#options = options;
    this.#deployment = parts.deployment;
    this.#workspace = parts.workspace;
  }

  async run(): Promise<ApplyReport> {
    const { folder, place, adapter, client } = this.#deployment;
    const { compared } = this.#parts;
    this.#ids = await withCreated(this.#deployment, lockedAgent(await readLockFile(folder), place).ids);
    this.#baseline = { ...this.#parts.baseline, ...(await readBaseline(folder, place)) };
    let found = await readAgent(this.#deployment, this.#ids);
    checkApplicable(this.#parts, found, this.#options);
    const unused = this.#options.prune ? this.#plan.unused : [];
    const isNothing = compared.every(({ action }) => action === "none") && unused.length === 0;
    let snapshot: string | undefined;
    const root = compared.at(-1)?.address ?? "";
    if (!isNothing && byAddress(found.resources).has(root))
      // otherwise an interrupted apply would leave unused resources
      snapshot = await writeSnapshot(folder, place, {
        to: this.#deployment.target.to,
        resources: found.resources,
        baseline: this.#baseline,
      });
    if (compared.some(({ action }) => action !== "none") && adapter.prepare) {
      const prepared = await adapter.prepare(client, found.resources);
      if (prepared !== found.resources) found = await readAgent(this.#deployment, this.#ids);
    }
    const there = byAddress(found.resources);
    const values = new Map([...found.secrets, ...this.#parts.secrets]);
    for (const resource of compared) await this.#write(resource, there.get(resource.address), values);
    const isPublished = await this.#publish();
    const numbers = await pointNumbers(this.#deployment, this.#plan.numbers, this.#ids);
    for (const { address, id } of unused) await this.#delete(address, id);
    if (!isNothing && this.#workspace === undefined) {
      // platforms that report the workspace in resources cannot report it while it is empty
      this.#workspace = await adapter.workspaceOf(client);
      await this.#saveIds();
    }
    const answered = isNothing ? found : await readAgent(this.#deployment, this.#ids);
    await this.#keep(byAddress(answered.resources));
    return {
      written: this.#written,
      notPersisted: compared.flatMap((resource) => this.#lost(resource, answered)),
      ...(snapshot === undefined ? {} : { snapshot }),
      numbers,
      isPublished,
    };
  }

  async #write(
    resource: ComparedResource,
    there: RemoteResource | undefined,
    values: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { adapter, client, folder, place, hide } = this.#deployment;
    const { address, kind, name } = resource;
    if (resource.action === "none" && there) {
      this.#done.set(address, there);
      return;
    }
    const body = linkIds(revealSecrets(resource.body, values), this.#ids);
    const whole = { kind, name, body };
    const remote = there && { ...there, body: linkIds(revealSecrets(there.body, values), this.#ids) };
    if (!remote) {
      const known = (await adapter.list(client, kind)).map(({ id }) => id);
      await writeIntent(folder, place, { address, kind, known, body: hide(body).body });
    }
    const now = await adapter.write(client, whole, { ...(remote ? { remote } : {}), written: this.#done });
    this.#done.set(address, now);
    this.#ids = { ...this.#ids, [address]: now.id };
    await this.#saveIds();
    if (!remote) await removeIntent(folder, place);
    const answered = hide(unlinkIds(now.body, this.#ids)).body;
    const { [address]: _, ...others } = this.#baseline;
    this.#baseline = { ...others, ...this.#applied(resource, answered) };
    await writeBaseline(folder, place, this.#baseline);
    this.#report({ address, id: now.id, action: remote ? "updated" : "created" });
  }

  async #delete(address: string, id: string): Promise<void> {
    const { adapter, client } = this.#deployment;
    const [found] = await adapter.read(client, { [address]: id });
    if (found) await adapter.remove(client, found);
    const { [address]: _, ...ids } = this.#ids;
    this.#ids = ids;
    await this.#saveIds();
    this.#report({ address, id, action: "deleted" });
  }

  async #publish(): Promise<boolean> {
    const { adapter, client } = this.#deployment;
    if (!this.#options.publish || !adapter.publish) return false;
    await adapter.publish(client, [...this.#done.values()]);
    return true;
  }

  async #saveIds(): Promise<void> {
    const { folder, place, locked } = this.#deployment;
    const workspace = this.#workspace ?? locked.workspace;
    await writeLockedAgent(folder, place, { ...(workspace === undefined ? {} : { workspace }), ids: this.#ids });
  }

  /** Stores the platform's current state as the baseline. */
  async #keep(answered: ReadonlyMap<string, RemoteResource>): Promise<void> {
    const { folder, place } = this.#deployment;
    const kept = this.#parts.compared.map((resource) => {
      const now = answered.get(resource.address)?.body;
      return now ? this.#applied(resource, now) : {};
    });
    await writeBaseline(folder, place, Object.assign({}, ...kept));
  }

  /** The applied state without changes of the dashboard, which stay pending until they are pulled. */
  #applied({ address, mine, body, local }: ComparedResource, now: JsonObject): Baseline {
    if (!mine) return {};
    return { [address]: { sent: mine, answered: mergeBodies(now, body, local, this.#deployment.shape) } };
  }

  /** Paths whose wanted value the platform does not have. */
  #lost({ address, body }: ComparedResource, { resources }: FoundAgent): ApplyReport["notPersisted"] {
    const now = byAddress(resources).get(address)?.body;
    return now ? lostPaths(body, now).map((path) => ({ address, path })) : [{ address, path: [] }];
  }

  #report(written: WrittenResource): void {
    this.#written.push(written);
    this.#options.onWritten?.(written);
  }
}

function lostPaths(wanted: unknown, answered: unknown, path: Path = []): readonly Path[] {
  if (isRecord(wanted) && isRecord(answered))
    return Object.entries(wanted).flatMap(([key, value]) => lostPaths(value, answered[key], [...path, key]));
  if (Array.isArray(wanted) && Array.isArray(answered) && wanted.length === answered.length)
    return wanted.flatMap((item, index) => lostPaths(item, answered[index], [...path, index]));
  return holdsAll(answered, wanted) ? [] : [path];
}
