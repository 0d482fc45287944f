import { randomBytes } from 'node:crypto';
import { verifyWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { chargeOnce } from './endpoints/challengeLimit.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { withState } from './endpoints/endpointChanges.ts';
import { applyChallengeAnswer, type EndpointState, pendingState } from './endpoints/endpointState.ts';
import { createChallenge, sendChallenge } from './endpoints/sendChallenge.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

/** The state after an answer to the challenge. Throws VALIDATION_FAILED for a wrong or expired answer. */
const requireCorrectAnswer = (state: EndpointState, answer: string, now: number): EndpointState => {
  const after = applyChallengeAnswer(state, answer, now);
  if (after !== null) return after;
  throw new ProblemError('VALIDATION_FAILED', 'The challenge answer is wrong or expired.', {
    errors: [
      { pointer: '/challenge', detail: 'must be the challenge that was sent last, within 24 hours of it' },
    ],
  });
};

/** Throws CONFLICT unless the endpoint is pending. */
const requirePending = ({ status }: EndpointState): void => {
  if (status === 'pending') return;
  throw new ProblemError(
    'CONFLICT',
    status === 'verified'
      ? 'The endpoint is already verified.'
      : 'The endpoint is disabled. Enable it first.',
  );
};

export default operation(verifyWebhook, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const chargeChallenge = chargeOnce(stores.chargeChallenge);
  let result: StoredEndpoint | undefined;

  const key = await stores.endpointKey();
  const read = () => stores.endpointWriter.versioned(tenant.tenant_id, parameters['id'] ?? '');
  const challengeOf = ({ id }: StoredEndpoint) =>
    createChallenge(id, { key, random: randomBytes, at: receivedAt });
  await updateWithRetry(claim, read, async ({ document: endpoint, revision }, isRetry) => {
    result = endpoint;
    if (isRetry) return null;
    requirePending(endpoint.state);
    const challenge = challengeOf(endpoint);
    if (body.challenge === undefined) await chargeChallenge(tenant.tenant_id, endpoint.id);
    const state =
      body.challenge === undefined
        ? pendingState(challenge.open)
        : requireCorrectAnswer(endpoint.state, body.challenge, receivedAt);
    result = withState(endpoint, state, challenge);
    return [
      stores.endpointWriter.replace(tenant.tenant_id, result, revision, claim),
      stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: endpoint.id })),
    ];
  });
  if (result === undefined) throw new Error('the endpoint was not found');
  await sendChallenge(stores.publisher, result, challengeOf(result), { tenant, claim, receivedAt });
  return reply(200, toWebhookRecord(result, receivedAt));
});
