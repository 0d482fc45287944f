import { isIPv4, isIPv6 } from 'node:net';

/** The prefix that one customer of a provider gets at least is a /64 (RFC 6177), so it counts as one source. */
const SOURCE_GROUPS = 4;
const GROUPS = 8;

/** An IPv4 address in the IPv6-mapped form (RFC 4291 §2.5.5.2). */
const MAPPED = /^::ffff:(?<ipv4>\d+\.\d+\.\d+\.\d+)$/i;

/** The first half of an IPv6 address, without leading zeros. */
const prefixOf = (address: string): string => {
  // Groups behind `::` cannot be counted from the front, and an IPv4 address at the end stands for two groups.
  const [head = '', tail] = address.split('%', 1).join('').split('::');
  const groupsOf = (part: string) =>
    part === '' ? [] : part.split(':').flatMap((group) => (isIPv4(group) ? ['0', '0'] : group));
  const [front, back] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: Math.max(0, GROUPS - front.length - back.length) }, () => '0');
  return [...front, ...zeros, ...back]
    .slice(0, SOURCE_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};

/**
 * The network that a source address belongs to: an IPv4 address itself, also in its IPv6-mapped form, or the /64 of an IPv6
 * address. Text that is no address counts as one source of its own. A library would be a tenth of most bundles.
 */
export const sourceNetworkOf = (sourceIp: string): string => {
  const ipv4 = MAPPED.exec(sourceIp)?.groups?.['ipv4'];
  if (ipv4 !== undefined) return ipv4;
  return isIPv6(sourceIp) ? `${prefixOf(sourceIp)}::/64` : sourceIp;
};
