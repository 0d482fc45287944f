import { chooseTenant } from '../../../../schemas/routes/identity/session.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { commitWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { settings } from '../../../platform/shared/settings.ts';
import { revokeGrant } from '../revokeGrant.ts';
import { consoleGrant, grantWrites } from './consoleGrant.ts';
import { requireSession } from './findSession.ts';
import { tenantCookie } from './sessionCookie.ts';
import { sessionResponse } from './sessionResponse.ts';

const notAMember = () =>
  new ProblemError('TENANT_MISMATCH', 'The person who is signed in is not a user of this tenant.');

/** Changes the tenant of a session. The access tokens of the former tenant end, so that a page shows one tenant only. */
export default operation(chooseTenant, async ({ body, stores, ...request }) => {
  const found = await requireSession(request, stores);
  const { id, session, grant: former } = found;
  if (former?.tenant_id === body.tenant_id) return reply(200, await sessionResponse(found, request, stores));

  const memberships = await stores.credentials.memberships(session.email);
  const membership = memberships.find(({ tenant_id }) => tenant_id === body.tenant_id);
  if (membership === undefined) throw notAMember();
  const person = {
    email: session.email,
    signedInAt: session.signed_in_at,
    expiresAt: session.expires_at,
  };
  const grant = await consoleGrant(membership, person, request, stores.credentials);
  if (grant === null) throw notAMember();

  const changed = { ...session, grant_id: grant.grant_id };
  const by = { claim: request.requestId, attempt: 1 };
  await commitWithRetry(async () => {
    const revision = (await stores.sessions.session(id))?.revision;
    if (revision === undefined) throw new ProblemError('NOT_FOUND', 'There is no such session.');
    return {
      writes: [
        stores.sessions.putSession(id, changed, { expectedRevision: revision, by }),
        ...grantWrites(grant, request, { expectedRevision: null, by }, stores),
      ],
      result: undefined,
    };
  });
  if (former !== null) await revokeGrant(former.grant_id, 'token.revoke', request, stores);
  const chosen = await sessionResponse({ id, session: changed, grant }, request, stores);
  return { ...reply(200, chosen), cookies: [tenantCookie(settings.BASE_URL, grant.tenant_id)] };
});
