import * as z from 'zod';
import { Scope } from '../../../schemas/access/scopes.ts';
import { toIso } from '../shared/time/toIso.ts';
import type { Caller } from './caller.ts';

const members = {
  id: z.string(),
  /** The scopes of the credential that made the call. A token may have fewer scopes than its client or user. */
  scopes: z.array(Scope),
  /** Distinguishes two authorizations by the same principal. */
  at: z.iso.datetime(),
};

/**
 * The principal whose scopes allow something to continue after its request: an endpoint or a notification channel to
 * receive data, a schedule to export it. `heldScopes` reads what the principal may still do.
 */
export const Authorization = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('api_key'), ...members }),
  z.object({ kind: z.literal('oauth_client'), ...members }),
  /** Users are stored under their e-mail address. */
  z.object({ kind: z.literal('user'), email: z.string(), ...members }),
]);
export type Authorization = z.infer<typeof Authorization>;

/** The authorization that a caller gives at `now` (epoch milliseconds). */
export const authorizationBy = (
  { kind, principal: id, scopes, email }: Pick<Caller, 'kind' | 'principal' | 'scopes' | 'email'>,
  now: number,
): Authorization => {
  const common = { id, scopes: [...scopes], at: toIso(now) };
  if (kind !== 'user') return { kind, ...common };
  if (email === null) throw new Error('a user without an e-mail address');
  return { kind, email, ...common };
};
