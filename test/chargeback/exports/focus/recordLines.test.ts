import { describe, expect, it } from 'vitest';
import { linesOf as linesOfCohort } from '../../../../functions/chargeback/exports/focus/recordLines.ts';
import {
  type Grain,
  shownDimensionsOf,
} from '../../../../functions/chargeback/exports/focus/shownDimensions.ts';
import { kindOf } from '../../../../functions/chargeback/exports/lines/kinds.ts';
import type { Attribution } from '../../../../functions/ledger/records/attribution.ts';
import type { Granularity } from '../../../../schemas/chargeback/focus.ts';
import { formatFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { CohortField } from '../../../../schemas/insight/reports.ts';
import { aRecord } from '../records.ts';
import { ownCohort } from '../shownCohorts.ts';

/** The lines of a record in a cohort that shows all of its labels. */
const linesOf = (attribution: Attribution, by: Grain) =>
  linesOfCohort(attribution, by, ownCohort(attribution));

const grain = (granularity: Granularity = 'record', ...groupBy: CohortField[]) => ({
  granularity,
  groupBy: new Set(groupBy),
});

const shown = (attribution: Attribution) =>
  linesOf(attribution, grain()).map(({ key, amounts }) => ({
    meter: key.price.meter,
    consumed: `${formatFixedPoint(amounts.consumed)} ${key.consumed}`,
    price: `${formatFixedPoint(amounts.priced)} × ${key.price.unit}`,
    cost: formatFixedPoint(amounts.cost),
  }));

/** The published price of each line, and its cost at that price. */
const listed = (attribution: Attribution, cohort = ownCohort(attribution)) =>
  linesOfCohort(attribution, grain('day'), cohort).map(({ key, amounts }) => [
    key.price.meter,
    key.price.listUnit,
    formatFixedPoint(amounts.listCost),
  ]);

describe('linesOf', () => {
  it('returns one line for each meter, priced per million tokens', () => {
    expect(shown(aRecord())).toEqual([
      { meter: 'input', consumed: '1500 Tokens', price: '0.0015 × 0.4', cost: '0.0006' },
      { meter: 'output', consumed: '400 Tokens', price: '0.0004 × 1.6', cost: '0.00064' },
    ]);
  });

  it('has the published price beside a contract price, and the cost at both', () => {
    const record = aRecord({ event: { requested_model: 'contracted' } });

    expect(shown(record).map(({ cost }) => cost)).toEqual(['0.0003', '0.00064']);
    expect(listed(record)).toEqual([
      ['input', '0.4', '0.0006'],
      ['output', '1.6', '0.00064'],
    ]);
  });

  it('knows no published price of a stated cost, of a similar model, and of a hidden model', () => {
    const similar = aRecord();
    const { explanation } = similar;
    const cost = explanation.cost && { ...explanation.cost, price_match: 'family' as const };
    const contracted = aRecord({ event: { requested_model: 'contracted' } });
    const { served_model: _hidden, ...labels } = ownCohort(contracted).labels;

    expect(listed(aRecord({ event: { estimated_cost_usd: '2' } }))).toEqual([['total', null, '2']]);
    expect(listed({ ...similar, explanation: { ...explanation, cost } })).toEqual([
      ['input', null, '0.0006'],
      ['output', null, '0.00064'],
    ]);
    expect(listed(contracted, { ...ownCohort(contracted), labels })).toEqual([
      ['total', null, '0.0003'],
      ['total', null, '0.00064'],
    ]);
  });

  it('has the values of the tags it is grouped by, and tells when any is hidden', () => {
    const record = aRecord({ event: { tags: ['env:prod'] } });
    const labels = { ...ownCohort(record).labels, 'tag:owner': 'a "b"' };
    const byTags = { granularity: 'day' as const, groupBy: new Set(['tag:owner', 'tag:env'] as const) };

    expect(shownDimensionsOf(labels, byTags)).toMatchObject({
      tags: '"env":"prod","tag:owner":"a \\"b\\""',
      rollup: null,
    });
    expect(shownDimensionsOf({ ...labels, 'tag:env': undefined }, byTags)).toMatchObject({
      tags: '"tag:owner":"a \\"b\\""',
      rollup: 'Group',
    });
    expect(shownDimensionsOf(labels, grain('day'))).toMatchObject({ tags: null, rollup: null });
  });

  it('returns separate lines for cached tokens and for a request fee', () => {
    const record = aRecord({ event: { requested_model: 'agent', cached_input_tokens: 500 } });

    expect(shown(record)).toEqual([
      { meter: 'input', consumed: '1000 Tokens', price: '0.001 × 0.4', cost: '0.0004' },
      { meter: 'cached_input', consumed: '500 Tokens', price: '0.0005 × 0.1', cost: '0.00005' },
      { meter: 'output', consumed: '400 Tokens', price: '0.0004 × 1.6', cost: '0.00064' },
      { meter: 'request', consumed: '1 Requests', price: '1 × 0.0025', cost: '0.0025' },
    ]);
  });

  it('omits a meter without usage, but keeps one line when no meter has usage', () => {
    expect(shown(aRecord({ event: { output_tokens: 0 } }))).toHaveLength(1);
    expect(shown(aRecord({ event: { input_tokens: 0, output_tokens: 0 } }))).toEqual([
      { meter: 'input', consumed: '0 Tokens', price: '0 × 0.4', cost: '0' },
    ]);
  });

  it('returns one total line when only the total cost is known', () => {
    expect(shown(aRecord({ event: { estimated_cost_usd: '0.333333333333' } }))).toEqual([
      { meter: 'total', consumed: '1900 Tokens', price: '1 × 0.333333333333', cost: '0.333333333333' },
    ]);
  });

  it('does not count tokens that the event does not report', () => {
    const record = aRecord({ event: { estimated_cost_usd: '0.5', output_tokens: undefined } });

    expect(shown(record)).toMatchObject([{ consumed: '1 Requests', cost: '0.5' }]);
  });

  it('keeps each part of a reported cost breakdown as its own price', () => {
    const record = aRecord({ event: { cost_breakdown: { input: '0.1', output: '0.2' } } });

    expect(shown(record)).toEqual([
      { meter: 'input', consumed: '1500 Tokens', price: '1 × 0.1', cost: '0.1' },
      { meter: 'output', consumed: '400 Tokens', price: '1 × 0.2', cost: '0.2' },
    ]);
  });

  it('uses the cost as price when the unit price does not give the exact cost', () => {
    const record = aRecord();
    const { cost } = record.explanation;
    const components = (cost?.components ?? []).map((component) => ({
      ...component,
      unit_price_usd_per_million: '0.399999999999',
    }));
    const odd = { ...record, explanation: { ...record.explanation, cost: cost && { ...cost, components } } };

    expect(shown(odd)).toMatchObject([
      { meter: 'input', price: '1 × 0.0006', cost: '0.0006' },
      { meter: 'output', price: '1 × 0.00064', cost: '0.00064' },
    ]);
  });

  it('returns one total line when the parts do not sum to the cost', () => {
    const record = aRecord({ record: { cost_usd: '7' } });

    expect(shown(record)).toEqual([{ meter: 'total', consumed: '1900 Tokens', price: '1 × 7', cost: '7' }]);
  });

  it('divides energy by its estimated components, and carbon in the same ratio', () => {
    const record = aRecord();
    const energy = record.explanation.energy;

    const [input, output] = linesOf(record, grain());

    expect(formatFixedPoint(input?.amounts.energy ?? -1n)).toBe(energy?.components?.input_wh);
    expect(formatFixedPoint(output?.amounts.energy ?? -1n)).toBe(energy?.components?.output_wh);
    expect(formatFixedPoint((input?.amounts.carbon ?? 0n) + (output?.amounts.carbon ?? 0n))).toBe(
      record.record.carbon_gco2e,
    );
  });

  it('divides measured energy in the ratio of cost', () => {
    const [input, output] = linesOf(aRecord({ event: { energy_wh: '1.24' } }), grain());

    expect([input, output].map((line) => formatFixedPoint(line?.amounts.energy ?? -1n))).toEqual([
      '0.6',
      '0.64',
    ]);
  });

  it('sets the price terms from the service tier or the reported cost', () => {
    const terms = (event: Record<string, unknown>) =>
      linesOf(aRecord({ event }), grain())[0]?.key.price.terms;

    expect(terms({})).toBe('on-demand');
    expect(terms({ service_tier: 'flex' })).toBe('other');
    expect(terms({ service_tier: 'unknown-tier' })).toBe('other');
    expect(terms({ estimated_cost_usd: '1' })).toBe('stated');
  });

  it('sets key fields to null that are not grouped by', () => {
    const record = aRecord({ event: { region: 'us-east-1', pathway_category: 'batch_pipeline' } });

    const [plain] = linesOf(record, grain('day'));
    const [grouped] = linesOf(record, grain('record', 'owner', 'service', 'region', 'pathway_category'));

    expect(plain?.key).toMatchObject({
      owner: null,
      service: null,
      region: null,
      pathway: null,
      recordId: null,
    });
    expect(grouped?.key).toMatchObject({
      owner: 'team-search',
      service: 'ranking',
      region: 'us-east-1',
      pathway: 'batch_pipeline',
      recordId: record.record.id,
    });
  });
});

it('writes half a surrogate pair in a key as text that UTF-8 has a code for', () => {
  const [line] = linesOf(aRecord(), grain());
  if (line === undefined) throw new Error('no line');

  expect(kindOf({ ...line.key, owner: 'a\ud800\\ud800' })[0]).toContain('"owner":"a\ufffd\\\\ud800"');
});
