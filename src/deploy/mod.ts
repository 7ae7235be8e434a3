export type { NumberTarget, PlannedRelease, ResourceIds } from "../../platforms/mod.ts";
export { type AdoptedAgent, importDeployed } from "./adopt.ts";
export { type ApplyOptions, type ApplyReport, apply, type WrittenResource } from "./apply.ts";
export {
  type DeletedAgent,
  type DeployedAgent,
  deleteDeployed,
  listDeployed,
  listSnapshots,
} from "./deployed.ts";
export { type RequiredRun, type RunSource, requireAcceptedLosses, requireRun } from "./gate.ts";
export type { Conflict, DeployPlan, PlannedNumber, PlannedResource, ResourceState } from "./plan/mod.ts";
export { type ChangedVersion, type Drift, drift, plan, promote, requireReviewedPlan } from "./plan/mod.ts";
export { type Pulled, type PullOptions, pull } from "./pull.ts";
export type { Difference } from "./resources/mod.ts";
export { rollback } from "./rollback.ts";
export { type LocalPlatforms, startLocalPlatforms } from "./start_local.ts";
export type { SnapshotFile } from "./state/mod.ts";
export type { DeployFormat, DeployScope, DeployTarget, EnvironmentSettings } from "./target/mod.ts";
