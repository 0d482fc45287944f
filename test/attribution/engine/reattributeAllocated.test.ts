import { beforeAll, describe, expect, it } from 'vitest';
import { allocateRecord } from '../../../functions/attribution/allocation/allocateRecord.ts';
import { type AttributionContext, attribute } from '../../../functions/attribution/engine/attribute.ts';
import { reattribute } from '../../../functions/attribution/engine/reprocessing/reattribute.ts';
import { compileMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import { type Factors, loadFactors } from '../../../functions/impact/factors.ts';
import { contractPriceSource } from '../../../functions/impact/price/contractPrices.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { fromLedgerItem, toLedgerItem } from '../../../functions/ledger/records/ledgerItem.ts';
import { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { Explanation } from '../../../schemas/attribution/explanation.ts';
import { aMapping, condition } from '../mappings/mappings.ts';
import { anEvent, aTenant } from './events.ts';
import { inferFixed } from './inferenceStubs.ts';

const arrived = {
  occurredAt: Date.parse('2026-07-15T12:00:00Z'),
  receivedAt: Date.parse('2026-07-15T12:00:01Z'),
  residency: 'eu',
};
const AT = Date.parse('2026-07-20T08:00:00.123Z');

let factors: Factors;
/** The same factors with half the price for the model of these events. */
let cheaper: Factors;

beforeAll(async () => {
  factors = await loadFactors();
  const prices = contractPriceSource([
    { provider: 'openai', model: 'gpt-4o', from: '2026-01-01T00:00:00.000Z', input: '1.25', output: '5' },
  ]);
  cheaper = await loadFactors({ contract: { version: 'contract-2', prices } });
});

const unidentified = anEvent();

const reattributed = (current: Attribution, context: AttributionContext = {}, using = factors) =>
  reattribute(current, aTenant(), using, context, AT);
const expectValid = ({ record, explanation }: Attribution) => {
  expect(AttributionRecord.strict().parse(record)).toEqual(record);
  expect(Explanation.strict().parse(explanation)).toEqual(explanation);
};

describe('reattribute, for an allocated record', () => {
  const shares = {
    method: 'fixed' as const,
    version: 'allocation-1',
    entries: [{ owner: 'team-a', share: '1' }],
  };
  const window = { from: '2026-07-15T00:00:00.000Z', to: '2026-07-16T00:00:00.000Z' };
  const allocatedRecord = (): Attribution => {
    const current = attribute(unidentified, arrived, aTenant(), factors);
    const allocated = allocateRecord(current, shares, window, AT - 1_000);
    if (allocated === null) throw new Error('expected an allocated record');
    return fromLedgerItem(toLedgerItem(allocated), 'acme');
  };

  it('returns null when the record is still unresolved and its cost is unchanged', () => {
    const others = compileMappings([aMapping(1, { conditions: [condition('identity', 'bob')] })]);

    expect([reattributed(allocatedRecord()), reattributed(allocatedRecord(), { mappings: others })]).toEqual([
      null,
      null,
    ]);
  });

  it('removes the allocation when stage B finds an owner', () => {
    const next = reattributed(allocatedRecord(), { infer: inferFixed() });

    expect(next?.record).toMatchObject({ version: 3, owner: 'team-inferred' });
    expect(next?.explanation).not.toHaveProperty('allocation');
  });

  it('becomes unresolved when the price changes', () => {
    const next = reattributed(allocatedRecord(), {}, cheaper);

    expect(next?.record).toMatchObject({
      version: 3,
      output_state: 'unresolved',
      cost_usd: '0.00225',
      coper: 0,
      interpretation: { stage_origin: 'stage_a', evidence_basis: 'none' },
    });
    expect(next?.explanation).not.toHaveProperty('allocation');
    if (next !== null) expectValid(next);
  });

  it.each(['cost_usd', 'energy_wh', 'carbon_gco2e'])(
    'becomes unresolved when only its %s changes',
    (quantity) => {
      const current = allocatedRecord();
      const before = { ...current, record: { ...current.record, [quantity]: '9' } };

      expect(reattributed(before)?.record.output_state).toBe('unresolved');
    },
  );

  it('becomes unresolved with cost 0 when its usage repeats that of other spans', () => {
    const next = reattributed(allocatedRecord(), { trace: { source: null, repeatsUsage: true } });

    expect(next?.record).toMatchObject({ output_state: 'unresolved', cost_usd: '0' });
  });
});
