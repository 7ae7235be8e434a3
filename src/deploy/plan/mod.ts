export {
  type ComparedResource,
  type Conflict,
  numberTargetOf,
  type PlannedNumber,
  planNumbers,
  pointNumbers,
  type ResourceState,
  withRestored,
} from "./compare_resources.ts";
export type { DeployPlan, PlannedResource, PlanParts } from "./deploy_plan.ts";
export { type Drift, drift, promote } from "./drift.ts";
export { checkApplicable, PreparedPlan, plan, planAsDeployed, preparedPlan, requireReviewedPlan } from "./plan.ts";
