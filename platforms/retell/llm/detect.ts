import { openContainer } from "../shared/mod.ts";

/** How sure it is, by keys alone, that a document holds a Retell LLM. */
export function detectLlm(document: unknown): number {
  const opened = openContainer(document);
  if (opened?.kind !== "llm") return 0;
  const { body, agent } = opened;
  if (agent) return 0.95;
  if (Array.isArray(body.states) || Array.isArray(body.general_tools) || typeof body.llm_id === "string") return 0.9;
  return typeof body.general_prompt === "string" ? 0.6 : 0.3;
}
