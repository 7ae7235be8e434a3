/** Addresses that every host of the internet can be reached at; others are reserved or not assigned. */
const GLOBAL_UNICAST = ["2000::", 3] as const;
/** Addresses that networks without IPv4 give to IPv4 hosts: the last four bytes are the host's. */
const NAT64 = ["64:ff9b::", 96] as const;

/**
 * Whether an address belongs to the public internet: not to this machine, a private network, a link, a group, a test
 * network or a protocol, and not to an IPv6 form of such an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
export async function isPublicAddress(address: string): Promise<boolean> {
  const { default: ip } = await import("ipaddr.js"); // with the first live tool: most calls have none
  if (!ip.isValid(address)) return false;
  const parsed = ip.process(address); // a mapped IPv4 address as what it is
  if (parsed.kind() === "ipv4") return parsed.range() === "unicast";
  const within = ([network, bits]: readonly [string, number]) => parsed.match(ip.parse(network), bits);
  if (within(NAT64)) return ip.fromByteArray(parsed.toByteArray().slice(-4)).range() === "unicast";
  return within(GLOBAL_UNICAST) && parsed.range() === "unicast";
}
