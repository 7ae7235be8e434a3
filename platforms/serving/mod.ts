export { type FaultPlan, isLocalWrite, planFaults } from "./faults.ts";
export { fetchLocally } from "./fetch_locally.ts";
export { type LocalOptions, randomDigits, type StoredResource, withDefaultOptions } from "./local_options.ts";
export { RateLimit } from "./rate_limit.ts";
export { Refusal } from "./refusal.ts";
export {
  keyIn,
  type LocalAnswer,
  type LocalFault,
  type LocalPlatform,
  type LocalRequest,
  type LocalServer,
  type LocalServerOptions,
  serveLocally,
} from "./serve.ts";
export { shuffleKeys } from "./shuffle_keys.ts";
