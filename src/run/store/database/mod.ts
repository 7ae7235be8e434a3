export type { Database, Timing } from "./database.ts";
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
export { fileIdentity } from "./file_identity.ts";
export { DEFAULT_FILE, databaseName, isServer, type Location } from "./location.ts";
export { migrate } from "./migrations.ts";
export { openDatabase } from "./open_database.ts";
export type { OpenStoreOptions } from "./open_options.ts";
export { readRowPages } from "./pages.ts";
