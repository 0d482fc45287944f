import type { Scope } from '../../../schemas/identity/scopes.ts';
import { toIso } from '../shared/time/toIso.ts';
import type { Authorization } from './authorization.ts';
import type { Tenant } from './tenant.ts';

/** The caller, taken from the verified credential only. Nothing else selects the tenant. */
export interface Caller {
  readonly tenant: Tenant;
  /** Id of the API key, OAuth client or user. */
  readonly principal: string;
  readonly kind: 'api_key' | 'oauth_client' | 'user';
  /** The e-mail address the user is stored under; null for API keys and OAuth clients. */
  readonly email: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** The data-residency lane the credential is bound to; null if it is not bound to one. */
  readonly residency: string | null;
  /** The connector of a partner that the OAuth client is; absent for all other credentials. */
  readonly connector?: {
    readonly name: string;
    readonly sourceSystems: readonly string[];
    /** The capture layer of all its events. */
    readonly layer: string;
    /** Whether it may fill empty parts of records of other source systems. */
    readonly fillsOtherSources: boolean;
  };
  /** Time of the user's last sign-in in epoch milliseconds; null for API keys and OAuth clients. */
  readonly signedInAt: number | null;
}

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
