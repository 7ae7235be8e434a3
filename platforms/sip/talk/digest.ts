import { createHash, randomBytes } from "node:crypto";

/** Who a caller is for a server that asks. */
export interface SipLogin {
  readonly username: string;
  readonly password: string;
}

const HASHES: { readonly [name: string]: string } = { md5: "md5", "sha-256": "sha256" };

/**
 * Answers a challenge (RFC 2617, RFC 7616): the value of `Authorization`, or of `Proxy-Authorization`.
 *
 * @returns `undefined` for a challenge that cannot be answered.
 */
export function answerChallenge(
  challenge: string,
  { username, password }: SipLogin,
  { method, uri }: { readonly method: string; readonly uri: string },
): string | undefined {
  if (!/^digest\s/i.test(challenge)) return undefined;
  const read = (name: string): string | undefined => {
    const [, quoted, plain] =
      new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"((?:\\\\.|[^"\\\\])*)"|([^\\s,"]+))`, "i").exec(challenge) ?? [];
    return quoted ?? plain;
  };
  const [realm, nonce, opaque, asked] = [read("realm"), read("nonce"), read("opaque"), read("algorithm")];
  const hash = HASHES[(asked ?? "md5").toLowerCase()];
  if (realm === undefined || nonce === undefined || hash === undefined) return undefined;
  const offered = read("qop");
  const hasQop = offered?.split(/[\s,]+/).includes("auth") === true;
  if (offered !== undefined && !hasQop) return undefined;
  const digest = (text: string) => createHash(hash).update(text).digest("hex");
  const [who, what] = [digest(`${username}:${realm}:${password}`), digest(`${method}:${uri}`)];
  const cnonce = randomBytes(8).toString("hex");
  const count = "00000001";
  const response = digest(hasQop ? `${who}:${nonce}:${count}:${cnonce}:auth:${what}` : `${who}:${nonce}:${what}`);
  const parts = [
    `username="${username}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `response="${response}"`,
    ...(asked === undefined ? [] : [`algorithm=${asked}`]),
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
    ...(hasQop ? ["qop=auth", `nc=${count}`, `cnonce="${cnonce}"`] : []),
  ];
  return `Digest ${parts.join(", ")}`;
}
