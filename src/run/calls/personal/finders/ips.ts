import type { IPv4, IPv6 } from "ipaddr.js";
import type { Keyed } from "../pseudonyms.ts";
import type { Finder, FoundData } from "./found.ts";

const V4 = /(?<![\p{L}\d.:-])(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\d]|\.\d)/gu;
const V6 = /(?<![\p{L}\d:.])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?:(?<=:)(?:\d{1,3}\.){3}\d{1,3})?(?![\p{L}\d:])/giu;
const VERSION = /(?:\b(?:version|release|build|firmware|driver)|\bv)[\s:.]*$/i;
/** Addresses of every machine. */
const NOBODYS = /^(?:127\.0\.0\.|0\.0\.0\.0$|255\.255\.|::1$)/;
/** Networks for examples (RFC 5737). */
const EXAMPLES = ["192.0.2", "198.51.100", "203.0.113"];
const EXAMPLE = /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^2001:db8:/i;

/** Finds addresses of the Internet. Addresses of home networks, such as that of a router, stay unless the words before them or their keys say IP. */
export const findIps: Finder = (text, { key }, { keyed, ips }) => {
  if (!/\d\.\d|:[\da-f]{0,4}:/i.test(text)) return [];
  return [...text.matchAll(V4), ...text.matchAll(V6)].flatMap(({ index, 0: shown }): readonly FoundData[] => {
    if (!ips.isValid(shown) || shown === "::" || VERSION.test(text.slice(Math.max(0, index - 12), index))) return [];
    const range = ips.parse(shown).range();
    if (
      NOBODYS.test(shown) ||
      (range === "private" && !/\bIP\b/i.test(key + text.slice(Math.max(0, index - 40), index)))
    )
      return [];
    return [
      {
        start: index,
        end: index + shown.length,
        replacement: () => (EXAMPLE.test(shown) ? shown : addressFor(ips.parse(shown), keyed)),
      },
    ];
  });
};

/** An address of the networks for examples. */
function addressFor(address: IPv4 | IPv6, keyed: Keyed): string {
  const draw = keyed("ip", address.toString());
  if (address.kind() === "ipv4") return `${EXAMPLES[draw(EXAMPLES.length)]}.${1 + draw(254)}`;
  const group = () => (1 + draw(0xfffe)).toString(16);
  return `2001:db8::${group()}:${group()}`;
}
