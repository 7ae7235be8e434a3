// The names of this folder that the package exports.
export { attack } from "./attack.ts";
export type {
  AttackEvent,
  AttackedTarget,
  AttackFinding,
  AttackKind,
  AttackLimits,
  AttackOptions,
  AttackReport,
  AttackTechnique,
  KnownAttack,
  UntriedAttack,
} from "./types.ts";
