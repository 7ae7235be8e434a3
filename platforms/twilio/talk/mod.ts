import { defined } from "../../../src/base/values/mod.ts";
import type { TalkFacts } from "../../talking/mod.ts";
import { type TwilioOptions, twilioConnection } from "./bot.ts";

export type { TwilioOptions } from "./bot.ts";

/** How scenarios call bots that speak the protocol of Twilio's Media Streams. */
export const TWILIO_TALK: TalkFacts<"twilio", TwilioOptions> = {
  name: "twilio",
  title: "Twilio",
  connect: (options) => twilioConnection(options),
  connectTo: ({ id, name, version, throttleLimitMs, voice }) =>
    twilioConnection({
      url: id,
      ...defined({ name, version, throttleLimitMs }),
      ...(typeof voice === "object" ? voice : {}),
    }),
  voice: "always",
  referenceWords: "wss://HOST/PATH",
};
