export { checkApplicable } from "./check_applicable.ts";
export type { ComparedResource, Conflict, ResourceState } from "./compare_resources.ts";
export type { DeployPlan, PlannedResource, PlanParts } from "./deploy_plan.ts";
export { type Drift, drift } from "./drift.ts";
export { type PlannedNumber, pointNumbers } from "./numbers.ts";
export { plan, preparedPlan } from "./plan.ts";
export { PreparedPlan } from "./prepared_plan.ts";
export { promote } from "./promote.ts";
