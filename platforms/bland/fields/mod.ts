/** Settings of a call that a model answers, as the data of a node has them. */
export interface BlandModelOptions {
  readonly modelType?: string;
  readonly modelName?: string;
  readonly temperature?: number;
  readonly newTemperature?: number;
  /** Whether the node is left without waiting for the caller. */
  readonly skipUserResponse?: boolean;
  readonly block_interruptions?: boolean;
  readonly interruptionThreshold?: number;
  readonly [key: string]: unknown;
}

/** Data of a node. Bland publishes no types. */
export interface BlandNodeFields {
  readonly name?: string;
  /** The agent stays at the node until this holds. */
  readonly condition?: string;
  readonly modelOptions?: BlandModelOptions;
  /** Id of the node to which a global node leads at once. */
  readonly forwardingNode?: string;
  readonly [key: string]: unknown;
}

/** What a pathway has beside its nodes and edges. */
export interface BlandFlowFields {
  readonly description?: string;
  readonly [key: string]: unknown;
}

/** What flows and nodes can set for Bland. */
export interface BlandFields {
  readonly flow: BlandFlowFields;
  readonly node: BlandNodeFields;
  readonly voice: string;
}
