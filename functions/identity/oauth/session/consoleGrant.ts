import { scopeNames } from '../../../../schemas/identity/scopes.ts';
import type { Write, WriteOptions } from '../../../platform/shared/aws/document.store.ts';
import { deterministicUlid, idOf } from '../../../platform/shared/ids.ts';
import type { GrantWriter } from '../../access/grants/grant.store.ts';
import type { Grant } from '../../access/grants/grant.ts';
import { CONSOLE_CLIENT_ID } from '../../access/principals/consoleClient.ts';
import type { CredentialReader } from '../../access/principals/credential.store.ts';
import type { Membership } from '../../access/principals/membership.ts';
import type { AuditLog } from '../../audit/audit.store.ts';
import { type CallInfo, createAuditContext } from '../../audit/auditContext.ts';
import { buildAuditEntry } from '../../audit/auditEntry.ts';
import { isAuthorizationError } from '../signIn/authorizationError.ts';
import { createGrant } from '../signIn/createGrant.ts';

/**
 * The grant of a person who signed in at `signedInAt` (epoch milliseconds) to a tenant. It has every scope, and the role of
 * the user limits each token, so a new role applies at once. Null if the person is no longer a user of the tenant.
 */
export const consoleGrant = async (
  { tenant_id, tenant_tag }: Membership,
  person: { readonly email: string; readonly signedInAt: number; readonly expiresAt: number },
  { requestId, receivedAt: now }: CallInfo,
  { user: findUser }: Pick<CredentialReader, 'user'>,
): Promise<Grant | null> => {
  const user = await findUser(tenant_tag, person.email);
  const signIn = {
    client_id: CONSOLE_CLIENT_ID,
    tenant_id,
    tenant_tag,
    scopes: scopeNames,
    signed_in_since: null,
  };
  const grantId = idOf('grt', tenant_tag, deterministicUlid('grant', requestId, now));
  const grant = createGrant(signIn, person, user, { now, grantId });
  return isAuthorizationError(grant) ? null : { ...grant, expires_at: person.expiresAt };
};

/** The writes of a grant: itself, and the sign-in in the audit log of its tenant. */
export const grantWrites = (
  grant: Grant,
  call: CallInfo,
  options: WriteOptions,
  { grantWriter, audit }: { readonly grantWriter: GrantWriter; readonly audit: AuditLog },
): Write[] => {
  const { tenant_id, tenant_tag: tag, user_id: id, grant_id } = grant;
  const context = createAuditContext(call, { tag, action: 'user.sign_in', actor: { type: 'user', id } });
  return [
    grantWriter.putGrant(grant, { ...options, expectedRevision: null }),
    audit.append(tenant_id, buildAuditEntry(context, { resource: grant_id })),
  ];
};
