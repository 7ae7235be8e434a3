export {
  type CheckOptions,
  check,
  type PortabilityOptions,
  type Ported,
  type PortedState,
  portability,
} from "./check.ts";
