import { describe, expect, it } from 'vitest';
import { exclusionOf } from '../../../functions/exports/request/admissionPolicy.ts';
import type { Attribution } from '../../../functions/ledger/attribution.ts';
import type { Interpretation } from '../../../schemas/attribution/attributionRecord.ts';
import { exportInMemory, fileTextOf } from '../inMemoryExport.ts';
import { anAllocatedRecord, aRecord, byPersons } from '../records.ts';

const ANYWHERE = { lane: null, split: false };

const withInterpretation = (members: Partial<Interpretation>): Attribution => {
  const made = aRecord();
  return {
    ...made,
    record: { ...made.record, interpretation: { ...made.record.interpretation, ...members } },
  };
};

describe('a record', () => {
  it('is exported from the floor on', () => {
    expect(exclusionOf(withInterpretation({ confidence: 0.8 }), ANYWHERE)).toBeNull();
  });

  it.each([
    [
      'its confidence lies below the floor',
      withInterpretation({ confidence: 0.79, export_eligibility: 'below_floor' }),
      'below_floor',
    ],
    [
      'its card says so of a sure result',
      withInterpretation({ export_eligibility: 'below_floor' }),
      'below_floor',
    ],
    [
      'its card calls an unsure result eligible',
      withInterpretation({ confidence: 0.799_999 }),
      'below_floor',
    ],
    ['nobody knows its price', aRecord({ event: { requested_model: 'unpriced' } }), 'unpriced'],
    ['it only holds other calls together', aRecord({ event: { operation: 'invoke_agent' } }), 'structural'],
    ['it was shared out', anAllocatedRecord(), 'below_floor'],
  ])('is left out where %s', (_why, record, reason) => {
    expect(exclusionOf(record, ANYWHERE)).toBe(reason);
  });

  it('is left out in another lane, whatever else is wrong with it', () => {
    const elsewhere = aRecord({ residency: 'us', event: { requested_model: 'unpriced' } });

    expect(exclusionOf(elsewhere, { lane: 'eu', split: false })).toBe('residency_excluded');
    expect(exclusionOf(aRecord({ residency: 'eu' }), { lane: 'eu', split: false })).toBeNull();
    expect(exclusionOf(aRecord({ residency: 'us' }), ANYWHERE)).toBeNull();
  });

  it('comes by who bears it only where that was asked for', () => {
    expect(exclusionOf(anAllocatedRecord(), { lane: null, split: true })).toBeNull();
    expect(exclusionOf(withInterpretation({ confidence: 0.3 }), { lane: null, split: true })).toBe(
      'below_floor',
    );
  });
});

describe('a manifest', () => {
  it('counts what was left out, by reason', async () => {
    const { manifest } = await exportInMemory([
      ...byPersons(5),
      anAllocatedRecord(),
      aRecord({ event: { requested_model: 'unpriced', energy_wh: '2' } }),
    ]);

    expect(manifest.excluded).toMatchObject([
      { reason: 'below_floor', records: 1, cost_usd: '0.00124' },
      { reason: 'unpriced', records: 1, cost_usd: '0', energy_wh: '2' },
    ]);
    expect(manifest.ledger).toMatchObject({ records: 7, cost_usd: '0.00744' });
  });

  it('tells nothing of other lanes than the one it was made in', async () => {
    const here = byPersons(5, { residency: 'eu' });
    const elsewhere = byPersons(5, { residency: 'us', owner: 'team-us' });

    const made = await exportInMemory([...here, ...elsewhere], {}, { lane: 'eu' });
    const alone = await exportInMemory(here, {}, { lane: 'eu' });

    expect(made.manifest).toEqual(alone.manifest);
    expect(fileTextOf(made)).not.toContain('team-us');
  });
});
