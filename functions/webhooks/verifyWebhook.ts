import { randomBytes } from 'node:crypto';
import { verifyWebhook } from '../../schemas/routes/webhooks.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { updateWithRetry } from '../shared/optimisticUpdate.ts';
import { orUnavailable, ProblemError } from '../shared/problem.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { withState } from './endpoints/endpointChanges.ts';
import { applyChallengeAnswer, type EndpointState, pendingState } from './endpoints/endpointState.ts';
import { requireUnboundCredential } from './endpoints/residency.ts';
import { createChallenge, sendChallenge } from './endpoints/sendChallenge.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

/** The endpoint after this answer. Throws CONFLICT where nothing is asked, VALIDATION_FAILED for a wrong or late answer. */
const requireCorrectAnswer = (state: EndpointState, answer: string, now: number): EndpointState => {
  const after = applyChallengeAnswer(state, answer, now);
  if (after !== null) return after;
  throw new ProblemError('VALIDATION_FAILED', 'The challenge proves nothing.', {
    errors: [{ pointer: '/challenge', detail: 'is not the last one that was sent, or is over 24 hours old' }],
  });
};

const requirePending = ({ status }: EndpointState): void => {
  if (status === 'pending') return;
  throw new ProblemError(
    'CONFLICT',
    status === 'verified' ? 'The endpoint is verified.' : 'The endpoint is disabled; enable it first.',
  );
};

export default operation(verifyWebhook, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  requireUnboundCredential(caller);
  const { tenant } = caller;
  let result: StoredEndpoint | undefined;

  return orUnavailable(async () => {
    const key = await stores.endpointKey();
    const found = () => stores.endpointWriter.versioned(tenant.tenant_id, parameters['id'] ?? '');
    const challengeOf = ({ id }: StoredEndpoint) =>
      createChallenge(id, { key, random: randomBytes, at: receivedAt });
    await updateWithRetry(claim, found, ({ document: endpoint, revision }, isRetry) => {
      result = endpoint;
      if (isRetry) return null;
      requirePending(endpoint.state);
      const challenge = challengeOf(endpoint);
      const standing =
        body.challenge === undefined
          ? pendingState(challenge.open)
          : requireCorrectAnswer(endpoint.state, body.challenge, receivedAt);
      result = withState(endpoint, standing, challenge);
      return [
        stores.endpointWriter.replace(tenant.tenant_id, result, revision, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: endpoint.id })),
      ];
    });
    if (result === undefined) throw new Error('an endpoint is found');
    await sendChallenge(stores.publisher, result, challengeOf(result), { tenant, claim, receivedAt });
    return reply(200, toWebhookRecord(result, receivedAt));
  });
});
