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
export { type ChangedVersion, type Drift, drift, promote } from "./drift.ts";
export {
  checkApplicable,
  PreparedPlan,
  plan,
  planAsDeployed,
  planReleases,
  preparedPlan,
  requireReviewedPlan,
} from "./plan.ts";
