import { connectTo } from "../../../../platforms/connections/mod.ts";
import { defined } from "../../../base/values/mod.ts";
import type { ApplyReport, DeployTarget } from "../../../deploy/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import type { VerifyReport } from "../../../run/verify/mod.ts";
import { chooseModels, loadScenarios } from "../../project/mod.ts";
import { styleFor } from "../../reporters/mod.ts";
import { type Arguments, type ExitCode, type Flag, usage } from "../arguments.ts";
import { formatVerification } from "../format/mod.ts";
import { readChoice } from "../run/mod.ts";
import type { CommandAgent } from "./agent.ts";
import type { AppliedNext } from "./apply_plan.ts";
import type { DeployTerminal } from "./deploy_run.ts";

/** Flags for testing what was applied. */
export const VERIFY_FLAGS = {
  verify: { value: "FILE", repeats: true, description: "Scenarios: call the deployed agent with them, and compare it" },
  "rollback-if-different": { description: "With --verify: restore the earlier state if the agent does something else" },
  unchecked: {
    value: "refuse|report",
    description: "With --verify: what to do with expectations that cannot be shown",
  },
  "allow-real-tools": { description: "With --verify: let tools of the agent run that no mock answers" },
} satisfies { readonly [name: string]: Flag };

/**
 * Prepares the test of what is applied; `undefined` without `--verify`. The scenarios are loaded before anything is
 * written.
 *
 * @throws {UsageError} `usage`, and what `loadScenarios` throws.
 */
export async function verifyAfter(
  { agent, target }: { readonly agent: CommandAgent; readonly target: DeployTarget },
  args: Arguments,
  terminal: DeployTerminal,
): Promise<((report: ApplyReport) => Promise<AppliedNext>) | undefined> {
  const files = args.texts("verify");
  if (files.length === 0) {
    const other = ["rollback-if-different", "unchecked", "allow-real-tools"].find(
      (flag) => args.has(flag) || args.text(flag) !== undefined,
    );
    if (other === undefined) return undefined;
    throw usage(`--${other} is passed without --verify`, "Pass --verify scenarios.ts, too");
  }
  const unchecked = readChoice(args, "unchecked", ["refuse", "report"]) ?? "refuse";
  const scenarios = (await Promise.all(files.map((file) => loadScenarios(file, terminal)))).flat();
  if (scenarios.length === 0) throw usage("there are no scenarios to verify with", "Name a file that exports some");
  const allowRealTools = args.has("allow-real-tools");
  return async (report) => {
    const verification = await verifyDeployed({ agent, target, scenarios, unchecked, allowRealTools }, terminal);
    const text = formatVerification(verification, styleFor(terminal.stdout, terminal.env));
    const differs = verification.calls.some(({ differences }) => differences.length > 0);
    const code: ExitCode = differs ? 1 : verification.same ? 0 : 3;
    if (!differs || !args.has("rollback-if-different")) return { json: { verification }, text, code };
    const restored = await restore(report, target, args);
    return { json: { verification, restored }, text: `${text}${restoredText(restored)}`, code };
  };
}

/** What is called after an apply. */
interface Verified {
  readonly agent: CommandAgent;
  readonly target: DeployTarget;
  readonly scenarios: readonly Scenario[];
  readonly unchecked: "refuse" | "report";
  readonly allowRealTools: boolean;
}

async function verifyDeployed(
  { agent, target, scenarios, unchecked, allowRealTools }: Verified,
  { env, signal }: DeployTerminal,
): Promise<VerifyReport> {
  const [{ listDeployed }, { verify }] = await Promise.all([
    import("../../../deploy/mod.ts"),
    import("../../../run/verify/mod.ts"),
  ]);
  const { to, environment = "default", flow = agent.name, folder, baseUrl, key } = target;
  const deployed = (await listDeployed(folder)).find(
    (each) => each.environment === environment && each.flow === flow && to.startsWith(each.platform),
  );
  if (deployed?.agentId === undefined)
    throw usage("nothing answers calls after this apply", "Deploy an export of the whole agent, or leave out --verify");
  const connection = connectTo(deployed.platform, {
    id: deployed.agentId,
    keyVariable: KEY,
    env: { ...env, [KEY]: key },
    ...defined({ version: deployed.agentVersion, baseUrl }),
  });
  return await verify(connection, scenarios, {
    graph: agent.graph,
    models: chooseModels({}, env, agent.graph.default_model),
    unchecked,
    allowRealTools,
    ...defined({ signal, variables: target.settings?.variables }),
  });
}

/** Name of the variable that passes the key of the target on. */
const KEY = "CALLWEAVE_DEPLOY_KEY";

/** How the state before an apply was restored. */
interface Restored {
  /** Absent: there was nothing to restore. */
  readonly snapshot?: string;
  readonly isPublished: boolean;
}

async function restore({ snapshot }: ApplyReport, target: DeployTarget, args: Arguments): Promise<Restored> {
  if (snapshot === undefined) return { isPublished: false };
  const { apply, rollback } = await import("../../../deploy/mod.ts");
  const { isPublished } = await apply(await rollback(snapshot, target), { publish: args.has("publish") });
  return { snapshot, isPublished };
}

function restoredText({ snapshot, isPublished }: Restored): string {
  if (snapshot === undefined) return "not rolled back: there was no earlier state\n";
  return `rolled back to the state before this apply${isPublished ? ", and published" : ""}\n`;
}
