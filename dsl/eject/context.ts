import type { ToolDefinition, VariableExtraction } from "../../src/document/graph/mod.ts";
import type { Constants } from "./constants.ts";
import type { Declared } from "./texts.ts";

/** The context in which the nodes of a graph are written. */
export interface EjectContext extends Declared {
  /** All variables that texts and equations can refer to. */
  readonly variables: ReadonlyMap<string, VariableExtraction>;
  /** The variables that are declared as extractions. */
  readonly fillable: ReadonlyMap<string, VariableExtraction>;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly constants: Constants;
}
