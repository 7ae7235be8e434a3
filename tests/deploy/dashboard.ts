import { apply, plan } from "../../src/deploy/mod.ts";
import { shop } from "./shop.ts";
import { type To, World } from "./world.ts";

/** One format of each platform. */
export const PLATFORMS = ["retell", "vapi-squad"] as const;

/** Where the dashboard changes the voice, and where the first prompt. */
const EDITS = {
  retell: {
    speaker: "agent",
    voice: { voice_id: "11labs-Adrian" },
    prompter: "conversation-flow",
  },
  "vapi-squad": {
    speaker: "assistant:greet",
    voice: { voice: { provider: "openai", voiceId: "nova" } },
    prompter: "assistant:greet",
  },
} as const;

export const editsOf = (to: To) => EDITS[to === "retell" ? to : "vapi-squad"];

/** Changes the voice in the dashboard. */
export async function editVoice(world: World): Promise<void> {
  const { speaker, voice } = editsOf(world.to);
  await world.send({ method: "PATCH", path: world.updatePath(speaker, await world.ids()), body: voice });
}

/** Changes the first prompt in the dashboard. */
export async function editPrompt(world: World, prompt: string): Promise<void> {
  const address = editsOf(world.to).prompter;
  const ids = await world.ids();
  const body = await world.read(address, ids);
  const edited = JSON.stringify(body).replace("Ask what the caller wants.", prompt);
  const key = world.to === "retell" ? "nodes" : "model";
  await world.send({
    method: "PATCH",
    path: world.updatePath(address, ids),
    body: { [key]: JSON.parse(edited)[key] },
  });
}

/** A platform with the shop on it. */
export async function deployed(to: To): Promise<World> {
  const world = await World.open(to);
  await apply(await plan(shop(), world.target()));
  return world;
}
