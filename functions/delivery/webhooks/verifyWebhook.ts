import { randomBytes } from 'node:crypto';
import { verifyWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { chargeOnce } from './endpoints/challengeLimit.ts';
import { withState } from './endpoints/endpointChanges.ts';
import { endpointResource } from './endpoints/endpointResource.ts';
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
  const { body, caller, receivedAt: at, stores } = call;
  const chargeChallenge = chargeOnce(stores.chargeChallenge);
  const key = await stores.endpointKey();

  const { document } = await endpointResource(stores.endpointWriter).update(call, async (endpoint) => {
    requirePending(endpoint.state);
    const challenge = createChallenge(endpoint.id, { key, random: randomBytes, at });
    if (body.challenge === undefined) await chargeChallenge(caller.tenant.tenant_id, endpoint.id);
    const state =
      body.challenge === undefined
        ? pendingState(challenge.open)
        : requireCorrectAnswer(endpoint.state, body.challenge, at);
    return withState(endpoint, state, challenge);
  });
  await sendChallenge(stores.publisher, document, call);
  return reply(200, toWebhookRecord(document, at));
});
