/** What is known of the values that a variable can have. */
export interface VariableKind {
  /** `number` and `boolean`, where nothing but an extraction of that type, or a default like it, fills the variable. */
  readonly type: "text" | "number" | "boolean" | "unknown";
  /** Whether a tool may set it to an empty text, which stands for "not set". */
  readonly mayBeEmpty: boolean;
}

/** How the graph's variables are called in Vapi's variable bag. */
export interface VariableNames {
  /** Where a left side is read; `undefined`: Liquid cannot name it, so it is never set. */
  readonly read: (name: string) => string | undefined;
  /** Where a right side is read if a variable of that name is set; `undefined`: it is a literal. */
  readonly readRight: (text: string, left?: string) => string | undefined;
  readonly kindOf: (name: string) => VariableKind;
}
