export { checkApplicable } from "./check_applicable.ts";
export { type ComparedResource, type Conflict, type ResourceState, withRestored } from "./compare_resources.ts";
export type { DeployPlan, PlannedResource, PlanParts } from "./deploy_plan.ts";
export { type Drift, drift } from "./drift.ts";
export { numberTargetOf, type PlannedNumber, planNumbers, pointNumbers } from "./numbers.ts";
export { plan, planAsDeployed, preparedPlan } from "./plan.ts";
export { PreparedPlan } from "./prepared_plan.ts";
export { promote } from "./promote.ts";
export { requireReviewedPlan } from "./reviewed_plan.ts";
