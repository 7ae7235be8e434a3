export { describeOptions } from "./describe_options.ts";
export { createLimits } from "./limit_models.ts";
export { checkRunOptions } from "./option_rules.ts";
export { codeHash, functionsOf, planDocument } from "./plan_document.ts";
export { type TrialPlan, trialCount } from "./plan_trials.ts";
export { type PreparedRun, prepareRun } from "./prepare_run.ts";
export { MOST_ATTEMPTS, openTrials, runTrials, type Schedule } from "./run_trials.ts";
export { formatShard, plansOfShard } from "./shards.ts";
