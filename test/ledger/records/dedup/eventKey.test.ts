import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { dedupClaimStore } from '../../../../functions/ledger/records/dedup/dedupClaim.store.ts';
import {
  claimKeyOf,
  claimsFor,
  type DedupClaim,
  readClaims,
} from '../../../../functions/ledger/records/dedup/dedupClaimRow.store.ts';
import { type EventKey, eventKeys } from '../../../../functions/ledger/records/dedup/eventKey.store.ts';
import { recordUlid } from '../../../../functions/platform/shared/ids.ts';
import { runs } from '../../../support/properties.ts';
import { startTables } from '../../../support/tables.ts';

const NOON = Date.parse('2026-03-15T12:00:00Z');
const DAY = 24 * 60 * 60 * 1_000;
const TENANT = 'acme';

const keys = eventKeys('claims');
const claims = dedupClaimStore('claims');

const live = await startTables();
afterAll(() => live.stop());

const printOf = (name: string): string => Buffer.from(name.padEnd(32, '.')).toString('base64url');
const keyIn = (invocation: string, members: Partial<EventKey> = {}): EventKey => ({
  tenantId: TENANT,
  invocation,
  credential: 'key_one',
  fingerprint: printOf('body'),
  ...members,
});
const claimBy = (
  invocation: string,
  { credential = 'key_one', connector = false, now = NOON } = {},
): DedupClaim => {
  const record = recordUlid(TENANT, invocation, NOON, 3, connector ? ['', credential] : []);
  return {
    party: connector ? credential : null,
    credential,
    occurredAt: NOON,
    receivedAt: now,
    contentHash: 'content',
    record,
    observer: `observer of ${credential}`,
    lane: null,
  };
};
const ttlOf = async (invocation: string): Promise<number> => {
  const Key = claimKeyOf(TENANT, invocation);
  const { Item } = await live.client.send(new GetItemCommand({ TableName: 'claims', Key }));
  return Number(Item?.['ttl']?.N) * 1_000;
};

describe('eventKeys', () => {
  it('writes the key and the claim of the event at once', async () => {
    const invocation = randomUUID();
    const claim = claimBy(invocation);

    const held = await keys.hold(keyIn(invocation), NOON, claim);

    expect(held).toEqual({ kind: 'first', record: claim.record });
    expect(claimsFor(null, (await readClaims('claims', TENANT, invocation)) ?? {})).toEqual({
      own: { ...claim, isAhead: true },
      others: [],
    });
  });

  it('gives the key to exactly one of 12 concurrent requests', async () => {
    const invocation = randomUUID();

    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const fingerprint = printOf(`body ${index}`);
        const claim = index % 2 === 0 ? claimBy(invocation, { now: NOON + index }) : null;
        return keys.hold(keyIn(invocation, { fingerprint }), NOON + index, claim);
      }),
    );

    expect(results.map(({ kind }) => kind).sort()).toEqual([...Array(11).fill('conflict'), 'first']);
  });

  it('keeps a row with a key alone for 24 hours, and with a claim for the life of the claim', async () => {
    const invocation = randomUUID();
    await keys.hold(keyIn(invocation), NOON, null);
    const alone = await ttlOf(invocation);
    await claims.claim(TENANT, invocation, claimBy(invocation, { credential: 'key_other' }));
    const claimed = await ttlOf(invocation);
    await keys.hold(keyIn(invocation, { credential: 'key_third' }), NOON, null);

    expect([alone, await ttlOf(invocation)]).toEqual([NOON + DAY, claimed]);
    expect(claimed).toBeGreaterThan(NOON + 700 * DAY);
  });
});

const CREDENTIALS = ['key_one', 'key_two'] as const;
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('hold' as const),
        credential: fc.constantFrom(...CREDENTIALS),
        body: fc.constantFrom('a', 'b'),
        claims: fc.boolean(),
        fails: fc.boolean(),
      }),
    },
    fc.record({
      kind: fc.constant('claim' as const),
      credential: fc.constantFrom(...CREDENTIALS),
      connector: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, DAY - 1, DAY),
    }),
  ),
  { minLength: 1, maxLength: 12 },
);

/** A key in a row of its own: what a request is answered, and whose first claim the row has. */
describe('a key in the row of its event id', () => {
  it('answers as a key in a row of its own, in any order of requests, claims, failures and times', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const invocation = randomUUID();
        const held = new Map<string, { readonly body: string; readonly at: number }>();
        const parties = new Map<string | null, string>();
        let now = NOON;
        for (const step of sequence) {
          if (step.kind === 'wait') now += step.ms;
          if (step.kind === 'claim') {
            const claim = claimBy(invocation, { ...step, now });
            const { own } = await claims.claim(TENANT, invocation, claim);
            // A connector has no claim beside that of the tenant, and each party keeps its first one.
            const known =
              parties.get(claim.party) ?? (claim.party !== null && parties.has(null) ? null : claim.record);
            expect(own?.record ?? null).toBe(known);
            if (known !== null) parties.set(claim.party, known);
          }
          if (step.kind === 'hold') {
            const { credential, body, claims: isEvent, fails } = step;
            const key = keyIn(invocation, { credential, fingerprint: printOf(body) });
            const claim = isEvent ? claimBy(invocation, { credential, now }) : null;
            const known = held.get(credential);
            const isHeld = known !== undefined && known.at > now - DAY;
            const seen = await keys.peek(key, now);
            const result = await keys.hold(key, now, claim);
            expect(seen.kind).toBe(result.kind);
            if (isHeld) {
              const repeat = { kind: 'repeat', receivedAt: known.at };
              expect(result).toEqual(known.body === body ? repeat : { kind: 'conflict' });
            } else {
              expect(result.kind).toBe('first');
              if (fails) await keys.release(key);
              else held.set(credential, { body, at: now });
              if (result.kind === 'first' && result.record !== null) {
                expect(parties.size).toBe(0);
                parties.set(null, result.record);
              }
            }
          }
        }
        const row = (await readClaims('claims', TENANT, invocation)) ?? {};
        for (const [party, record] of parties) expect(claimsFor(party, row).own?.record).toBe(record);
      }),
      { numRuns: runs(20) },
    );
  });
});
