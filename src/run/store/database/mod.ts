export { type Database, readRowPages, type Timing } from "./database.ts";
export {
  abortedError,
  closedError,
  isBusy,
  isRefused,
  isUnstorable,
  isWithoutTables,
  ShapeError,
  storeError,
} from "./errors.ts";
export {
  DEFAULT_FILE,
  databaseName,
  fileIdentity,
  isServer,
  type Location,
  type OpenStoreOptions,
} from "./location.ts";
export { migrate, openDatabase } from "./open_database.ts";
