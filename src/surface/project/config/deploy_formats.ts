import type { DeployFormat } from "../../../deploy/mod.ts";

/** Names of formats that can be deployed. */
export const DEPLOY_FORMATS = [
  "retell",
  "retell-llm",
  "vapi-squad",
  "vapi-assistant",
] as const satisfies readonly DeployFormat[];
