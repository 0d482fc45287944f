import { randomBytes } from 'node:crypto';
import { verifyWebhook } from '../../schemas/routes/webhooks.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { orUnavailable, ProblemError } from '../shared/problem.ts';
import { standingAs } from './endpoints/edit.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { answered, challenged, type Standing } from './endpoints/endpoint.ts';
import { requireAllLanes } from './endpoints/lane.ts';
import { webhookRecord } from './endpoints/record.ts';
import { openedChallenge, sendChallenge } from './endpoints/verification.ts';

/** The endpoint after this answer. Throws CONFLICT where nothing is asked, VALIDATION_FAILED for a wrong or late answer. */
const proven = (standing: Standing, answer: string, now: number): Standing => {
  const after = answered(standing, answer, now);
  if (after !== null) return after;
  throw new ProblemError('VALIDATION_FAILED', 'The challenge proves nothing.', {
    errors: [{ pointer: '/challenge', detail: 'is not the last one that was sent, or is over 24 hours old' }],
  });
};

const requirePending = ({ status }: Standing): void => {
  if (status === 'pending') return;
  throw new ProblemError(
    'CONFLICT',
    status === 'verified' ? 'The endpoint is verified.' : 'The endpoint is disabled; enable it first.',
  );
};

export default operation(verifyWebhook, async (call) => {
  const { parameters, body, caller, receivedAt, claim, occasion, stores } = call;
  requireAllLanes(caller);
  const { tenant } = caller;
  let result: StoredEndpoint | undefined;

  return orUnavailable(async () => {
    const key = await stores.endpointKey();
    const found = () => stores.endpointWriter.versioned(tenant.tenant_id, parameters['id'] ?? '');
    const challengeOf = ({ id }: StoredEndpoint) =>
      openedChallenge(id, { key, random: randomBytes, at: receivedAt });
    await change(claim, found, ({ document: endpoint, revision }, isRetry) => {
      result = endpoint;
      if (isRetry) return null;
      requirePending(endpoint.standing);
      const challenge = challengeOf(endpoint);
      const standing =
        body.challenge === undefined
          ? challenged(challenge.open)
          : proven(endpoint.standing, body.challenge, receivedAt);
      result = standingAs(endpoint, standing, challenge);
      return [
        stores.endpointWriter.replace(tenant.tenant_id, result, revision, claim),
        stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: endpoint.id })),
      ];
    });
    if (result === undefined) throw new Error('an endpoint is found');
    await sendChallenge(stores.publisher, result, challengeOf(result), { tenant, claim, receivedAt });
    return reply(200, webhookRecord(result, receivedAt));
  });
});
