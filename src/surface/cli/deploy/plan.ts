import { shorten } from "../../../base/values/mod.ts";
import type { DeployPlan } from "../../../deploy/mod.ts";
import { readProject } from "../../project/mod.ts";
import { type Arguments, type Command, EXAMPLE, usage } from "../arguments.ts";
import { formatMarkdown } from "../diff/mod.ts";
import { listStyle, markdownCode } from "../format/mod.ts";
import { writeTextFile } from "../io/mod.ts";
import { refuseOverwriting } from "../sources.ts";
import { deployTargetOf, loadAgent, loadBase } from "./agent.ts";
import { type DeployTerminal, deployRun } from "./deploy_run.ts";
import { AGENT, AGENT_FLAGS, BASE_FLAG, NOTES, nextCommand, PLACE_FLAGS, VERBOSE_FLAG } from "./flags.ts";
import { formatPlan } from "./format_plan.ts";
import { readDeployTarget } from "./target.ts";
import { numberRows, placeWords, releaseLines, resourceRows, valueWords } from "./words.ts";

/** Limits for a comment: length of a value, number of conflicts. */
const MOST_VALUE = 500;

const MOST_CONFLICTS = 30;

/** `callweave deploy plan`. */
export const deployPlanCommand: Command = {
  name: "deploy plan",
  summary: "Show what an apply would change on the platform",
  spec: {
    positionals: [AGENT],
    flags: {
      ...PLACE_FLAGS,
      ...BASE_FLAG,
      out: { value: "PLAN.json", description: "Also write the plan to a file, for callweave deploy apply --plan" },
      ...VERBOSE_FLAG,
      markdown: { description: "Print a comment for a pull request" },
      json: { description: "Print the plan as JSON" },
      ...AGENT_FLAGS,
    },
  },
  notes: [
    ...NOTES,
    "Nothing is written on the platform. Exit code 1 when code and platform have both changed the same place.",
  ],
  examples: [
    `callweave deploy plan flow.ts --to ${EXAMPLE.format}`,
    "callweave deploy plan --env staging --base origin/main:flow.ts --markdown",
  ],
  run: deployRun(async (args, terminal) => {
    if (args.has("markdown") && args.has("json"))
      throw usage("--markdown and --json are two outputs", "Pass one of them");
    const project = await readProject(args.text("folder") ?? ".", terminal);
    const target = readDeployTarget(args, project, terminal);
    const agent = await loadAgent(args, project, terminal);
    const out = args.text("out");
    refuseOverwriting("--out", out, [{ what: "the agent", path: agent.path }]);
    const previous = await loadBase(args, project, terminal);
    const { plan } = await import("../../../deploy/mod.ts");
    const planned = await plan(agent.graph, deployTargetOf(target, agent, previous));
    if (out !== undefined)
      await writeTextFile(out, `${JSON.stringify(planned, null, 2)}\n`, { mode: 0o600, signal: terminal.signal });
    terminal.out(planText(planned, args, terminal));
    if (!args.has("json") && !args.has("markdown")) terminal.err(nextStep(planned, args));
    return planned.conflicts.length > 0 ? 1 : 0;
  }),
};

/** Formats a plan as the flags ask for. */
export function planText(plan: DeployPlan, args: Arguments, terminal: DeployTerminal): string {
  if (args.has("json")) return `${JSON.stringify(plan, null, 2)}\n`;
  if (args.has("markdown")) return formatPlanMarkdown(plan);
  return formatPlan(plan, listStyle(terminal.stdout, terminal.env), args.has("verbose"));
}

function nextStep(plan: DeployPlan, args: Arguments): string {
  const pull = nextCommand("pull", args);
  if (plan.conflicts.length > 0) return `${pull}, or apply with --overwrite-remote to write the code's side\n`;
  if (plan.resources.some(({ state }) => state === "no-baseline"))
    return `${pull}, or plan with --base REV:PATH, the version that was deployed last\n`;
  if (plan.isEmpty && plan.remoteChanges.length > 0) return `nothing to apply\n${pull}\n`;
  if (plan.isEmpty) return "nothing to apply\n";
  const out = args.text("out");
  const isGone = plan.resources.every(({ state }) => state === "missing");
  return `${nextCommand("apply", args)}${isGone ? " --recreate" : ""}${out === undefined ? "" : ` --plan ${out}`}\n`;
}

/** Formats a plan as a comment for a pull request. */
function formatPlanMarkdown(plan: DeployPlan): string {
  const { changes, remoteChanges, conflicts, losses, findings } = plan;
  const dropped = losses.filter(({ kind }) => kind === "dropped").length;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.filter(({ severity }) => severity === "warning").length;
  return [
    `## Plan: ${text(placeWords(plan))}`,
    "",
    "| action | resource | state |",
    "| --- | --- | --- |",
    ...[...resourceRows(plan.resources), ...numberRows(plan)].map(
      ([action, resource, state]) => `| ${action} | ${markdownCode(resource)} | ${state} |`,
    ),
    ...plan.unused.map(
      ({ address, id }) => `| unused | ${markdownCode(`${address} (${id})`)} | \`--prune\` deletes it |`,
    ),
    "",
    ...releaseLines(plan).flatMap((line) => [text(line), ""]),
    ...(changes.length > 0 ? [formatMarkdown({ name: "To be applied", changes })] : []),
    ...(remoteChanges.length > 0 ? [formatMarkdown({ name: "Changed on the platform", changes: remoteChanges })] : []),
    ...conflictBlock(conflicts),
    ...(losses.length > 0 ? [`Losses: ${losses.length - dropped} emulated, ${dropped} dropped.`, ""] : []),
    ...(errors + warnings > 0 ? [`Findings: ${errors} errors, ${warnings} warnings.`, ""] : []),
  ].join("\n");
}

function conflictBlock(conflicts: DeployPlan["conflicts"]): readonly string[] {
  if (conflicts.length === 0) return [];
  const shown = conflicts.slice(0, MOST_CONFLICTS);
  const left = conflicts.length - shown.length;
  return [
    `### ${conflicts.length} conflict${conflicts.length === 1 ? "" : "s"}: code and platform have both changed`,
    "",
    "| place | code | platform |",
    "| --- | --- | --- |",
    ...shown.map(
      ({ address, path, local, remote }) =>
        `| ${markdownCode([address, ...path].join("."))} | ${valueCell(local)} | ${valueCell(remote)} |`,
    ),
    ...(left > 0 ? ["", `and ${left} more.`] : []),
    "",
  ];
}

function valueCell(value: unknown): string {
  return markdownCode(shorten(valueWords(value), MOST_VALUE));
}

function text(words: string): string {
  return words
    .replace(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]|~#<>&]/g, "\\$&")
    .replaceAll("@", "@<!-- -->");
}
