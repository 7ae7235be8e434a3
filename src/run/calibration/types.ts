import type { Agreement } from "../../base/statistics/mod.ts";

/** A call with known verdicts, for example from people who listened to it. */
export interface KnownCall {
  /** Name for reports. Default: its number. */
  readonly name?: string;
  /** Only what the caller and the agent said; the agent is `assistant`, the caller `user`. */
  readonly transcript: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  readonly verdicts: readonly KnownVerdict[];
}

/** A known verdict on one criterion. */
export interface KnownVerdict {
  readonly criterion: string;
  readonly passed: boolean;
}

/** Agreement of the judge with known verdicts on one criterion. */
export interface CriterionAgreement extends Agreement {
  readonly criterion: string;
}

/** A disagreement between the judge and a known verdict. */
export interface Disagreement {
  readonly call: string;
  readonly criterion: string;
  readonly known: boolean;
  readonly judged: boolean;
  /** From 0 to 1. */
  readonly score: number;
  readonly reasoning: string;
}

/** The result of a calibration: how far the judge agrees with known verdicts, overall and per criterion. */
export interface Calibration {
  /** Name of the judge's model. */
  readonly judge: string;
  readonly overall: Agreement;
  /** In the order in which they first occur. */
  readonly criteria: readonly CriterionAgreement[];
  readonly disagreements: readonly Disagreement[];
  /** Calls that could not be judged. Their verdicts are not counted. */
  readonly errors: readonly { readonly call: string; readonly message: string }[];
}
