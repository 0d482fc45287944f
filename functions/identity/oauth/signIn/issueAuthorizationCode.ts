import { randomBytes } from 'node:crypto';
import type { AuditActor } from '../../../../schemas/identity/audit.ts';
import type { finishSignIn } from '../../../../schemas/routes/identity/signIn.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import { deterministicUlid, idOf } from '../../../platform/shared/ids.ts';
import { createNew } from '../../../platform/shared/retry/optimisticUpdate.ts';
import type { StoresOf } from '../../../stores.ts';
import type { SignIn } from '../../access/grants/grant.ts';
import { newSecret } from '../../access/principals/secret.ts';
import { type CallInfo, createAuditContext } from '../../audit/auditContext.ts';
import { buildAuditEntry } from '../../audit/auditEntry.ts';
import { type AuthorizationError, isAuthorizationError } from './authorizationError.ts';
import { createGrant, type IdentityClaims } from './createGrant.ts';

/** The lifetime of a code. It must cover one redirect and one token request. */
const CODE_LIFETIME_SECONDS = 60;

/** Issues an authorization code for the sign-in, or records the refusal in the audit log and returns the error. */
export const issueAuthorizationCode = async (
  signIn: SignIn,
  person: IdentityClaims,
  call: CallInfo,
  stores: StoresOf<typeof finishSignIn>,
): Promise<{ readonly code: string } | AuthorizationError> => {
  const { client_id, tenant_id, tenant_tag: tag, redirect_uri, code_challenge } = signIn;
  const { requestId, receivedAt: now } = call;
  const user = person.email === null ? null : await stores.credentials.user(tag, person.email);
  const grantId = idOf('grt', tag, deterministicUlid('grant', requestId, now));
  const grant = createGrant(signIn, person, user, { now, grantId });

  const actor: AuditActor =
    user === null ? { type: 'oauth_client', id: client_id } : { type: 'user', id: user.user_id };
  const auditContext = createAuditContext(call, { tag, action: 'user.sign_in', actor });

  if (isAuthorizationError(grant)) {
    const { refusal } = grant;
    if (refusal !== undefined) {
      await commit([
        stores.audit.append(tenant_id, buildAuditEntry(auditContext, { resource: null, refusal })),
      ]);
    }
    return grant;
  }
  const code = newSecret(randomBytes);
  const stored = {
    grant,
    redirect_uri,
    code_challenge,
    expires_at: now + CODE_LIFETIME_SECONDS * 1_000,
    used: false,
  };
  await createNew(requestId, (options) => [
    stores.signIns.putCode(code, stored, options),
    stores.audit.append(tenant_id, buildAuditEntry(auditContext, { resource: grantId })),
  ]);
  return { code };
};
