import type { ProducerFixture } from './fixture.ts';

type Event = Readonly<Record<string, unknown>>;

/** What the page names, and the members of an event of which one says so. */
const FACTS: readonly (readonly [name: string, members: readonly string[]])[] = [
  ['tokens', ['input_tokens', 'output_tokens']],
  ['cached tokens', ['cached_input_tokens']],
  ['cache writes', ['cache_write_tokens']],
  ['reasoning tokens', ['reasoning_tokens']],
  ['cost', ['estimated_cost_usd', 'client_cost_usd']],
];

/** How a second report of the call is recognised. */
const joinOf = ({ id_basis: basis, call_ids: ids }: Event): string => {
  if (String(basis).startsWith('response')) return 'yes, by response id';
  if (basis === 'request' || String(basis).startsWith('request.') || ids !== undefined)
    return 'yes, by request id';
  return 'by trace or time only';
};

const list = (names: readonly string[]): string => (names.length === 0 ? '–' : names.join(', '));

const rowOf = (fixture: ProducerFixture, event: Event): string => {
  const has = ([, members]: (typeof FACTS)[number]): boolean =>
    members.some((member) => event[member] !== undefined);
  const isKnownByResponse = String(event['id_basis']).startsWith('response');
  const read = FACTS.filter(has).map(([name]) => name);
  const missing = FACTS.filter((fact) => !has(fact)).map(([name]) => name);
  const estimated = ['energy', 'carbon'];
  return [
    '',
    fixture.producer,
    fixture.path,
    list(isKnownByResponse ? [...read, 'response id'] : read),
    list(missing.includes('cost') ? ['cost', ...estimated] : estimated),
    list(missing.filter((name) => name !== 'cost')),
    joinOf(event),
    '',
  ]
    .join(' | ')
    .trim();
};

const START = '<!-- Generated from test/ingest/producers/fixtures.ts. -->';
const END = '<!-- End of the generated part. -->';

/** The table of the page: one row for each producer and path. */
export const renderProducers = (rows: readonly (readonly [ProducerFixture, Event])[]): string =>
  [
    START,
    '| Producer | Path | Read | Estimated | Not available | Can be combined |',
    '|---|---|---|---|---|---|',
    ...rows.map(([fixture, event]) => rowOf(fixture, event)),
    END,
  ].join('\n');

export const withProducers = (page: string, table: string): string => {
  const [before = '', rest = ''] = page.split(START);
  const [, after = ''] = rest.split(END);
  return `${before}${table}${after}`;
};
