import { oneLine } from "../../../base/values/mod.ts";
import type { ApplyReport, DeployPlan } from "../../../deploy/mod.ts";
import { type Arguments, type ExitCode, usage } from "../arguments.ts";
import type { DeployTerminal } from "./deploy_run.ts";
import { planText } from "./plan.ts";

/** What follows an apply. */
export interface AppliedNext {
  /** Added to the JSON document. */
  readonly json: object;
  readonly text: string;
  readonly code: ExitCode;
}

/**
 * Shows a plan, asks for confirmation, and applies it.
 *
 * @param options.next What is done after it, such as a test of what was applied.
 */
export async function confirmAndApply(
  plan: DeployPlan,
  args: Arguments,
  terminal: DeployTerminal,
  options: { readonly isReviewed?: boolean; readonly next?: (report: ApplyReport) => Promise<AppliedNext> } = {},
): Promise<ExitCode> {
  const { isReviewed = false, next } = options;
  if (!args.has("json")) terminal.out(planText(plan, args, terminal));
  const writes = !plan.isEmpty || args.has("publish") || (args.has("prune") && plan.unused.length > 0);
  if (writes && !isReviewed && !(await isConfirmed(args, terminal))) {
    terminal.err("nothing was written\n");
    return 1;
  }
  const { apply } = await import("../../../deploy/mod.ts");
  const report = await apply(plan, {
    overwriteRemote: args.has("overwrite-remote"),
    recreate: args.has("recreate"),
    publish: args.has("publish"),
    prune: args.has("prune"),
    onWritten: ({ action, address, id }) => terminal.err(`${action}  ${oneLine(address)} (${oneLine(id)})\n`),
  });
  const isText = !args.has("json");
  if (isText) terminal.out(reportText(plan, report));
  const after = await next?.(report);
  if (after && isText) terminal.out(after.text);
  if (!isText) terminal.out(`${JSON.stringify({ plan, report, ...after?.json }, null, 2)}\n`);
  return after?.code ?? 0;
}

async function isConfirmed(args: Arguments, { ask }: DeployTerminal): Promise<boolean> {
  if (args.has("yes")) return true;
  if (!ask) throw usage("there is no terminal to ask on", "Pass --yes, or the plan that you have reviewed with --plan");
  return /^y(es)?$/i.test((await ask("Apply this plan? (yes/no) ")).trim());
}

function reportText(plan: DeployPlan, { written, kept, snapshot, numbers, isPublished }: ApplyReport): string {
  const count = written.length === 1 ? "1 resource" : `${written.length} resources`;
  const isNothing = written.length === 0 && !isPublished && numbers.length === 0 && plan.replaces === undefined;
  const done = [
    `applied: ${count} written`,
    ...(isPublished ? ["published"] : []),
    ...numbers.map((number) => `${oneLine(number)} points to it`),
  ];
  return [
    isNothing ? "nothing to write\n" : `${done.join(", ")}\n`,
    ...kept.map(({ address, id, why }) => `kept  ${oneLine(`${address} (${id}): ${why}`)}\n`),
    ...(snapshot === undefined ? [] : [`before it: ${snapshot} (callweave deploy rollback)\n`]),
  ].join("");
}
