/** Actions and messages as the flow's file has them. */
export interface PipecatAction {
  readonly type: string;
  readonly handler?: string;
  readonly [key: string]: unknown;
}

/** Settings of a Pipecat node that graphs lack. */
export interface PipecatNodeFields {
  /** System instruction from this node on. */
  readonly role_message?: string;
  readonly pre_actions?: readonly PipecatAction[];
  readonly post_actions?: readonly PipecatAction[];
  readonly context_strategy?: "append" | "reset";
  readonly respond_immediately?: boolean;
}

/** What flows and nodes can set for Pipecat. */
export interface PipecatFields {
  readonly flow: { readonly global_functions?: readonly { readonly [key: string]: unknown }[] };
  readonly node: PipecatNodeFields;
  readonly voice: string;
}
