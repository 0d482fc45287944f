import { describe, expect, it } from 'vitest';
import { isIsolatedAfter } from '../../../../../functions/delivery/webhooks/deliveries/outcome/isolation.ts';
import { answered, unanswered } from '../../egressOutcomes.ts';

const OUTAGE = '2026-11-21T10:00:00.000Z';
const during = (attempts: number, failingSince: string | null = OUTAGE) => ({ attempts, failingSince });

describe('the events of a failed batch are sent one at a time', () => {
  it.each([400, 401, 403, 404, 409, 413, 422])('after the status %d', (status) => {
    expect(isIsolatedAfter(answered(status), during(1))).toBe(true);
  });

  it('after three failures, if the endpoint succeeds with other requests', () => {
    const attempts = [1, 2, 3].map((number) => isIsolatedAfter(answered(500), during(number, null)));

    expect(attempts).toEqual([false, false, true]);
  });

  it('after eight failures in any case', () => {
    const attempts = [7, 8].map((number) => isIsolatedAfter(unanswered('timeout'), during(number)));

    expect(attempts).toEqual([false, true]);
  });
});

describe('the events of a failed batch stay together', () => {
  it.each([408, 410, 429, 500, 503])('after the status %d during an outage', (status) => {
    expect(isIsolatedAfter(answered(status), during(5))).toBe(false);
  });

  it.each(['timeout', 'connect', 'reset', 'redirect'] as const)('after %s during an outage', (failure) => {
    expect(isIsolatedAfter(unanswered(failure), during(5))).toBe(false);
  });
});
