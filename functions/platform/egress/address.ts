import ipaddr from 'ipaddr.js';

/** Global unicast addresses that are not public. 168.63.129.16 is the Azure host's wire server. */
const NOT_PUBLIC: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The only IPv6 block that IANA has assigned for global unicast so far (RFC 4291 §2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is public: global unicast and outside all special-use ranges. False for text that is not an address,
 * and for an address with a zone. Also false for IPv6 addresses that embed an IPv4 address (mapped, NAT64, 6to4, Teredo),
 * even if the embedded address is public.
 */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || NOT_PUBLIC.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
};

/** Whether two texts denote the same address, for example `::1` and `0:0:0:0:0:0:0:1`. */
export const isSameAddress = (one: string, other: string): boolean =>
  ipaddr.isValid(one) &&
  ipaddr.isValid(other) &&
  ipaddr.parse(one).toString() === ipaddr.parse(other).toString();
