import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  grantableExpiry,
  grantableLane,
  grantableScopes,
  rotatedExpiry,
} from '../../../functions/identity/credentials/rights.ts';
import { type Scope, scopeNames } from '../../../schemas/identity/scopes.ts';
import { caller } from '../../platform/http/harness.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const DAY = 24 * 60 * 60 * 1_000;
const iso = (at: number): string => new Date(at).toISOString();
const refusal = (code: string) => expect.objectContaining({ code });

describe('grantableScopes', () => {
  const scopes = fc.uniqueArray(fc.constantFrom(...scopeNames));
  const having = (held: readonly Scope[]) => ({ scopes: new Set(held) });

  it('returns the requested scopes without duplicates if the creator has them all, else throws', () => {
    const requested = fc.array(fc.constantFrom(...scopeNames), { minLength: 1 });

    fc.assert(
      fc.property(scopes, requested, (held, requested) => {
        const missing = requested.filter((scope) => !held.includes(scope));
        if (missing.length > 0) {
          expect(() => grantableScopes(having(held), requested)).toThrow(refusal('INSUFFICIENT_SCOPE'));
          return;
        }
        const granted = grantableScopes(having(held), requested);
        expect(granted).toHaveLength(new Set(requested).size);
        expect(new Set(granted)).toEqual(new Set(requested));
      }),
    );
  });

  it('throws NO_SCOPE for an empty list', () => {
    fc.assert(
      fc.property(scopes, (held) => {
        expect(() => grantableScopes(having(held), [])).toThrow(refusal('NO_SCOPE'));
      }),
    );
  });

  it('does not derive scopes: admin:config alone grants no other scope', () => {
    for (const requested of scopeNames.filter((scope) => scope !== 'admin:config')) {
      expect(() => grantableScopes(having(['admin:config']), [requested])).toThrow(
        refusal('INSUFFICIENT_SCOPE'),
      );
    }
  });
});

describe('grantableLane', () => {
  const blocked = 'blocked';
  const laneFor = (lanes: string[], bound: string | null, requested: string | undefined) => {
    const creator = { residency: bound, tenant: { ...caller.tenant, residency: lanes } };
    try {
      return grantableLane(creator, requested);
    } catch (error) {
      expect(error).toEqual(refusal('RESIDENCY_BLOCKED'));
      return blocked;
    }
  };

  it.each([
    [[], null, undefined, null],
    [['eu', 'us'], null, undefined, null],
    [['eu', 'us'], null, 'us', 'us'],
    [['eu', 'us'], null, 'ap', blocked],
    [[], null, 'eu', blocked],
    [['eu', 'us'], 'eu', undefined, 'eu'],
    [['eu', 'us'], 'eu', 'eu', 'eu'],
    [['eu', 'us'], 'eu', 'us', blocked],
    [['us'], 'eu', undefined, blocked],
    [['us'], 'eu', 'eu', blocked],
    [['eu'], null, 'EU', blocked],
  ])(
    'with tenant lanes %j, a creator bound to %j and requested lane %j: %j',
    (lanes, bound, requested, expected) => {
      expect(laneFor(lanes, bound, requested)).toBe(expected);
    },
  );

  it('is never wider than the lane of the creator, and always a lane of the tenant', () => {
    const lane = fc.constantFrom('eu', 'us', 'ap');

    fc.assert(
      fc.property(
        fc.uniqueArray(lane),
        fc.option(lane),
        fc.option(lane, { nil: undefined }),
        (lanes, bound, requested) => {
          const granted = laneFor(lanes, bound, requested);

          if (granted === blocked) return;
          if (bound !== null) expect(granted).toBe(bound);
          if (granted !== null) expect(lanes).toContain(granted);
          if (requested !== undefined) expect(granted).toBe(requested);
        },
      ),
    );
  });
});

describe('grantableExpiry', () => {
  const LIFETIME = 90;
  const latest = NOW + LIFETIME * DAY;

  it('returns the maximum lifetime unless an earlier expiry is requested', () => {
    const requested = [undefined, iso(latest), iso(NOW + 1), '2026-05-01T14:00:00.001+02:00'];

    expect(requested.map((text) => grantableExpiry(text, NOW, LIFETIME))).toEqual([
      latest,
      latest,
      NOW + 1,
      NOW + 1,
    ]);
  });

  it.each([
    ['now', NOW],
    ['in the past', NOW - 1],
    ['at the Unix epoch', 0],
    ['after the maximum lifetime', latest + 1],
    ['in a thousand years', NOW + 365_000 * DAY],
  ])('throws with a pointer to the member for an expiry %s', (_, at) => {
    expect(() => grantableExpiry(iso(at), NOW, LIFETIME)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        options: { errors: [{ pointer: '/expires_at', detail: expect.stringMatching(/^must /) }] },
      }),
    );
  });
});

describe('rotatedExpiry', () => {
  const key = (expiresAt: number) => ({ expires_at: iso(expiresAt) });
  const policy = (lifetimeDays: number) => ({ now: NOW, lifetimeDays });

  it('keeps the expiry of the key', () => {
    expect(rotatedExpiry(key(NOW + 30 * DAY), undefined, policy(365))).toBe(NOW + 30 * DAY);
  });

  it('applies the current maximum lifetime', () => {
    expect(rotatedExpiry(key(NOW + 200 * DAY), undefined, policy(90))).toBe(NOW + 90 * DAY);
  });

  it.each([10, 60])('is the requested one: %d days', (days) => {
    expect(rotatedExpiry(key(NOW + 30 * DAY), iso(NOW + days * DAY), policy(90))).toBe(NOW + days * DAY);
  });

  it.each([-1, 0, 91])('is refused %d days from now, with a maximum lifetime of 90 days', (days) => {
    expect(() => rotatedExpiry(key(NOW + DAY), iso(NOW + days * DAY), policy(90))).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    );
  });

  it('never prolongs a key that was rotated without a request', () => {
    const days = fc.integer({ min: 1, max: 1_000 });

    fc.assert(
      fc.property(days, days, (left, lifetime) => {
        const expiry = rotatedExpiry(key(NOW + left * DAY), undefined, policy(lifetime));

        expect(expiry).toBe(NOW + Math.min(left, lifetime) * DAY);
      }),
    );
  });
});
