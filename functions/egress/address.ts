import ipaddr from 'ipaddr.js';

/** Addresses that look public and are not: 168.63.129.16 is the host's own service on Azure. */
const NOT_PUBLIC: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The only block of IPv6 that is assigned to the public so far (RFC 4291 §2.4, IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address may be dialled: global unicast, and in none of the ranges for special use. Whatever is not an
 * address, or has a zone, may not. IPv6 that carries an IPv4 address (mapped, NAT64, 6to4, Teredo) may not either,
 * wherever the address inside leads.
 */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || NOT_PUBLIC.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
};

/** Whether two texts spell one address: `::1` and `0:0:0:0:0:0:0:1` do. */
export const isSameAddress = (one: string, other: string): boolean =>
  ipaddr.isValid(one) &&
  ipaddr.isValid(other) &&
  ipaddr.parse(one).toString() === ipaddr.parse(other).toString();
