import { createHash } from "node:crypto";
import { modelName } from "../../models/mod.ts";
import { canonicalJson, type JsonObject } from "../../values/mod.ts";
import type { ResolvedScenario } from "../call/mod.ts";
import { describeOptions } from "./describe_options.ts";
import type { PreparedRun } from "./prepare_run.ts";

const DEFAULT_TURN = "split";
/** Length of a hash in a plan; enough to notice a change. */
const HASH_DIGITS = 16;

/**
 * Describes a run, to compare it with the run that is resumed or shared. It covers everything
 * that changes what a result means, but nothing that only changes the speed. Values are hashed, because
 * variables can contain secrets.
 */
export function planDocument({ plans, models, setup }: Pick<PreparedRun, "plans" | "models" | "setup">): JsonObject {
  const { options, policies } = setup;
  const { variables, place } = options;
  // defaults are filled in: an option that is set to its default changes nothing
  const {
    limits,
    turn = DEFAULT_TURN,
    budget,
    metrics,
    threshold,
    liveTools,
    audit,
    audio,
    variance,
    judgeFlow,
  } = describeOptions(options, plans);
  const settings = {
    limits,
    turn,
    budget,
    metrics,
    policies,
    variables,
    place,
    liveTools,
    audit,
    audio,
    variance,
    judgeFlow,
  };
  const { agent, caller = agent, judge = agent } = models;
  return {
    scenarios: plans.map(({ resolved }) => [resolved.scenario.name, hashOf(contentOf(resolved))]),
    repeats: hashOf(plans.map(({ planned }) => planned)),
    gates: hashOf(plans.map(({ gate }) => gate)),
    models: hashOf([agent, caller, judge].map(modelName)),
    threshold: hashOf(threshold),
    ...Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]) => (isEmpty(value) ? [] : [[name, hashOf(value)]])),
    ),
  };
}

function contentOf({ scenario, agent }: ResolvedScenario) {
  const { repeat: _, gate: __, ...content } = scenario; // compared separately
  return { scenario: content, agent: modelName(agent) };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, HASH_DIGITS);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || canonicalJson(value) === "{}" || canonicalJson(value) === "[]";
}
