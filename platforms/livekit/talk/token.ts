import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import type { JsonObject } from "../../../src/base/values/mod.ts";

/** Key and secret of a LiveKit server. */
export interface RoomKeys {
  readonly key: string;
  readonly secret: string;
}

/** What a token allows, and to whom. */
export interface TokenClaims {
  readonly identity: string;
  readonly room: string;
  /** The agent that is called into the room; absent: workers without a name come by themselves. */
  readonly agent?: { readonly agentName: string; readonly metadata: string } | undefined;
}

/** How long a token can be used to join, in seconds. */
const VALID_SECONDS = 600;
/** Clocks may differ by so much, in seconds. */
const EARLIER_SECONDS = 60;

/**
 * Makes the token with which a caller joins a room, which is created by that. It is written by hand because tokens of
 * `livekit-server-sdk` 2.19 have fields that servers before 1.10 refuse.
 *
 * @see https://docs.livekit.io/home/get-started/authentication/
 */
export function joinToken(keys: RoomKeys, { identity, room, agent }: TokenClaims): string {
  return sign(keys, {
    sub: identity,
    name: "caller",
    video: { room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true },
    ...(agent ? { roomConfig: { agents: [agent] } } : {}),
  });
}

/** Makes the token with which a room is deleted. */
export function deleteToken(keys: RoomKeys, room: string): string {
  return sign(keys, { video: { room, roomCreate: true } });
}

function sign({ key, secret }: RoomKeys, claims: JsonObject): string {
  const now = Math.floor(Date.now() / 1000);
  const header = encode({ alg: "HS256", typ: "JWT" });
  const content = encode({ iss: key, nbf: now - EARLIER_SECONDS, exp: now + VALID_SECONDS, ...claims });
  const signature = createHmac("sha256", secret).update(`${header}.${content}`).digest("base64url");
  return `${header}.${content}.${signature}`;
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
