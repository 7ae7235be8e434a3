export {
  DEFAULT_GATE,
  decideGate,
  GATE_NEEDS,
  type Gate,
  type GateVerdict,
  isGate,
  neededPasses,
  type TrialCounts,
} from "./gate.ts";
export { passHat } from "./pass_hat.ts";
export { type Interval, wilson } from "./wilson.ts";
