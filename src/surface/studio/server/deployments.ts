import { StudioError } from "../../../base/errors.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import type { ApplyOptions, DeployPlan, DeployTarget } from "../../../deploy/mod.ts";
import { fingerprint } from "../../../document/graph/mod.ts";
import type { Query, StudioAnswer, StudioInput } from "../api/mod.ts";
import { listRuns } from "../data/mod.ts";
import { unknownThing } from "./answers.ts";
import type { Studio } from "./studio.ts";

/** Runs whose results a plan shows. */
const MOST_RUNS = 10;

/** The environments, and what is deployed there. */
export async function listDeployments(studio: Studio, signal: AbortSignal): Promise<StudioAnswer<"deployments">> {
  const { environments, folder } = studio;
  const { listDeployed, listSnapshots } = await import("../../../deploy/mod.ts");
  const deployed = await listDeployed(folder);
  const names = [...new Set([...environments.names, ...deployed.map(({ environment }) => environment)])];
  const items = names.map(async (environment) => {
    const target = await targetOf(studio, environment, signal).catch(() => undefined); // its key is not set here
    const snapshots = target ? await listSnapshots(target).catch(() => []) : [];
    return {
      environment,
      to: environments.formatOf(environment),
      hasKey: target !== undefined,
      deployed: deployed.filter((each) => each.environment === environment).map((each) => ({ ...each })),
      snapshots: snapshots.map(({ taken, path }) => ({ taken, name: nameOf(path) })),
    };
  });
  return createRedactor().value({ items: await Promise.all(items) });
}

/** Where an environment is, for the agent of the project. */
async function targetOf({ environments, agents }: Studio, name: string, signal: AbortSignal): Promise<DeployTarget> {
  if (!environments.names.includes(name))
    throw unknownThing("environment", name, "List the environments: GET /api/v1/deployments");
  const source = await agents.source();
  const flow = source?.loaded?.name;
  return { ...environments.targetOf(name, signal), ...(flow === undefined ? {} : { flow }) };
}

/** The agent of the project as it is now: an agent that cannot be loaded is not deployed as it was before. */
async function graphOf({ agents }: Studio) {
  const source = await agents.source();
  if (source?.loaded && source.problem === null) return source.loaded.graph;
  const { message = "the project has no agent", hint = "Start the studio with the agent's source" } =
    source?.problem ?? {};
  throw new StudioError(`Cannot deploy: ${message}`, { code: "unknown-agent", hint });
}

/** What an apply would change. */
export async function planAnswer(
  studio: Studio,
  name: string,
  signal: AbortSignal,
): Promise<StudioAnswer<"planDeployment">> {
  const { plan } = await import("../../../deploy/mod.ts");
  const target = await targetOf(studio, name, signal);
  return await shownPlan(studio, await plan(await graphOf(studio), target), target);
}

/** What was changed on the platform since the last apply. */
export async function driftAnswer(studio: Studio, name: string, signal: AbortSignal): Promise<StudioAnswer<"drift">> {
  const { drift } = await import("../../../deploy/mod.ts");
  const target = await targetOf(studio, name, signal);
  const found = await drift(await graphOf(studio), target);
  return redactorFor(target).value(JSON.parse(JSON.stringify(found)));
}

/** What a rollback would change. */
export async function rollbackPlanAnswer(
  studio: Studio,
  name: string,
  { snapshot }: Query<"planRollback">,
  signal: AbortSignal,
): Promise<StudioAnswer<"planRollback">> {
  const target = await targetOf(studio, name, signal);
  return await shownPlan(studio, await rollbackPlan(snapshot, target), target);
}

/** Applies a plan, or a rollback, if it is the one that was read. */
export async function applyAnswer(
  studio: Studio,
  name: string,
  approved: Omit<StudioInput<"applyDeployment">, "environment"> & { readonly snapshot?: string | undefined },
  options: { readonly isRollback: boolean; readonly signal: AbortSignal },
): Promise<StudioAnswer<"applyDeployment">> {
  const { apply, plan } = await import("../../../deploy/mod.ts");
  const { digest, snapshot, overwriteRemote, recreate, publish, prune } = approved;
  const target = await targetOf(studio, name, options.signal);
  const planned = options.isRollback ? await rollbackPlan(snapshot, target) : await plan(await graphOf(studio), target);
  if (planned.digest !== digest)
    throw new StudioError("Cannot apply: the agent or the platform has changed since the plan was read", {
      code: "plan-outdated",
      hint: "Read the plan again",
    });
  const given = Object.entries({ overwriteRemote, recreate, publish, prune }).filter(
    ([, value]) => value !== undefined,
  );
  const flags: ApplyOptions = Object.fromEntries(given);
  const report = await apply(planned, flags);
  return redactorFor(target).value(JSON.parse(JSON.stringify(report)));
}

/** The name of a snapshot's file: a path would lead out of the project. */
const SNAPSHOT = /^[\w.-]{1,200}\.json$/;

async function rollbackPlan(name: string | undefined, target: DeployTarget): Promise<DeployPlan> {
  const { listSnapshots, rollback } = await import("../../../deploy/mod.ts");
  if (name === undefined) return await rollback("latest", target);
  const found = SNAPSHOT.test(name)
    ? (await listSnapshots(target)).find(({ path }) => nameOf(path) === name)
    : undefined;
  if (found) return await rollback(found.path, target);
  throw new StudioError(`Cannot find snapshot "${name.slice(0, 200)}"`, {
    code: "unknown-snapshot",
    hint: "List the snapshots: GET /api/v1/deployments",
  });
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Takes the environment's keys and the platform's out of answers, whatever its variable is called. */
function redactorFor({ key }: DeployTarget) {
  return createRedactor({ env: { STUDIO_API_KEY: key } });
}

async function shownPlan(
  studio: Studio,
  planned: DeployPlan,
  target: DeployTarget,
): Promise<StudioAnswer<"planDeployment">> {
  const agent = (await studio.agents.source())?.loaded;
  const { items } = await listRuns(
    studio.data,
    { agent: agent?.name, kind: "simulated", limit: 200 },
    studio.runs.isRunning,
  );
  const own = agent && fingerprint(agent.graph);
  const runs = items
    .filter((run) => run.state === "finished" && run.fingerprint === own)
    .slice(0, MOST_RUNS)
    .map(async ({ id, startedAt }) => {
      const counted = await studio.data.store.countResults(id);
      const passed = counted.filter(({ latest }) => latest.pass > 0 && latest.fail + latest.error === 0).length;
      return { id, startedAt, passed, scenarios: counted.length };
    });
  const plain = { ...JSON.parse(JSON.stringify(planned)), runs: await Promise.all(runs) };
  const redactor = createRedactor();
  return redactorFor(target).value(redactor.value(plain));
}
