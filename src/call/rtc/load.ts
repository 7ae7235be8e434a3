import { ScenarioError } from "../../base/errors.ts";
import { isRecord } from "../../base/values/mod.ts";
import { opusCodecs } from "./opus.ts";
import { createRtcPeer } from "./peer.ts";
import type { Rtc } from "./rtc.ts";

/** The part of `opusscript` that is Opus itself. Its version 0.1 has no other way to it. */
const OPUS = "opusscript/build/opusscript_native_wasm.js";

/**
 * Loads the packages for WebRTC. Nothing else needs them.
 *
 * @throws {ScenarioError} `missing-package`.
 */
export async function loadRtc(): Promise<Rtc> {
  try {
    const [werift, opus] = await Promise.all([import("werift"), importOpus()]);
    const createCodec = opusCodecs(opus);
    return { createCodec, createPeer: (options) => createRtcPeer({ werift, createCodec }, options) };
  } catch (cause) {
    throw new ScenarioError("Cannot connect over WebRTC: werift or opusscript cannot be loaded", {
      code: "missing-package",
      path: ["url"],
      hint: "Install them: npm install werift opusscript",
      cause,
    });
  }
}

async function importOpus(): Promise<unknown> {
  const found: unknown = await import(OPUS);
  const make = isRecord(found) ? found.default : undefined;
  return isMaker(make) ? make() : undefined;
}

function isMaker(value: unknown): value is () => unknown {
  return typeof value === "function";
}
