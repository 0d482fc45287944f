import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocateRecord, isAllocable } from '../../../functions/attribution/allocation/allocateRecord.ts';
import { computeShares } from '../../../functions/attribution/allocation/shares.ts';
import { applyOverride } from '../../../functions/attribution/corrections/applyOverride.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { fromLedgerItem, toLedgerItem } from '../../../functions/ledger/records/ledgerItem.ts';
import type { AllocationShares } from '../../../schemas/attribution/allocation.ts';
import { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { Explanation } from '../../../schemas/attribution/explanation.ts';
import { parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import { CHARGEBACK_FLOOR } from '../../../schemas/values.ts';
import { anOverride, attributionFor } from '../corrections/recordFixtures.ts';
import { anEvent, anyEvent } from '../engine/events.ts';

const AT = Date.parse('2026-07-20T08:00:00.123Z');
const window = { from: '2026-07-15T00:00:00.000Z', to: '2026-07-16T00:00:00.000Z' };
const QUANTITIES = ['cost_usd', 'energy_wh', 'carbon_gco2e'] as const;

const sharesBy = (...spent: readonly (readonly [string, bigint])[]): AllocationShares =>
  computeShares(
    new Map(
      spent.map(([owner, units]) => [owner, { cost_usd: units, energy_wh: units + 1n, carbon_gco2e: 0n }]),
    ),
    { method: 'proportional' },
  );
const shares = sharesBy(['team-a', 3n], ['team-b', 1n]);
const unresolvedRecord = attributionFor(
  anEvent({ estimated_cost_usd: '1', energy_wh: '2', carbon_gco2e: '4' }),
);

const allocateWith = (current: Attribution, by = shares) => allocateRecord(current, by, window, AT);

describe('allocateRecord, for an unresolved record', () => {
  it('returns the next version with the allocated parts and the shares version', () => {
    const next = allocateWith(unresolvedRecord);

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

  it('returns null without shares', () => {
    expect(allocateWith(unresolvedRecord, sharesBy())).toBeNull();
  });

  it('returns null when already allocated by the same shares, also after storage', () => {
    const once = allocateWith(unresolvedRecord);
    if (once === null) throw new Error('expected an allocated record');

    expect(
      [once, fromLedgerItem(toLedgerItem(once), 'acme')].map((current) => allocateWith(current)),
    ).toEqual([null, null]);
  });

  it('allocates again when the shares differ', () => {
    const once = allocateWith(unresolvedRecord);
    const others = sharesBy(['team-a', 1n]);

    const twice = once === null ? null : allocateWith(once, others);

    expect(twice?.record).toMatchObject({ version: 3, output_state: 'allocated' });
    expect(twice?.explanation.allocation).toMatchObject({
      version: others.version,
      parts: [{ owner: 'team-a', ratio: '1', cost_usd: '1' }],
    });
  });
});

describe('allocateRecord, for a record of which only the service is named', () => {
  const current = attributionFor(anEvent({ attributed_service: 'checkout', estimated_cost_usd: '1' }));

  it('divides it, and keeps the evidence for the service', () => {
    const next = allocateWith(current);

    expect(next?.record).toMatchObject({
      version: 2,
      owner: null,
      service: 'checkout',
      output_state: 'deterministically_resolved',
      coper: 0.95,
      interpretation: {
        stage_origin: 'stage_a',
        export_eligibility: 'eligible',
        answers: {
          owner: { state: 'allocated', chargeback: 'unassigned' },
          service: { state: 'confirmed', chargeback: 'ready' },
        },
      },
    });
    expect(next?.explanation.allocation?.parts).toHaveLength(2);
    if (next !== null) expect(allocateWith(next)).toBeNull();
  });
});

describe('allocateRecord, for a record with an owner', () => {
  it.each([
    ['by the rules', attributionFor(anEvent({ attributed_identity: 'team-a' }))],
    ['by an override', applyOverride(unresolvedRecord, anOverride(), AT - 1)],
  ])('returns null: %s', (_, current) => {
    expect(isAllocable(current)).toBe(false);
    expect(allocateWith(current)).toBeNull();
  });
});

it('conserves every quantity, keeps unknown ones null, and stays below the chargeback floor', () => {
  const anyShares = fc
    .array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 1, maxLength: 60 })
    .map((spent) => sharesBy(...spent.map((units, index) => [`owner-${index}`, units] as const)));

  fc.assert(
    fc.property(anyEvent, anyShares, (event, by) => {
      const {
        attributed_identity,
        attributed_service,
        spiffe_id,
        k8s_workload,
        api_key_name,
        ...unidentified
      } = event;
      const current = attributionFor(unidentified);

      const next = allocateWith(current, by);

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
