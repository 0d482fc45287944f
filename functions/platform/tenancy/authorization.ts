import * as z from 'zod';
import { Scope } from '../../../schemas/identity/scopes.ts';

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
