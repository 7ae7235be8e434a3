import { defined } from "../../../src/base/values/mod.ts";
import type { TalkFacts } from "../../talking/mod.ts";
import { type SipOptions, sipConnection } from "./phone.ts";

export type { SipOptions } from "./phone.ts";

/** How scenarios call agents behind a trunk or a PBX. */
export const SIP_TALK: TalkFacts<"sip", SipOptions> = {
  name: "sip",
  title: "SIP",
  connect: (options) => sipConnection(options),
  connectTo: ({ id, name, version, env }) => sipConnection({ to: `sip:${id}`, ...defined({ name, version, env }) }),
  referenceWords: "USER@HOST[:PORT]",
  isAddress: true,
};
