import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';
import type { Target } from './target.ts';

/** Resolves a host name to all its addresses, without a cache. Throws when the name does not resolve. */
export type Resolver = (host: string) => Promise<readonly string[]>;

/** The resolver of the operating system. Keeps the order of the answer. */
export const systemResolver: Resolver = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address);

export type Resolution =
  | { readonly kind: 'admitted'; readonly addresses: readonly string[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unresolved' };

/**
 * The addresses that a call to a target may connect to. One address that is not public refuses the whole answer, because a
 * mixed answer is an attempt to reach the private address. An empty answer is refused too.
 */
export const resolveTarget = async ({ host, trusted }: Target, resolver: Resolver): Promise<Resolution> => {
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await resolver(host) : [host];
  } catch {
    return { kind: 'unresolved' };
  }
  const isAdmitted = addresses.length > 0 && (trusted || addresses.every(isPublicAddress));
  return isAdmitted ? { kind: 'admitted', addresses } : { kind: 'refused' };
};
