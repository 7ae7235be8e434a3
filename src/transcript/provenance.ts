/** Where an imported call comes from. */
export interface CallProvenance {
  /** Format of the source: `retell`, `vapi`, `openai` or `text`. */
  readonly format: string;
  /** Id of the call in its source; `null` where the source has none. */
  readonly callId: string | null;
  /** Name of the file, without its folder, or of the platform that the call was pulled from. */
  readonly source: string;
  /** Number of the call in its source, from 1. */
  readonly position: number;
  /** Whether personal data was replaced before the call was stored. */
  readonly redacted: boolean;
  /** Id of the agent that held the call, as the platform names it. */
  readonly agentId?: string;
  /** Why the call ended, in the platform's words. */
  readonly platformEndReason?: string;
  /** What the source says of the call and no other field of a result holds, such as costs and the platform's analysis. */
  readonly facts?: { readonly [key: string]: unknown };
}
