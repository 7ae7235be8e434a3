import type { Vapi } from "@vapi-ai/server-sdk";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../../src/values/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../../platform.ts";
import { nameMembers } from "../common/mod.ts";
import { nodesOfMembers } from "../hints/mod.ts";
import { createContext, type EmitContext } from "../plan/mod.ts";
import { reportGraph } from "../report/mod.ts";
import { extrasOfGraph, mergeJson } from "../settings/mod.ts";
import { emitSpeaker } from "./speaker.ts";

/** The document that `POST /squad` takes. */
export type VapiSquadConfig = Vapi.CreateSquadDto;

/**
 * Writes a graph that did not come from a Vapi squad or assistant as a squad: one member for every node that the caller
 * talks to, handoff tools as edges.
 *
 * @param options `contract` merges chains of nodes that need no member of their own, and reports how many were merged.
 * @see https://docs.vapi.ai/squads
 */
export function emitSquad(graph: AgentGraph, options: EmitOptions = {}): PlainEmitted<VapiSquadConfig> {
  const context = createContext(graph, { isAssistant: false, contract: options.contract ?? false });
  const names = nameMembers(context.plan.members);
  reportGraph(context, names);
  const members = [...nodesOfMembers(context)].map(([id, share]) => {
    const { assistant, handoffs } = emitSpeaker([id], names, share, context);
    return { assistant, ...(handoffs.length > 0 ? { assistantOverrides: { "tools:append": handoffs } } : {}) };
  });
  const { name } = graph.source_metadata;
  const squad: JsonObject = { ...(name ? { name } : {}), members, ...overrides(context) };
  const config = mergeJson(squad, omit(extrasOfGraph(graph), ["members"]));
  return { config: asSquad(config), losses: context.losses.all() };
}

/** Defaults of variables: they hold for every member, and a call's own values override them. */
function overrides({ graph, variables }: EmitContext): JsonObject {
  const defaults = Object.entries(graph.source_metadata.default_dynamic_variables ?? {});
  const values = Object.fromEntries(defaults.map(([name, value]) => [variables.emitted(name), value]));
  return defaults.length === 0 ? {} : { membersOverrides: { variableValues: values } };
}

/** The members are typed where they are made; an author's own settings are not checked. */
function asSquad(config: JsonObject): VapiSquadConfig {
  if (!Array.isArray(config.members) || !config.members.every(isRecord)) throw new TypeError("a squad has members");
  return config as unknown as VapiSquadConfig; // `metadata.vapi` may hold any key that Vapi has or will have
}
