import { createRedactor } from "../../base/redaction/mod.ts";
import type { AgentGraph } from "../graph/mod.ts";
import { takeSecretsOut } from "./extract.ts";
import { openOriginal } from "./original.ts";
import { replaceTexts } from "./strings.ts";
import { withTakenOut } from "./taken_out.ts";

/**
 * Redacts a graph that is stored with results: secrets found by {@link takeSecretsOut} become `{{env:NAME}}`, values of
 * the environment `[NAME]`. Ids, names and kinds stay, so that results can be matched with it.
 */
export function graphWithoutSecrets(graph: AgentGraph): AgentGraph {
  const { text } = createRedactor();
  const { graph: opened, close } = openOriginal(takeSecretsOut(graph).graph);
  return close(withTakenOut(replaceTexts(opened, text), []));
}
