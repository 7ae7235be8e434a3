import type { InferOutput } from "valibot";
import { StudioError } from "../../../base/errors.ts";
import type { StudioAnswer, StudioSchemas } from "../api/mod.ts";
import type { SourceAgent } from "./agents/mod.ts";
import { unknownThing } from "./answers.ts";
import type { StudioRequest } from "./studio.ts";

/** Starts a chat with an agent's graph, or with a deployed agent. */
export async function createChatAnswer({
  studio,
  body,
  who,
  signal,
}: StudioRequest<unknown, InferOutput<StudioSchemas["createChat"]["body"]>>): Promise<StudioAnswer<"createChat">> {
  const { source, summary } = await studio.agents.find(body.agent);
  const { scenario, variables = {}, prompts = {}, connection, allowRealTools = false } = body;
  if (source) checkScenarios(source, { names: scenario === undefined ? [] : [scenario], tags: [] });
  if (connection !== undefined) {
    if (Object.keys(prompts).length > 0)
      throw new StudioError("Cannot try another prompt: a deployed agent has its own", {
        code: "invalid-request",
        path: ["prompts"],
        hint: "Leave out prompts, or connection",
      });
    const beginning = await studio.connections.connect({ name: connection, scenario, variables }, signal);
    if (!beginning) throw unknownThing("agent", connection, "Name one of GET /api/v1/project, connections");
    return await studio.chats.connect(beginning, { agent: summary.name, allowRealTools, owner: who.name });
  }
  if (!source?.loaded || source.problem !== null)
    throw new StudioError(`Cannot start a chat: ${source?.problem?.message ?? "the agent's source is not here"}`, {
      code: "unknown-agent",
      path: ["agent"],
      hint: source?.problem?.hint ?? "Start the studio with the agent's source",
    });
  const { graph, name } = source.loaded;
  return await studio.chats.create({ graph, name, scenario, variables, prompts }, who.name);
}

/** Scenarios that the source does not have are told before a process or a chat is started for them. */
export function checkScenarios(
  { loaded, problem }: SourceAgent,
  { names, tags }: { readonly names: readonly string[]; readonly tags: readonly string[] },
): void {
  if (!loaded || problem !== null) return; // what is started tells of the problem
  const { scenarios } = loaded;
  const unknown = names.find((name) => !scenarios.some((each) => each.name === name));
  if (unknown !== undefined)
    throw unknownThing("scenario", unknown, "Name a scenario of the agent: GET /api/v1/agents/ID");
  const chosen = scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
  if (tags.length === 0 || chosen.some((each) => each.tags.some((tag) => tags.includes(tag)))) return;
  throw unknownThing("scenario", tags.join(", "), "Name tags of the agent's scenarios: GET /api/v1/agents/ID");
}
