import type { Models } from "../../../call/models/mod.ts";

/** Default model of OpenAI, and of the server at OPENAI_BASE_URL. */
const DEFAULT_OPENAI_MODEL = "openai/gpt-5-mini";

/** The models that flags name. */
export interface ModelFlags {
  readonly model?: string | undefined;
  readonly callerModel?: string | undefined;
  readonly judgeModel?: string | undefined;
}

/**
 * The models of a run: from the flags; else `CALLWEAVE_MODEL`; else OpenAI's, if `OPENAI_API_KEY` or
 * `OPENAI_BASE_URL` is set: the agent's own model if it is one of OpenAI's; else the offline model.
 */
export function chooseModels(
  flags: ModelFlags,
  env: { readonly [name: string]: string | undefined },
  agentModel?: string | null,
): Models {
  const agent = flags.model || env.CALLWEAVE_MODEL || environmentModel(env, agentModel) || "offline";
  return {
    agent,
    ...(flags.callerModel ? { caller: flags.callerModel } : {}),
    ...(flags.judgeModel ? { judge: flags.judgeModel } : {}),
  };
}

function environmentModel(env: { readonly [name: string]: string | undefined }, agentModel?: string | null) {
  if (!env.OPENAI_API_KEY && !env.OPENAI_BASE_URL) return undefined;
  return agentModel?.startsWith("openai/") ? agentModel : DEFAULT_OPENAI_MODEL;
}
