import type { AgentGraph } from "../graph/mod.ts";
import { extractSecrets } from "./extract.ts";
import { createRedactor } from "./redact.ts";
import { mapTexts } from "./strings.ts";

/**
 * A graph as it may be kept beside results: `{{env:NAME}}` stands for what {@link extractSecrets} finds in it, `[NAME]` for
 * values of the environment. Ids, names and kinds stay, so that results can be read beside it.
 */
export function graphWithoutSecrets(graph: AgentGraph): AgentGraph {
  const { text } = createRedactor();
  return mapTexts(extractSecrets(graph).graph, text);
}
