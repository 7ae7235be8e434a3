/** The range of global unicast addresses; all others are reserved or unassigned. */
const GLOBAL_UNICAST = ["2000::", 3] as const;
/** The NAT64 prefix: the last four bytes are an IPv4 address. */
const NAT64 = ["64:ff9b::", 96] as const;

/**
 * Whether an address is public: not loopback, private, link-local, multicast, reserved or for documentation, and not an
 * IPv6 form (mapped, compatible, NAT64, 6to4, Teredo) of such an IPv4 address.
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
export async function isPublicAddress(address: string): Promise<boolean> {
  const { default: ip } = await import("ipaddr.js"); // loaded on first use: most calls have no live tools
  if (!ip.isValid(address)) return false;
  const parsed = ip.process(address); // unwraps a mapped IPv4 address
  if (parsed.kind() === "ipv4") return parsed.range() === "unicast";
  const within = ([network, bits]: readonly [string, number]) => parsed.match(ip.parse(network), bits);
  if (within(NAT64)) return ip.fromByteArray(parsed.toByteArray().slice(-4)).range() === "unicast";
  return within(GLOBAL_UNICAST) && parsed.range() === "unicast";
}
