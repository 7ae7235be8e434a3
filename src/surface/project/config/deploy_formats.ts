import type { DeployFormat } from "../../../deploy/mod.ts";

/** Each format once: the compiler names one that is missing. Importing the platforms' list would load the platforms. */
const FORMATS: { readonly [Format in DeployFormat]: Format } = {
  retell: "retell",
  "retell-llm": "retell-llm",
  "vapi-squad": "vapi-squad",
  "vapi-assistant": "vapi-assistant",
};

/** Names of formats that can be deployed. */
export const DEPLOY_FORMATS: readonly DeployFormat[] = Object.values(FORMATS);
