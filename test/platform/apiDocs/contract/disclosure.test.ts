import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import * as z from 'zod';
import { eventData, eventDisclosures } from '../../../../schemas/delivery/events.ts';
import { type Disclosure, RECORDS_SCOPE } from '../../../../schemas/routes/disclosure.ts';
import { routes } from '../../../../schemas/routes/index.ts';
import { type RouteShape, requiredScopes } from '../../../../schemas/routes/route.ts';
import { expectNoFaults } from '../../../support/faults.ts';

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
  'largest_reported_cost_usd',
  'above_tokens',
  'node_hour_usd',
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
const figuresIn = (schema: z.ZodType): string[] => {
  const names = new Set(memberNames(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })));
  return [...names].filter((name) => FIGURE.test(name) && !UNRELATED.includes(name));
};

const page = readFileSync(new URL('../../../../docs/decisions/k-anonymity.md', import.meta.url), 'utf8');
/** Why no row of a table in the decision page names it with its class. */
const undocumented = (name: string, discloses: Disclosure): string[] =>
  discloses === 'none' ||
  page
    .split('\n')
    .some((line) => line.startsWith('|') && [name, discloses].every((word) => line.includes(`\`${word}\``)))
    ? []
    : [`no row of the decision page has it with \`${discloses}\``];
const hasNoFigures = (discloses: Disclosure): boolean => discloses === 'none' || discloses === 'operation';

describe('the disclosure of routes', () => {
  const operationOf = ({ operation }: RouteShape) => operation;

  it('shows no figure about recorded calls on a route that declares none', async () => {
    await expectNoFaults(routes, operationOf, ({ discloses, replies }) =>
      hasNoFigures(discloses)
        ? Object.entries(replies).flatMap(([status, { body }]) =>
            body === undefined ? [] : figuresIn(body).map((name) => `${status} shows ${name}`),
          )
        : [],
    );
  });

  it('requires the scope of single records on every route that discloses them', async () => {
    await expectNoFaults(routes, operationOf, (route) =>
      route.discloses === 'records' && !requiredScopes(route).includes(RECORDS_SCOPE)
        ? [`does not require ${RECORDS_SCOPE}`]
        : [],
    );
  });

  it('withholds figures of records without their scope on every route that discloses cohorts or records', async () => {
    await expectNoFaults(routes, operationOf, ({ discloses, authority: { withholds = [] } }) =>
      discloses === 'cohorts_or_records' && !withholds.includes(RECORDS_SCOPE)
        ? [`does not withhold ${RECORDS_SCOPE}`]
        : [],
    );
  });

  it('names every route that discloses something in the table of the decision page', async () => {
    await expectNoFaults(routes, operationOf, ({ operation, discloses }) =>
      undocumented(operation, discloses),
    );
  });
});

describe('the disclosure of events', () => {
  const disclosures = Object.entries(eventDisclosures);
  const typeOf = ([type]: (typeof disclosures)[number]) => type;

  it('shows no figure about recorded calls in an event that declares none', async () => {
    const dataOf = new Map<string, z.ZodType>(Object.entries(eventData));
    await expectNoFaults(disclosures, typeOf, ([type, discloses]) => {
      const data = dataOf.get(type);
      return data === undefined || !hasNoFigures(discloses)
        ? []
        : figuresIn(data).map((name) => `shows ${name}`);
    });
  });

  it('names every event that discloses something in the table of the decision page', async () => {
    await expectNoFaults(disclosures, typeOf, ([type, discloses]) => undocumented(type, discloses));
  });
});
