import type { ToolDefinition, VariableExtraction } from "../../src/graph/mod.ts";
import type { Constants } from "./constants.ts";
import type { Declared } from "./texts.ts";

/** What the nodes of a graph are written with. */
export interface EjectContext extends Declared {
  /** Every variable that texts and equations can name. */
  readonly variables: ReadonlyMap<string, VariableExtraction>;
  /** The variables that are declared as extractions. */
  readonly fillable: ReadonlyMap<string, VariableExtraction>;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly constants: Constants;
}
