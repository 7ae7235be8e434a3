import { apply, plan } from "../../src/deploy/mod.ts";
import { shop } from "./shop.ts";
import { type To, World } from "./world.ts";

/** One format of each platform. */
export const PLATFORMS = ["retell", "bland", "elevenlabs", "telnyx", "vapi-squad"] as const;

/** Where the dashboard changes the voice, or a setting that the code does not have, and where the first prompt. */
const EDITS = {
  // pathways have no voice
  bland: {
    speaker: "pathway",
    voice: { description: "The shop, with the voice of nova" },
    prompter: "pathway",
    key: "nodes",
  },
  elevenlabs: {
    speaker: "agent",
    voice: { conversation_config: { tts: { voice_id: "nova" } } },
    prompter: "agent",
    key: "workflow",
  },
  retell: {
    speaker: "agent",
    voice: { voice_id: "11labs-Adrian" },
    prompter: "conversation-flow",
    key: "nodes",
  },
  telnyx: {
    speaker: "assistant",
    voice: { voice_settings: { voice: "Telnyx.NaturalHD.nova" } },
    prompter: "assistant",
    key: "conversation_flow",
  },
  "vapi-squad": {
    speaker: "assistant:greet",
    voice: { voice: { provider: "openai", voiceId: "nova" } },
    prompter: "assistant:greet",
    key: "model",
  },
} as const;

export const editsOf = (to: To) => EDITS[PLATFORMS.find((each) => each === to) ?? "vapi-squad"];

/** Changes the voice in the dashboard. */
export async function editVoice(world: World): Promise<void> {
  const { speaker, voice } = editsOf(world.to);
  const method = world.updateMethod(speaker);
  await world.send({ method, path: world.updatePath(speaker, await world.ids()), body: voice });
}

/** Changes the first prompt in the dashboard. */
export async function editPrompt(world: World, prompt: string): Promise<void> {
  const { prompter: address, key } = editsOf(world.to);
  const ids = await world.ids();
  const body = await world.read(address, ids);
  const edited = JSON.stringify(body).replace("Ask what the caller wants.", prompt);
  await world.send({
    method: world.updateMethod(address),
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
