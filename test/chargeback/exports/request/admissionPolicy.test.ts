import { describe, expect, it } from 'vitest';
import { exclusionOf } from '../../../../functions/chargeback/exports/request/admissionPolicy.ts';
import type { Attribution } from '../../../../functions/ledger/records/attribution.ts';
import type { Interpretation } from '../../../../schemas/attribution/attributionRecord.ts';
import { exportInMemory, fileTextOf } from '../inMemoryExport.ts';
import { anAllocatedRecord, aRecord, byPersons } from '../records.ts';

const ANYWHERE = { lane: null };

const withInterpretation = (members: Partial<Interpretation>): Attribution => {
  const base = aRecord();
  return {
    ...base,
    record: { ...base.record, interpretation: { ...base.record.interpretation, ...members } },
  };
};

describe('exclusionOf', () => {
  it('admits a record with confidence at the floor', () => {
    expect(exclusionOf(withInterpretation({ confidence: 0.8 }), ANYWHERE)).toBeNull();
  });

  it.each([
    [
      'its confidence is below the floor',
      withInterpretation({ confidence: 0.79, export_eligibility: 'below_floor' }),
      'below_floor',
    ],
    [
      'its evidence card marks a confident result as below_floor',
      withInterpretation({ export_eligibility: 'below_floor' }),
      'below_floor',
    ],
    [
      'its evidence card marks a result below the floor as eligible',
      withInterpretation({ confidence: 0.799_999 }),
      'below_floor',
    ],
    ['its price is unknown', aRecord({ event: { requested_model: 'unpriced' } }), 'unpriced'],
    [
      'it is an agent span that groups other calls',
      aRecord({ event: { operation: 'invoke_agent' } }),
      'structural',
    ],
    ['its cost was allocated', anAllocatedRecord(), 'below_floor'],
  ])('excludes a record if %s', (_why, record, reason) => {
    expect(exclusionOf(record, ANYWHERE)).toBe(reason);
  });

  it('returns residency_excluded for another lane before any other reason', () => {
    const elsewhere = aRecord({ residency: 'us', event: { requested_model: 'unpriced' } });

    expect(exclusionOf(elsewhere, { lane: 'eu' })).toBe('residency_excluded');
    expect(exclusionOf(aRecord({ residency: 'eu' }), { lane: 'eu' })).toBeNull();
    expect(exclusionOf(aRecord({ residency: 'us' }), ANYWHERE)).toBeNull();
  });

  it('counts excluded records by reason', async () => {
    const { manifest } = await exportInMemory([
      ...byPersons(5),
      anAllocatedRecord(),
      aRecord({ event: { requested_model: 'unpriced', energy_wh: '2' } }),
    ]);

    expect(manifest.excluded).toMatchObject([
      { reason: 'below_floor', records: 1, cost_usd: '0.00124' },
      { reason: 'unpriced', records: 1, cost_usd: null, energy_wh: '2' },
    ]);
    expect(manifest.ledger).toMatchObject({ records: 7, cost_usd: '0.00744' });
  });

  it('contains no records of other lanes', async () => {
    const here = byPersons(5, { residency: 'eu' });
    const elsewhere = byPersons(5, { residency: 'us', owner: 'team-us' });

    const mixed = await exportInMemory([...here, ...elsewhere], {}, { lane: 'eu' });
    const alone = await exportInMemory(here, {}, { lane: 'eu' });

    expect(mixed.manifest).toEqual(alone.manifest);
    expect(fileTextOf(mixed)).not.toContain('team-us');
  });
});
