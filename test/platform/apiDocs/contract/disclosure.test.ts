import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { eventData, eventDisclosures } from '../../../../schemas/events.ts';
import { type Disclosure, RECORDS_SCOPE } from '../../../../schemas/routes/disclosure.ts';
import { routes } from '../../../../schemas/routes/index.ts';
import { requiredScopes } from '../../../../schemas/routes/route.ts';

/** Names of members that hold a figure about recorded calls: money, usage, footprint, persons or a count of records. */
const FIGURE =
  /usd|cost|spend|invocations|tokens|energy|carbon|persons|records|^(examined|changed|excess|score|row_count)$/;
/** Names that match, but hold a setting, or an amount of a bill, which tells nothing about recorded calls. */
const UNRELATED = [
  'cost_mode',
  'billed_usd',
  'other_charges_usd',
  'cost_allocation_tags',
  'cost_allocation_tags_from',
  'above_tokens',
];

/** All member names in a schema. */
const memberNames = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties: unknown = 'properties' in schema ? schema.properties : undefined;
  return [
    ...(typeof properties === 'object' && properties !== null ? Object.keys(properties) : []),
    ...Object.values(schema).flatMap(memberNames),
  ];
};
const figuresIn = (schema: z.ZodType): string[] =>
  memberNames(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })).filter(
    (name) => FIGURE.test(name) && !UNRELATED.includes(name),
  );

const page = readFileSync(new URL('../../../../docs/decisions/k-anonymity.md', import.meta.url), 'utf8');
/** Whether a row of a table in the decision page names it, with its class in the same row. */
const isDocumented = (name: string, discloses: Disclosure): boolean =>
  page
    .split('\n')
    .some((line) => line.startsWith('|') && [name, discloses].every((word) => line.includes(`\`${word}\``)));

describe.each(routes.map((route) => [route.operation, route] as const))('%s', (operation, route) => {
  const bodies = Object.values(route.replies).flatMap(({ body }) => body ?? []);

  it.runIf(route.discloses === 'none' || route.discloses === 'operation')(
    'has no figure about recorded calls, as it declares',
    () => {
      expect(bodies.flatMap(figuresIn)).toEqual([]);
    },
  );

  it.runIf(route.discloses === 'records')('requires the scope that shows single records', () => {
    expect(requiredScopes(route)).toContain(RECORDS_SCOPE);
  });

  it.runIf(route.discloses === 'cohorts_or_records')(
    'withholds figures of records without their scope',
    () => {
      expect(route.authority.withholds).toContain(RECORDS_SCOPE);
    },
  );

  it.runIf(route.discloses !== 'none')('is in the table of the decision page', () => {
    expect(isDocumented(operation, route.discloses)).toBe(true);
  });
});

describe.each(Object.entries(eventDisclosures))('the event %s', (type, discloses) => {
  it.runIf(discloses === 'none' || discloses === 'operation')('has no figure about recorded calls', () => {
    expect(
      Object.entries(eventData).flatMap(([name, data]) => (name === type ? figuresIn(data) : [])),
    ).toEqual([]);
  });

  it.runIf(discloses !== 'none')('is in the table of the decision page', () => {
    expect(isDocumented(type, discloses)).toBe(true);
  });
});
