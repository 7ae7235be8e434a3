export {
  type AppliedResource,
  type AppliedResources,
  holdsAll,
  type Intent,
  readBaseline,
  readIntent,
  removeIntent,
  whileApplying,
  writeBaseline,
  writeIntent,
} from "./intent.ts";
export {
  checkPlace,
  LOCK_FILE,
  type LockedAgent,
  type LockFile,
  lockedAgent,
  lockedAgents,
  placeWithAgent,
  readLockFile,
  STATE_FOLDER,
  stateSalt,
  writeLockedAgent,
} from "./lock_file.ts";
export {
  readSnapshot,
  restorableSnapshots,
  type Snapshot,
  type SnapshotFile,
  type SnapshotResource,
  writeSnapshot,
} from "./snapshot.ts";
