export { checkRunOptions } from "./option_rules.ts";
export { codeHash, describeConnection, describeOptions, functionsOf, planDocument } from "./plan_document.ts";
export { createLimits, type PreparedRun, prepareRun } from "./prepare_run.ts";
export {
  formatShard,
  MOST_ATTEMPTS,
  openTrials,
  plansOfShard,
  runTrials,
  type Schedule,
  type TrialPlan,
  type TrialSlot,
  trialCount,
} from "./run_trials.ts";
export { graphOf, isConnection, lookUpAgent, sourceParts, standInGraph } from "./source_parts.ts";
