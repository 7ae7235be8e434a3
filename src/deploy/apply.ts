import { linkIds, type RemoteResource, type ResourceIds, unlinkIds } from "../../platforms/mod.ts";
import { DeployError, type Issue, type Path } from "../base/errors.ts";
import {
  checkOptions,
  defined,
  dropAt,
  getAt,
  isRecord,
  type JsonObject,
  OPTION,
  omit,
  setAt,
} from "../base/values/mod.ts";
import { revealSecrets } from "../document/secrets/mod.ts";
import {
  byAddress,
  type Deployment,
  deploymentAs,
  type FoundAgent,
  readAgent,
  wholeResources,
  withCreated,
} from "./deployment/mod.ts";
import type { ComparedResource, DeployPlan, PlanParts } from "./plan/mod.ts";
import { checkApplicable, numberTargetOf, PreparedPlan, pointNumbers } from "./plan/mod.ts";
import { mergeBodies } from "./resources/mod.ts";
import {
  type AppliedResources,
  holdsAll,
  type LockedAgent,
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
import type { DeployFormat } from "./target/mod.ts";

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

/** A resource that applying has created, updated or deleted. */
export interface WrittenResource {
  readonly address: string;
  readonly id: string;
  readonly action: "created" | "updated" | "deleted";
}

/** The result of an apply. */
export interface ApplyReport {
  readonly written: readonly WrittenResource[];
  /** Resources that the platform did not delete, with its reason: they stay in the lock file. */
  readonly kept: readonly { readonly address: string; readonly id: string; readonly why: string }[];
  /** Snapshot file of the platform's previous state; absent if nothing was written or nothing existed. */
  readonly snapshot?: string;
  /** Phone numbers that now point to the agent. */
  readonly numbers: readonly string[];
  /** Whether calls use the new version. */
  readonly isPublished: boolean;
}

/**
 * Executes a plan in order. Ids are written to the lock file as soon as they are known, so that the next apply finishes
 * an interrupted one. Nothing is published, and no number is pointed to the agent, before the platform has returned
 * everything as it was sent.
 *
 * @throws {DeployError} `not-kept` if the platform does not return what was written; `remote-changed` if the platform changed
 * since the plan, and `plan-outdated` if the lock file did; `deploy-conflict` for places that both sides have changed;
 * `no-baseline` for differences of unknown origin; `agent-missing` if the agent was deleted completely;
 * `unresolved-reference` if environment variables of references were not passed; `apply-running` for a concurrent apply; and
 * errors of the platform.
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
  readonly #kept: { address: string; id: string; why: string }[] = [];
  #workspace: string | undefined;
  #agentVersion: string | undefined;
  #format: DeployFormat;
  #ids: ResourceIds = {};
  #baseline: AppliedResources = {};

  constructor(plan: DeployPlan, parts: PlanParts, options: ApplyOptions) {
    this.#plan = plan;
    this.#parts = parts;
    this.#options = options;
    this.#deployment = parts.deployment;
    this.#workspace = parts.workspace;
    this.#format = parts.deployment.locked.format;
    this.#agentVersion = parts.deployment.locked.agentVersion;
  }

  async run(): Promise<ApplyReport> {
    const { folder, place, adapter, client, target } = this.#deployment;
    const { compared } = this.#parts;
    const locked = lockedAgent(await readLockFile(folder), place);
    this.#checkLock(locked);
    this.#ids = await withCreated(this.#deployment, { ...this.#deployment.located, ...locked?.ids });
    this.#baseline = { ...this.#parts.baseline, ...(await readBaseline(folder, place, this.#ids)) };
    let found = await readAgent(this.#deployment, this.#ids);
    checkApplicable(this.#parts, found, this.#options);
    if (Object.keys(this.#deployment.located).length > 0) await this.#saveIds();
    const unused = this.#options.prune ? this.#plan.unused : [];
    const isNothing =
      compared.every(({ action }) => action === "none") && unused.length === 0 && this.#plan.replaces === undefined;
    const snapshot = isNothing ? undefined : await this.#takeSnapshot(found);
    if (compared.some(({ action }) => action !== "none") && adapter.prepare) {
      const prepared = await adapter.prepare(client, found.resources, compared);
      if (prepared !== found.resources) found = await readAgent(this.#deployment, this.#ids);
    }
    const there = byAddress(linked(found, this.#ids).resources);
    const values = new Map([...found.secrets, ...this.#parts.secrets]);
    for (const resource of compared) await this.#write(resource, there.get(resource.address), values);
    if (this.#format !== target.to) {
      this.#format = target.to;
      await this.#saveIds();
    }
    const answered = isNothing ? found : await readAgent(this.#deployment, this.#ids);
    await this.#keep(byAddress(answered.resources), snapshot);
    const { isPublished, version: released } = await this.#release();
    const root = compared.at(-1);
    // a flow without an agent has a version, too, but answers no calls
    const agentId = root && adapter.answersCalls(root.kind) ? this.#ids[root.address] : undefined;
    const version = released ?? answered.resources.find(({ id }) => id === agentId)?.version;
    if (version !== undefined && String(version) !== this.#agentVersion) {
      this.#agentVersion = String(version);
      await this.#saveIds();
    }
    const answering = root && numberTargetOf(root, this.#ids);
    const numbers = await pointNumbers(this.#deployment, this.#plan.numbers, answering);
    const rank = ({ address }: { address: string }) => adapter.kinds.indexOf(address.replace(/:.*/s, ""));
    // resources are deleted before those that they reference
    for (const { address, id } of unused.toSorted((one, other) => rank(other) - rank(one)))
      await this.#delete(address, id);
    if (!isNothing && this.#workspace === undefined) {
      // platforms that report the workspace in resources cannot report it while it is empty
      this.#workspace = await adapter.workspaceOf(client);
      await this.#saveIds();
    }
    return {
      written: this.#written,
      kept: this.#kept,
      ...(snapshot === undefined ? {} : { snapshot }),
      numbers,
      isPublished,
    };
  }

  /** @throws {DeployError} `plan-outdated` if the lock file names another agent or format than when the plan was made. */
  #checkLock(now: LockedAgent | undefined): void {
    const { locked, located, target, place } = this.#deployment;
    const isSame = Object.entries(omit(locked.ids, Object.keys(located))).every(
      ([address, id]) => now?.ids[address] === id,
    );
    if (isSame && (now === undefined || now.format === locked.format || now.format === target.to)) return;
    throw new DeployError(
      `Cannot apply: the lock file's entry of "${place.flow}" has changed since the plan was made`,
      {
        code: "plan-outdated",
        hint: "Plan again",
      },
    );
  }

  /** Stores what is deployed, if it is complete: otherwise an interrupted apply would leave unused resources. */
  async #takeSnapshot({ resources }: FoundAgent): Promise<string | undefined> {
    const { folder, place, locked } = this.#deployment;
    const parts = wholeResources(deploymentAs(this.#deployment, locked.format), resources);
    const root = this.#parts.rootThere;
    if (root === undefined || !byAddress(parts).has(root)) return undefined;
    return await writeSnapshot(folder, place, { format: locked.format, resources: parts, baseline: this.#baseline });
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
    const remote = there && { ...there, body: revealSecrets(there.body, values) };
    const known = remote ? [] : (await adapter.list(client, kind)).map(({ id }) => id);
    if (!remote) await writeIntent(folder, place, { address, kind, known, body: hide(body).body });
    const now = await adapter.write(client, whole, { ...(remote ? { remote } : {}), written: this.#done });
    if (!remote) await this.#checkCreated(address, now, known);
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

  /** An id is stored only if it is new, and the platform has a resource under it. */
  async #checkCreated(address: string, { id }: RemoteResource, known: readonly string[]): Promise<void> {
    const { adapter, client } = this.#deployment;
    const isOld = known.includes(id) || Object.values(this.#ids).includes(id);
    if (!isOld && (await adapter.read(client, { [address]: id })).some((each) => each.id === id)) return;
    const state = isOld ? "was there before" : "is not there";
    throw new DeployError(`Cannot apply: ${adapter.title} says that it created ${address} as ${id}, which ${state}`, {
      code: "platform-answer",
      path: [address],
      hint: "Look for it in the dashboard, then apply again",
    });
  }

  async #delete(address: string, id: string): Promise<void> {
    const { adapter, client } = this.#deployment;
    const [found] = await adapter.read(client, { [address]: id });
    try {
      if (found) await adapter.remove(client, found);
    } catch (error) {
      // such as an engine that older versions of the agent use
      if (!(error instanceof DeployError) || error.code !== "platform-refused") throw error;
      this.#kept.push({ address, id, why: error.message });
      return;
    }
    const { [address]: _, ...ids } = this.#ids;
    this.#ids = ids;
    await this.#saveIds();
    this.#report({ address, id, action: "deleted" });
  }

  async #release(): Promise<{ readonly isPublished: boolean; readonly version?: string }> {
    const { adapter, client } = this.#deployment;
    const { publish = false } = this.#options;
    const written = [...this.#done.values()];
    if (adapter.releases?.apply) return await adapter.releases.apply(client, written, { publish });
    if (!publish || !adapter.publish) return { isPublished: false };
    await adapter.publish(client, written);
    return { isPublished: true };
  }

  async #saveIds(): Promise<void> {
    const { folder, place, locked } = this.#deployment;
    const workspace = this.#workspace ?? locked.workspace;
    const entry = { format: this.#format, ids: this.#ids, ...defined({ workspace, agentVersion: this.#agentVersion }) };
    await writeLockedAgent(folder, place, entry);
  }

  /**
   * Stores the platform's current state as the baseline, with that of resources which the agent no longer uses.
   *
   * @throws {DeployError} `not-kept` if the platform does not have what was written.
   */
  async #keep(answered: ReadonlyMap<string, RemoteResource>, snapshot: string | undefined): Promise<void> {
    const { folder, place } = this.#deployment;
    const issues: Issue[] = [];
    const hint =
      snapshot === undefined
        ? "Change the value in the code to one that the platform keeps"
        : "Change the value in the code to one that the platform keeps, or roll back: callweave deploy rollback";
    let baseline = this.#baseline;
    for (const resource of this.#parts.compared) {
      const { address, body } = resource;
      const { [address]: before, ...others } = baseline;
      const now = answered.get(address)?.body;
      const lost = now ? lostPaths(body, now) : [[]];
      for (const path of lost) {
        const message = `${[address, ...path].join(".")} is not as it was sent`;
        issues.push({ code: "not-kept", path: [address, ...path], message, hint });
      }
      const applied = now ? this.#applied(resource, now, lost) : {};
      baseline = { ...others, ...applied };
    }
    await writeBaseline(folder, place, baseline);
    const [first] = issues;
    if (!first) return;
    const more = issues.length > 1 ? `, and ${issues.length - 1} more` : "";
    throw new DeployError(`The platform did not keep what was applied: ${first.message}${more}`, { ...first, issues });
  }

  /**
   * The applied state without changes of the dashboard, which stay pending until they are pulled. What the platform did not
   * keep counts as not sent, so that the next apply sends it again.
   */
  #applied(
    { address, mine, body, local }: ComparedResource,
    now: JsonObject,
    lost: readonly Path[] = [],
  ): AppliedResources {
    const id = this.#ids[address];
    if (!mine || id === undefined) return {};
    const sent = lost.reduce((rest, path) => asAnswered(rest, now, path), mine);
    return { [address]: { id, sent, answered: mergeBodies(now, body, local, this.#deployment.shape) } };
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

function asAnswered(sent: JsonObject, now: JsonObject, path: Path): JsonObject {
  if (getAt(sent, path) === undefined) return sent;
  const answer = getAt(now, path);
  return answer === undefined ? dropAt(sent, path) : setAt(sent, path, answer);
}

/** Found resources with ids in place of references. */
function linked({ resources, secrets }: FoundAgent, ids: ResourceIds): FoundAgent {
  return { resources: resources.map((each) => ({ ...each, body: linkIds(each.body, ids) })), secrets };
}
