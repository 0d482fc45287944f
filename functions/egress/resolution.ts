import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';
import type { Target } from './target.ts';

/** All addresses of a name, asked anew each time. Throws when the name does not resolve. */
export type Resolver = (host: string) => Promise<readonly string[]>;

/** As the machine resolves names, in the order of the answer. */
export const systemResolver: Resolver = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address);

export type Resolution =
  | { readonly kind: 'admitted'; readonly addresses: readonly string[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unresolved' };

/**
 * The addresses a target may be dialled at. One address that is not public refuses all of them: whoever mixes them
 * waits for the other one to be dialled. So does an answer without any.
 */
export const resolveTarget = async ({ host, trusted }: Target, resolver: Resolver): Promise<Resolution> => {
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await resolver(host) : [host];
  } catch {
    return { kind: 'unresolved' };
  }
  const admitted = addresses.length > 0 && (trusted || addresses.every(isPublicAddress));
  return admitted ? { kind: 'admitted', addresses } : { kind: 'refused' };
};
