import { isListOf, isRecord, isTexts, rule } from "../../base/values/mod.ts";

/** A server that helps two sides to find each other (STUN), or passes on what they send (TURN). */
export interface IceServer {
  /** Such as `stun:stun.example.com:3478`. */
  readonly urls: string | readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/** The rule of an option with servers. */
export const RTC_SERVERS = rule('a list of servers, such as [{ urls: "stun:stun.example.com:3478" }]', isServers);

/** Whether a value is a list of servers. */
export function isServers(value: unknown): value is readonly IceServer[] {
  return isListOf(value, isServer);
}

function isServer(value: unknown): value is IceServer {
  if (!isRecord(value)) return false;
  const { urls, username, credential } = value;
  const all = typeof urls === "string" ? [urls] : urls;
  const isLogin = [username, credential].every((text) => text === undefined || typeof text === "string");
  return isTexts(all) && all.length > 0 && all.every((url) => /^(?:stun|turn)s?:\S+$/.test(url)) && isLogin;
}
