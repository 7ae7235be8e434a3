export { whileApplying } from "./apply_lock.ts";
export {
  type AppliedResource,
  type Baseline,
  readBaseline,
  STATE_FOLDER,
  stateSalt,
  writeBaseline,
} from "./baseline.ts";
export { holdsAll, type Intent, readIntent, removeIntent, writeIntent } from "./intent.ts";
export {
  LOCK_FILE,
  type LockedAgent,
  type LockFile,
  lockedAgent,
  readLockFile,
  writeLockedAgent,
} from "./lock_file.ts";
export {
  listSnapshots,
  readSnapshot,
  type Snapshot,
  type SnapshotFile,
  type SnapshotResource,
  writeSnapshot,
} from "./snapshot.ts";
