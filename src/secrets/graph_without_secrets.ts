import type { AgentGraph } from "../graph/mod.ts";
import { createRedactor } from "../redaction/mod.ts";
import { takeSecretsOut } from "./extract.ts";
import { openOriginal } from "./original.ts";
import { mapTexts } from "./strings.ts";
import { withTakenOut } from "./taken_out.ts";

/**
 * A graph as it may be kept beside results: `{{env:NAME}}` stands for what {@link takeSecretsOut} finds in it, `[NAME]` for
 * values of the environment. Ids, names and kinds stay, so that results can be read beside it.
 */
export function graphWithoutSecrets(graph: AgentGraph): AgentGraph {
  const { text } = createRedactor();
  const { graph: opened, close } = openOriginal(takeSecretsOut(graph).graph);
  return close(withTakenOut(mapTexts(opened, text), []));
}
