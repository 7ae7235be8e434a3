import type { DeployFormat } from "../../deploy/mod.ts";

/** What an agent can be deployed to: names of formats. */
export const DEPLOY_FORMATS = [
  "retell",
  "retell-llm",
  "vapi-squad",
  "vapi-assistant",
] as const satisfies readonly DeployFormat[];
