import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../../functions/attribution/engine/attribute.ts';
import { type Filter, matchesAll, parseFilters } from '../../../../functions/ledger/records/query/filter.ts';
import {
  filterAttributeOf,
  toFilterValues,
} from '../../../../functions/ledger/records/query/filterAttribute.ts';
import { conditionBeforeSelection } from '../../../../functions/ledger/records/query/filterCondition.ts';
import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { recordFilterNames } from '../../../../schemas/attribution/recordFilters.ts';
import { FILTER_LIST_MAXIMUM, type FilterOperator, filterOperators } from '../../../../schemas/filters.ts';
import { FILTERS_MAXIMUM, listAttribution } from '../../../../schemas/routes/attribution/attribution.ts';
import { anEvent, aTenant, noFactors } from '../../../attribution/engine/events.ts';

const { query: shape } = listAttribution;
const read = (query: string): Filter[] =>
  parseFilters(shape.parse(Object.fromEntries(new URLSearchParams(query))), recordFilterNames);

const INVOCATION = 'inv_abcdefgh01KA3Z5V7JQ2M6X9R8T4B1C0DE';
const ARRIVED = { occurredAt: 0, receivedAt: 0, residency: null };
const { record: bare } = attribute(anEvent(), ARRIVED, aTenant(), noFactors);
const recordWith = (members: Partial<AttributionRecord>, confidence = 0.8): AttributionRecord => ({
  ...bare,
  ...members,
  coper: confidence,
  interpretation: { ...bare.interpretation, confidence },
});

/** One more than the limit per query. */
const elevenFilters = ['owner', 'service', 'served_model']
  .flatMap((field) => ['=a', '[eq]=a', '[in]=a', '[contains]=a'].map((asked) => field + asked))
  .slice(0, FILTERS_MAXIMUM + 1);

describe('parseFilters and the query schema', () => {
  it('accepts the maximum number of filters', () => {
    expect(read(elevenFilters.slice(1).join('&'))).toHaveLength(FILTERS_MAXIMUM);
  });

  it.each([
    ['owner=team-search', [{ field: 'owner', operator: 'eq', values: ['team-search'] }]],
    ['owner=a,b', [{ field: 'owner', operator: 'eq', values: ['a,b'] }]],
    ['owner[in]=a,b', [{ field: 'owner', operator: 'in', values: ['a', 'b'] }]],
    ['service[contains]=rank', [{ field: 'service', operator: 'contains', values: ['rank'] }]],
    ['cost_usd[gte]=0.10', [{ field: 'cost_usd', operator: 'gte', values: ['0.10'] }]],
    ['confidence=0.8&sort=-confidence', [{ field: 'confidence', operator: 'eq', values: ['0.8'] }]],
    ['owner[exists]=false', [{ field: 'owner', operator: 'exists', values: ['false'] }]],
    ['owner[ne]=a,b', [{ field: 'owner', operator: 'ne', values: ['a,b'] }]],
    [
      'occurred_at[ne]=2026-01-01T00:00:00Z&occurred_at[eq]=2026-01-02T00:00:00Z',
      [{ field: 'occurred_at', operator: 'ne', values: ['2026-01-01T00:00:00Z'] }],
    ],
    [
      `invocation_id[in]=${INVOCATION}&limit=5&occurred_at[gt]=2026-01-01T00:00:00Z`,
      [{ field: 'invocation_id', operator: 'in', values: [INVOCATION] }],
    ],
    [
      'provider=openai&provider[eq]=anthropic',
      [
        { field: 'provider', operator: 'eq', values: ['openai'] },
        { field: 'provider', operator: 'eq', values: ['anthropic'] },
      ],
    ],
  ])('parses %s', (query, filters) => {
    expect(read(query)).toEqual(filters);
  });

  it.each([
    ['an unknown field', 'colour=red'],
    ['a record field that is not filterable', 'region=us-east-1'],
    ['an unknown operator', 'owner[like]=team'],
    ['an operator that the field does not support', 'owner[gt]=a'],
    ['in on a decimal field', 'cost_usd[in]=1,2'],
    ['contains on a field that does not support it', 'provider[contains]=open'],
    ['exists that is neither true nor false', 'owner[exists]=maybe'],
    ['a value that is not a number', 'cost_usd=cheap'],
    ['a value with an exponent', 'cost_usd[gt]=1e-3'],
    ['a negative value', 'cost_usd[gt]=-1'],
    ['a confidence above 1', 'confidence[gt]=1.1'],
    ['a confidence with too many digits', 'confidence=0.1234567'],
    ['an empty value', 'owner='],
    ['an empty value in a list', 'owner[in]=a,,b'],
    ['a value too long', `owner=${'a'.repeat(257)}`],
    ['a value too long in a list', `provider[in]=openai,${'a'.repeat(65)}`],
    ['a list too long', `owner[in]=${Array.from({ length: FILTER_LIST_MAXIMUM + 1 }, (_, at) => at).join()}`],
    ['a control character', 'owner=a%00b'],
    ['an unknown enum value', 'output_state=done'],
    ['an unknown enum value in a list', 'confidence_band[in]=estimated,excellent'],
    ['an unknown stage', 'stage_origin=stage_d'],
    ['an id of another kind', 'invocation_id=att_abcdefgh01KA3Z5V7JQ2M6X9R8T4B1C0DE'],
    ['an invalid id', 'invocation_id=17'],
    ['an unsupported sort field', 'sort=owner'],
    ['a sort of several fields', 'sort=-cost_usd,occurred_at'],
    ['too many filters', elevenFilters.join('&')],
  ])('rejects %s', (_, query) => {
    const { success } = shape.safeParse(Object.fromEntries(new URLSearchParams(query)));

    expect(success).toBe(false);
  });
});

describe('matchesAll', () => {
  const record = recordWith({ owner: 'team-search', service: null, cost_usd: '0.1' });

  it.each([
    ['owner=team-search', true],
    ['owner=Team-Search', false],
    ['owner[ne]=team-search', false],
    ['owner[ne]=Team-Search', true],
    ['cost_usd[ne]=0.10', false],
    ['cost_usd[ne]=0.2', true],
    ['confidence[ne]=0.80', false],
    ['owner[in]=team-ads,team-search', true],
    ['owner[contains]=search', true],
    ['owner[contains]=Search', false],
    ['owner[exists]=true', true],
    ['service[exists]=false', true],
    ['service=null', false],
    ['service[contains]=null', false],
    ['cost_usd=0.10', true],
    ['cost_usd[gt]=0.1', false],
    ['cost_usd[gte]=0.1', true],
    ['cost_usd[lt]=0.100000000001', true],
    ['cost_usd[lte]=0.099999999999', false],
    ['cost_usd[exists]=true', true],
    ['confidence=0.80', true],
    ['confidence[gt]=0.79', true],
    ['confidence[lt]=0.8', false],
    ['owner=team-search&cost_usd[gt]=1', false],
  ])('for %s returns %s', (query, expected) => {
    expect(matchesAll(read(query), record)).toBe(expected);
  });

  it('compares times as instants, and dates as UTC days, for ne', () => {
    const at = recordWith({ occurred_at: '2026-01-01T10:00:00.000Z' });

    const times = ['2026-01-01T11:00:00%2B01:00', '2026-01-01T10:00:00.001Z', '2026-01-01', '2026-01-02'];
    const results = times.map((time) => matchesAll(read(`occurred_at[ne]=${time}`), at));

    expect(results).toEqual([false, true, false, true]);
  });

  it('matches null values with ne, so that eq and ne divide the records in two', () => {
    const unknown = recordWith({ owner: null, service: null, cost_usd: null, trace_id: null });

    for (const query of ['owner', 'service', 'trace_id'].map((field) => `${field}[ne]=x`)) {
      expect(matchesAll(read(query), unknown), query).toBe(true);
    }
    expect(matchesAll(read('cost_usd[ne]=0'), unknown)).toBe(true);
    expect(matchesAll(read('cost_usd[ne]=0&cost_usd[exists]=true'), unknown)).toBe(false);
  });

  it('returns false for comparisons with an unknown value', () => {
    const unpriced = recordWith({ cost_usd: null });

    const results = ['cost_usd[lt]=1', 'cost_usd[gte]=0', 'cost_usd=0'].map((query) =>
      matchesAll(read(query), unpriced),
    );

    expect(results).toEqual([false, false, false]);
    expect(matchesAll(read('cost_usd[exists]=false'), unpriced)).toBe(true);
  });
});

describe('the DynamoDB filter condition', () => {
  const { expression } = conditionBeforeSelection(read('owner=a&provider=openai'), 'eu') ?? {};

  it('checks immutable fields on every version, and mutable fields only on single versions', () => {
    expect(expression).toBe(
      '#f1 = :f1_0 AND #lane = :lane AND ((#f0 = :f0_0) OR attribute_exists(#to) OR attribute_exists(#version))',
    );
  });

  it('has no redundant parentheses for ne, which DynamoDB rejects', () => {
    expect(conditionBeforeSelection(read('owner[ne]=a'), null)?.expression).toBe(
      '((NOT #f0 = :f0_0) OR attribute_exists(#to) OR attribute_exists(#version))',
    );
  });

  it('is undefined without filters on item attributes', () => {
    expect(conditionBeforeSelection([], null)).toBeUndefined();
    expect(conditionBeforeSelection(read(`invocation_id=${INVOCATION}`), null)).toBeUndefined();
  });

  it('declares only placeholders that it uses, as DynamoDB requires', () => {
    const condition = conditionBeforeSelection(
      read('owner[exists]=false&cost_usd[lte]=1&output_state=allocated'),
      null,
    );

    for (const name of [...Object.keys(condition?.names ?? {}), ...Object.keys(condition?.values ?? {})]) {
      expect(condition?.expression).toContain(name);
    }
    expect(condition?.values).toMatchObject({
      ':f0_0': { text: '1', number: true },
      ':f2_0': { text: 'a', number: false },
    });
  });

  it('excludes no item that was written before its field could be filtered', () => {
    const conditionFor = (query: string) => conditionBeforeSelection(read(query), null)?.expression;
    const several = ' OR attribute_exists(#to) OR attribute_exists(#version))';

    expect(conditionFor('end_user=ann')).toBe(`((attribute_not_exists(#f0) OR #f0 = :f0_0)${several}`);
    expect(conditionFor('end_user=ann&owner=a')).toBe(
      `((#f0 = :f0_0 AND (attribute_not_exists(#f1) OR #f1 = :f1_0))${several}`,
    );
    expect(conditionFor('end_user[exists]=true')).toBeUndefined();
  });

  it('names each code of a list once', () => {
    const condition = conditionBeforeSelection(read('stage_origin[in]=stage_a,stage_a,stage_b'), null);

    expect(Object.values(condition?.values ?? {}).map(({ text }) => text)).toEqual(['a', 'b']);
  });

  const everyFilter = recordFilterNames.flatMap((field) =>
    filterOperators
      .filter((operator) => Object.hasOwn(listAttribution.query.shape, `${field}[${operator}]`))
      .map((operator) => ({ field, operator })),
  );
  const longest = (operator: FilterOperator) =>
    Array.from({ length: operator === 'in' ? FILTER_LIST_MAXIMUM : 1 }, (_, at) => `value ${at}`);

  it('stays below the size limit of DynamoDB with any filters, also with all of them at once', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constant(everyFilter), fc.subarray(everyFilter)),
        fc.constantFrom(null, 'eu'),
        (chosen, lane) => {
          const filters = chosen.map((one) => ({ ...one, values: longest(one.operator) }));
          const condition = conditionBeforeSelection(filters, lane);
          const { expression: text = '', names = {}, values = {} } = condition ?? {};

          // DynamoDB limits expressions to 4 KB, and rejects placeholders that an expression does not use.
          expect(text.length).toBeLessThan(4_096);
          expect(new Set(text.match(/[#:]\w+/g))).toEqual(
            new Set([...Object.keys(names), ...Object.keys(values)]),
          );
          // A doubled pair of parentheses is redundant, which DynamoDB rejects.
          expect(text).not.toMatch(/^\(\([^()]*\)\)/);
        },
      ),
    );
  });
});

it('toFilterValues uses a unique attribute per field and leaves out null values', () => {
  const filterValues = toFilterValues(recordWith({ owner: null, service: 'search', trace_id: 't' }));
  const names = recordFilterNames.flatMap((name) => filterAttributeOf(name)?.attribute ?? []);

  expect(new Set([...names, 'pk', 'sk', 'from', 'to', 'version', 'lane', 'ttl', 'detail']).size).toBe(
    names.length + 8,
  );
  expect(filterValues.map(({ attribute, text }) => [attribute, text])).toEqual([
    ['cf', '0.8'],
    ['sv', 'search'],
    ['pr', 'openai'],
    ['mo', 'gpt-4o'],
    ['pa', 'g'],
    ['os', 'u'],
    ['cb', 'e'],
    ['so', 'a'],
    ['cu', 'p'],
    ['st', 'o'],
    ['tr', 't'],
  ]);
});
