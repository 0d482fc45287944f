import { randomBytes } from 'node:crypto';
import type { AuditActor } from '../../../schemas/access/audit.ts';
import type { finishSignIn } from '../../../schemas/routes/signIn.ts';
import type { SignIn } from '../../access/grant.ts';
import { newSecret } from '../../access/secret.ts';
import { auditEntry } from '../../audit/entry.ts';
import { type CallAt, openOccasion } from '../../audit/openOccasion.ts';
import { commit } from '../../shared/aws/document.store.ts';
import { makeNew } from '../../shared/change.ts';
import { claimedUlid, idOf } from '../../shared/ids.ts';
import type { StoresOf } from '../../stores.ts';
import { type Fault, isFault } from './fault.ts';
import { grantOf, type Person } from './granting.ts';

/** How long a code lives: a redirect and a token request, in seconds. */
const CODE_SECONDS = 60;

/** Gives a code for the grant that the person's sign-in is worth, or records why they are refused. */
export const codeFor = async (
  signIn: SignIn,
  person: Person,
  call: CallAt,
  stores: StoresOf<typeof finishSignIn>,
): Promise<{ readonly code: string } | Fault> => {
  const { client_id, tenant_id, tenant_tag: tag, redirect_uri, code_challenge } = signIn;
  const { requestId, receivedAt: now } = call;
  const user = person.email === null ? null : await stores.credentials.user(tag, person.email);
  const grantId = idOf('grt', tag, claimedUlid('grant', requestId, now));
  const grant = grantOf(signIn, person, user, { now, grantId });

  const actor: AuditActor =
    user === null ? { type: 'oauth_client', id: client_id } : { type: 'user', id: user.user_id };
  const occasion = openOccasion(call, { tag, action: 'user.sign_in', actor });

  if (isFault(grant)) {
    const { refusal } = grant;
    if (refusal !== undefined) {
      await commit([stores.audit.append(tenant_id, auditEntry(occasion, { resource: null, refusal }))]);
    }
    return grant;
  }
  const code = newSecret(randomBytes);
  const stored = { grant, redirect_uri, code_challenge, expires_at: now + CODE_SECONDS * 1_000, used: false };
  await makeNew(requestId, (options) => [
    stores.signIns.putCode(code, stored, options),
    stores.audit.append(tenant_id, auditEntry(occasion, { resource: grantId })),
  ]);
  return { code };
};
