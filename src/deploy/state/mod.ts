export { whileApplying } from "./apply_lock.ts";
export { type AppliedResource, type AppliedResources, readBaseline, writeBaseline } from "./baseline.ts";
export { holdsAll, type Intent, readIntent, removeIntent, writeIntent } from "./intent.ts";
export {
  LOCK_FILE,
  type LockedAgent,
  type LockFile,
  lockedAgent,
  lockedAgents,
  placeWithAgent,
  readLockFile,
  writeLockedAgent,
} from "./lock_file.ts";
export { checkPlace, STATE_FOLDER, stateSalt } from "./owned_file.ts";
export {
  readSnapshot,
  restorableSnapshots,
  type Snapshot,
  type SnapshotFile,
  type SnapshotResource,
  writeSnapshot,
} from "./snapshot.ts";
