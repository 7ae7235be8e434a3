export { type FaultPlan, isWrite, planFaults } from "./faults.ts";
export { fetchLocally } from "./fetch_locally.ts";
export type { LocalOptions, StoredResource } from "./local_options.ts";
export { LocalRetell } from "./retell.ts";
export {
  type LocalAnswer,
  type LocalFault,
  type LocalPlatform,
  type LocalRequest,
  type LocalServer,
  type LocalServerOptions,
  serveLocally,
} from "./serve.ts";
export { LocalVapi } from "./vapi.ts";
