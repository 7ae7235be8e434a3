export { type CheckOptions, check } from "./check.ts";
export { type PortabilityOptions, type Ported, type PortedState, portability } from "./portability.ts";
