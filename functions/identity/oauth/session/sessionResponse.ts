import { roles } from '../../../../schemas/identity/roles.ts';
import type { ConsoleSession, getSession } from '../../../../schemas/routes/identity/session.ts';
import { settings } from '../../../platform/shared/settings.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { StoresOf } from '../../../stores.ts';
import { isSameActiveUser } from '../../access/grants/delegation.ts';
import type { Grant } from '../../access/grants/grant.ts';
import { issueAccessToken, TOKEN_LIFETIME_SECONDS } from '../../access/tokens/accessToken.ts';
import { toTokenContent } from '../grants/delegatedToken.ts';
import type { FoundSession } from './findSession.ts';

type Stores = StoresOf<typeof getSession>;

interface Request {
  readonly receivedAt: number;
  readonly requestId: string;
}

/** The members of a session in a tenant. Null if the user has left the tenant. */
const inTenant = async (
  grant: Grant | null,
  { receivedAt: now, requestId: jti }: Request,
  { credentials, tenants, signer }: Stores,
) => {
  if (grant === null) return null;
  const [user, tenant] = await Promise.all([
    credentials.user(grant.tenant_tag, grant.email),
    tenants.tenant(grant.tenant_id),
  ]);
  if (!isSameActiveUser(user, grant.user_id) || tenant === null) return null;
  const scopes = roles[user.role];
  const token = await issueAccessToken(toTokenContent(grant, scopes), {
    issuer: settings.BASE_URL,
    now,
    jti,
    signer,
  });
  return {
    access_token: token,
    expires_at: toIso(now + TOKEN_LIFETIME_SECONDS * 1_000),
    user: { id: user.user_id, email: user.email, role: user.role },
    tenant: { id: tenant.tenant_id, name: tenant.name, sandbox: tenant.sandbox === true },
    scopes: [...scopes],
  };
};

/**
 * Who is signed in, with a new access token. Nothing rotates: the cookie names the session, and any number of pages may ask
 * at once. A session without a tenant has no token.
 */
export const sessionResponse = async (
  { session, grant }: FoundSession,
  request: Request,
  stores: Stores,
): Promise<ConsoleSession> => {
  const [chosen, memberships] = await Promise.all([
    inTenant(grant, request, stores),
    stores.credentials.memberships(session.email),
  ]);
  const tenants = await Promise.all(memberships.map(({ tenant_id }) => stores.tenants.tenant(tenant_id)));
  return {
    access_token: null,
    expires_at: null,
    user: { id: null, email: session.email, role: null },
    tenant: null,
    scopes: [],
    ...chosen,
    session_expires_at: toIso(session.expires_at),
    signed_in_at: toIso(session.signed_in_at),
    tenants: tenants.flatMap((tenant) =>
      tenant === null ? [] : [{ id: tenant.tenant_id, name: tenant.name }],
    ),
  };
};
