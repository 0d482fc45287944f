import { describe, expect, it } from 'vitest';
import { reply } from '../../../functions/platform/http/reply.ts';
import { scopeNames } from '../../../schemas/identity/scopes.ts';
import { routes } from '../../../schemas/routes/index.ts';
import { requiresStepUp, routeKey } from '../../../schemas/routes/route.ts';
import { caller, NOW, serve } from './harness.ts';

const MINUTE = 60_000;

/** The mutations that a user with an old sign-in may make. Adding a route here is a security decision. */
const WITHOUT_STEP_UP = [
  'issueToken',
  'revokeToken',
  'postInvocation',
  'postInvocationBatch',
  'postLogs',
  'postMetrics',
  'postTraces',
  'postEvents',
  'postCallLogs',
  'postPartnerEvents',
  'postPartnerInvocation',
  'putPartnerHealth',
  'dryRunIdentityMapping',
  'cancelJob',
  // Puts one fixed object below the location that somebody with a recent sign-in chose, and tells nothing of its content.
  'checkExportDestination',
  'markNotificationsRead',
];

const mutations = routes.filter(({ method }) => method !== 'GET');

/** The response to a user with every scope, `minutes` after the sign-in. */
const respondAfter = (shape: (typeof routes)[number], minutes: number) =>
  serve(
    shape,
    () => reply(200, {}),
    { headers: { 'x-api-key': 'ask_good', 'idempotency-key': 'a-key' } },
    {
      authenticator: async () => ({
        ...caller,
        kind: 'user',
        principal: 'usr_1',
        scopes: new Set(scopeNames),
        signedInAt: NOW - minutes * MINUTE,
      }),
    },
  );

describe('routes that require a recent sign-in', () => {
  it('are all mutations with an effect that needs it', () => {
    const without = mutations.filter((shape) => !requiresStepUp(shape)).map(({ operation }) => operation);

    expect(without.toSorted()).toEqual(WITHOUT_STEP_UP.toSorted());
  });

  it('include no GET', () => {
    expect(routes.filter(({ method }) => method === 'GET').filter(requiresStepUp)).toEqual([]);
  });

  it.each(
    mutations
      .filter(({ operation }) => !WITHOUT_STEP_UP.includes(operation))
      .map((shape) => [routeKey(shape), shape] as const),
  )('return STEP_UP_REQUIRED after 26 minutes: %s', async (_, shape) => {
    const [old, fresh] = [await respondAfter(shape, 26), await respondAfter(shape, 14)];

    expect(old).toMatchObject({ status: 401, body: { error_code: 'STEP_UP_REQUIRED' } });
    expect(fresh.body['error_code']).not.toBe('STEP_UP_REQUIRED');
  });
});
