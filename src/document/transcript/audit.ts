/** A finding of the audit of a simulated caller: such a call says nothing about the agent. */
export interface AuditFinding {
  /**
   * `invented-fact`: the caller stated a fact that is neither in its persona nor in what the agent or a tool said.
   * `ended-early`: it hung up before its goal was decided.
   */
  readonly kind: "invented-fact" | "ended-early";
  /** The invented value. Absent for an early end. */
  readonly fact?: string;
  /** The caller's words. */
  readonly quote: string;
  /** The finding as one sentence. */
  readonly reason: string;
}

/** The audit of a simulated caller. */
export interface CallerAudit {
  readonly findings: readonly AuditFinding[];
}
