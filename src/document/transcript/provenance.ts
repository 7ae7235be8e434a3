/** The origin of an imported call. */
export interface CallProvenance {
  /** Format of the source: `retell`, `vapi`, `openai` or `text`. */
  readonly format: string;
  /** Id of the call in its source; `null` if the source has none. */
  readonly callId: string | null;
  /** Name of the file, without its folder, or of the platform that the call was pulled from. */
  readonly source: string;
  /** Number of the call in its source, from 1. */
  readonly position: number;
  /** Whether personal data was replaced before the call was stored. */
  readonly redacted: boolean;
  /** The platform's id of the agent. */
  readonly agentId?: string;
  /** The platform's end reason. */
  readonly platformEndReason?: string;
  /** Other data of the source, such as costs and the platform's analysis. */
  readonly facts?: { readonly [key: string]: unknown };
}
