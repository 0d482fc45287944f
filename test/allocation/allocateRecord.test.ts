import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocateRecord, isAllocable } from '../../functions/allocation/allocateRecord.ts';
import { computeShares } from '../../functions/allocation/shares.ts';
import { applyOverride } from '../../functions/corrections/applyOverride.ts';
import type { Attribution } from '../../functions/ledger/attribution.ts';
import { fromLedgerItem, toLedgerItem } from '../../functions/ledger/ledgerItem.ts';
import { type AllocationShares, parseFixedPoint } from '../../schemas/attribution/allocation.ts';
import { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { Explanation } from '../../schemas/attribution/explanation.ts';
import { CHARGEBACK_FLOOR } from '../../schemas/values.ts';
import { anEvent, anyEvent } from '../attribution/events.ts';
import { anOverride, attributionFor } from '../corrections/recordFixtures.ts';

const AT = Date.parse('2026-07-20T08:00:00.123Z');
const window = { from: '2026-07-15T00:00:00.000Z', to: '2026-07-16T00:00:00.000Z' };
const QUANTITIES = ['cost_usd', 'energy_wh', 'carbon_gco2e'] as const;

const sharesBy = (...spent: readonly (readonly [string, bigint])[]): AllocationShares =>
  computeShares(
    new Map(
      spent.map(([owner, pico]) => [owner, { cost_usd: pico, energy_wh: pico + 1n, carbon_gco2e: 0n }]),
    ),
    { method: 'proportional' },
  );
const shares = sharesBy(['team-a', 3n], ['team-b', 1n]);
const unresolvedRecord = attributionFor(
  anEvent({ estimated_cost_usd: '1', energy_wh: '2', carbon_gco2e: '4' }),
);

const share = (current: Attribution, by = shares) => allocateRecord(current, by, window, AT);

describe('a record nobody was named for', () => {
  it('is shared out as its next version, on a share that says by what', () => {
    const next = share(unresolvedRecord);

    expect(next?.record).toMatchObject({
      version: 2,
      as_of: '2026-07-20T08:00:00.123Z',
      output_state: 'allocated',
      owner: null,
      cost_usd: '1',
      coper: 0.3,
      interpretation: {
        stage_origin: 'stage_c',
        confidence: 0.3,
        confidence_band: 'estimated',
        evidence_basis: 'allocation_rule',
        model_version: shares.version,
        export_eligibility: 'below_floor',
      },
    });
    expect(next?.explanation.allocation).toMatchObject({
      version: shares.version,
      method: 'proportional',
      window,
      parts: [
        { owner: 'team-a', ratio: '0.75', cost_usd: '0.75' },
        { owner: 'team-b', ratio: '0.25', cost_usd: '0.25' },
      ],
    });
    expect(next?.storedEvent).toEqual(unresolvedRecord.storedEvent);
  });

  it('is left alone where there is nobody to share it out to', () => {
    expect(share(unresolvedRecord, sharesBy())).toBeNull();
  });

  it('is left alone where it is shared out just so already, also once it was stored', () => {
    const once = share(unresolvedRecord);
    if (once === null) throw new Error("it is nobody's, so it is shared out");

    expect([once, fromLedgerItem(toLedgerItem(once), 'acme')].map((current) => share(current))).toEqual([
      null,
      null,
    ]);
  });

  it('is shared out anew where the shares are others by now', () => {
    const once = share(unresolvedRecord);
    const others = sharesBy(['team-a', 1n]);

    const twice = once === null ? null : share(once, others);

    expect(twice?.record).toMatchObject({ version: 3, output_state: 'allocated' });
    expect(twice?.explanation.allocation).toMatchObject({
      version: others.version,
      parts: [{ owner: 'team-a', ratio: '1', cost_usd: '1' }],
    });
  });
});

describe('a record somebody is named for', () => {
  it.each([
    ['by the rules', attributionFor(anEvent({ attributed_identity: 'team-a' }))],
    ['for a service alone', attributionFor(anEvent({ attributed_service: 'checkout' }))],
    ['by a key', attributionFor(anEvent({ api_key_name: 'key' }))],
    ['by a person', applyOverride(unresolvedRecord, anOverride(), AT - 1)],
  ])('is never shared out: %s', (_, current) => {
    expect(isAllocable(current)).toBe(false);
    expect(share(current)).toBeNull();
  });
});

it('shares out every quantity exactly, keeps unknown ones unknown, and never makes a record fit to be charged', () => {
  const anyShares = fc
    .array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 1, maxLength: 60 })
    .map((spent) => sharesBy(...spent.map((pico, index) => [`owner-${index}`, pico] as const)));

  fc.assert(
    fc.property(anyEvent, anyShares, (event, by) => {
      const { attributed_identity, attributed_service, spiffe_id, k8s_workload, api_key_name, ...silent } =
        event;
      const current = attributionFor(silent);

      const next = share(current, by);

      const { record, explanation } = next ?? current;
      const parts = explanation.allocation?.parts ?? [];
      expect(parts).not.toEqual([]);
      for (const quantity of QUANTITIES) {
        const whole = record[quantity];
        expect(whole).toBe(current.record[quantity]);
        const divided = parts.map((part) => part[quantity]);
        if (whole === null) expect(new Set(divided)).toEqual(new Set([null]));
        else
          expect(divided.reduce((sum, part) => sum + parseFixedPoint(part ?? '0'), 0n)).toBe(
            parseFixedPoint(whole),
          );
      }
      expect(AttributionRecord.strict().parse(record)).toEqual(record);
      expect(Explanation.strict().parse(explanation)).toEqual(explanation);
      expect(record.coper).toBeLessThan(CHARGEBACK_FLOOR);
      expect(record.interpretation.export_eligibility).toBe('below_floor');
    }),
  );
});
