import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyOverride } from '../../../functions/attribution/corrections/applyOverride.ts';
import { loadFactors } from '../../../functions/impact/factors.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { fromLedgerItem, toLedgerItem } from '../../../functions/ledger/records/ledgerItem.ts';
import { OVERRIDES_MAXIMUM } from '../../../schemas/attribution/explanation.ts';
import { anEvent, anyEvent } from '../engine/events.ts';
import { AT, anOverride, attributionFor } from './recordFixtures.ts';

const INSTANT = new Date(AT).toISOString();

const factors = await loadFactors();

const attributionOf = (event = anEvent({ attributed_service: 'ranking' })): Attribution =>
  attributionFor(event, factors);

describe('applyOverride', () => {
  it('sets the owner at the confidence ceiling and keeps the previous owner', () => {
    const { record, explanation } = applyOverride(attributionOf(), anOverride(), AT);

    expect(record).toMatchObject({
      version: 2,
      as_of: INSTANT,
      owner: 'team-b',
      service: 'ranking',
      output_state: 'manually_overridden',
      coper: 0.95,
      interpretation: {
        stage_origin: 'stage_a',
        confidence: 0.95,
        confidence_band: 'chargeback_ready',
        evidence_basis: 'manual_override',
        degradation_state: 'none',
        export_eligibility: 'eligible',
      },
    });
    expect(explanation.overrides).toEqual([
      {
        id: 'ovr_1',
        by: 'key_1',
        at: INSTANT,
        reason: 'It was ours',
        owner: 'team-b',
        service: 'ranking',
        previous: { owner: null, service: 'ranking' },
        named: ['owner'],
      },
    ]);
  });

  it('keeps an unknown cost null', () => {
    const unpriced = attributionOf(anEvent({ provider: 'nobody', requested_model: 'none' }));

    const { record } = applyOverride(unpriced, anOverride(), AT);

    expect(record.cost_usd).toBeNull();
    expect(record.interpretation).toMatchObject({
      confidence_band: 'chargeback_ready',
      export_eligibility: 'unpriced',
      unknown: { cost: 'price_not_found' },
    });
  });

  it('removes the model and its degradation from the evidence card', () => {
    const { record, explanation, storedEvent } = attributionOf();
    const interpretation = {
      ...record.interpretation,
      stage_origin: 'stage_b',
      model_version: 'bayes-7',
      degradation_state: 'model_recalled',
    } as const;

    const after = applyOverride(
      { record: { ...record, interpretation }, explanation, storedEvent },
      anOverride(),
      AT,
    );

    expect(after.record.interpretation).toMatchObject({
      stage_origin: 'stage_a',
      model_version: explanation.rules_version,
      degradation_state: 'none',
    });
  });

  it('keeps all other members, and is restored exactly from the ledger', () => {
    const labels = fc.option(fc.stringMatching(/^[a-z]{1,8}$/), { nil: undefined });

    fc.assert(
      fc.property(anyEvent, labels, labels, (event, owner, service) => {
        const before = attributionOf(event);

        const after = applyOverride(before, anOverride({ owner, service }), AT);

        const { coper, interpretation, output_state, version, as_of, ...unchanged } = before.record;
        const { freshness, unknown } = interpretation;
        expect(after.record).toMatchObject({
          ...unchanged,
          owner: owner ?? unchanged.owner,
          service: service ?? unchanged.service,
          interpretation: { freshness, ...(unknown && { unknown }) },
        });
        const { overrides, ...explanation } = after.explanation;
        expect(explanation).toEqual(before.explanation);
        expect(fromLedgerItem(toLedgerItem(after), 'acme')).toEqual(after);
      }),
    );
  });

  it('adds to earlier overrides, of which the record has the newest 50', () => {
    let attribution = attributionOf();
    const count = OVERRIDES_MAXIMUM + 3;
    for (let index = 1; index <= count; index += 1) {
      attribution = applyOverride(
        attribution,
        anOverride({ id: `ovr_${index}`, owner: `team-${index}` }),
        AT,
      );
    }

    const { overrides = [] } = attribution.explanation;
    expect(attribution.record).toMatchObject({ version: count + 1, owner: `team-${count}` });
    expect(overrides.map(({ id }) => id)).toEqual(
      Array.from({ length: OVERRIDES_MAXIMUM }, (_, index) => `ovr_${index + 4}`),
    );
    expect(overrides[0]?.previous.owner).toBe('team-3');
  });
});
