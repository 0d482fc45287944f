import type { Scope } from '../../schemas/access/scopes.ts';
import type { Tenant } from './tenant.ts';

/** Who calls, as the verified credential says. Nothing else ever chooses the tenant. */
export interface Caller {
  readonly tenant: Tenant;
  /** Id of the key, client or user that acts. */
  readonly principal: string;
  readonly kind: 'api_key' | 'oauth_client' | 'user';
  /** The e-mail address under which the user is stored; null for credentials no user stands behind. */
  readonly email: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** The data-residency lane the credential is bound to; null when it is not. */
  readonly residency: string | null;
  /** Epoch milliseconds when a user last signed in; null for credentials no user stands behind. */
  readonly signedInAt: number | null;
}
