import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import type { ReportField } from '../../../schemas/insight/reports.ts';
import { routes } from '../../../schemas/routes/index.ts';
import { askReconciliation, askSuggestedPrices, groupings } from '../../chargeback/reconciliation/inquiry.ts';
import { type Call, rollupReaderOf, smallTenant, team } from '../../insight/reports/calls.ts';
import {
  askReports,
  breaches,
  type Inquiry,
  runDifferencingAttack,
} from '../../insight/reports/differencingAttack.ts';
import { runs } from '../../support/properties.ts';
import { askAnomalies, askBudget, askExport, askUnowned } from './inquiries.ts';
import { askOperation } from './operationInquiries.ts';
import { realisticLogs } from './realisticLogs.ts';

const FROM = '2026-03-01';
const TO = '2026-05-01';
const MONTHS = { from: Date.parse(FROM), to: Date.parse(TO) };
const lanes = [null, 'eu', 'us'] as const;

/** Periods that overlap, start and end within days, and differ by less than an hour. */
const periods = [
  { from: FROM, to: TO },
  { from: FROM, to: '2026-03-31T10:00:00Z' },
  { from: FROM, to: '2026-03-31T10:15:00Z' },
  { from: '2026-03-02', to: '2026-04-01' },
  { from: '2026-04-01T10:00:00Z', to: TO },
];
const ranges = periods.map(({ from, to }) => {
  const end = Date.parse(to);
  return { from: Date.parse(from), to: Math.ceil(end / LENGTH.hour) * LENGTH.hour };
});

const reportGroupings: readonly (readonly ReportField[])[] = [
  [],
  ['owner'],
  ['service', 'served_model'],
  ['provider', 'hour'],
  ['pathway_category', 'day'],
  ['region', 'tag:env'],
];
const reportFilters = [
  { owner: 'ads' },
  { 'owner[ne]': 'search' },
  { provider: 'openai', service: 'ranking' },
  { region: 'eu-west-1', tags: ['env:prod'] },
];
const reports = ranges.flatMap((range) =>
  lanes.flatMap((lane) => [
    ...reportGroupings.map((group_by) => askReports({ range, lane, group_by })),
    ...reportFilters.map((filters) => askReports({ range, lane, group_by: ['served_model'], filters })),
    askReports({ range, lane, group_by: ['owner'], top: 1, compare: 'previous_period' }),
  ]),
);
const exports = periods.flatMap((period) =>
  lanes.flatMap((lane) => [
    askExport({ period, lane, granularity: 'hour', group_by: ['owner', 'service'] }),
    askExport({ period, lane, granularity: 'day', group_by: ['provider', 'pathway_category'] }),
    askExport({ period, lane, granularity: 'month', group_by: [] }),
  ]),
);
const budgets = lanes.flatMap((lane) =>
  [{}, { owner: 'ads' }, { owner: 'search' }, { service: 'ranking' }, { provider: 'openai' }].map((scope) =>
    askBudget(scope, lane, MONTHS),
  ),
);
const unowned = ranges.flatMap((range) =>
  lanes.flatMap((lane) => [1, 20].map((top) => askUnowned(range, lane, top))),
);
/** Operations that compute figures of their own from the sums, through their handlers. */
const questions = {
  changes: [
    { from: FROM, to: '2026-04-01', group_by: 'owner' },
    {
      from: '2026-03-31T09:15:00Z',
      to: '2026-04-01T09:45:00Z',
      previous_from: FROM,
      previous_to: '2026-03-31T10:15:00Z',
      group_by: 'service,served_model',
    },
  ],
  forecast: [{ group_by: 'owner' }, { period: 'quarter', 'owner[ne]': 'search' }],
  savings: [{ from: '2026-03-31T09:30:00Z', to: '2026-04-02' }],
  unitCosts: [
    { from: FROM, to: TO, group_by: 'provider,served_model' },
    { from: '2026-03-02', to: '2026-04-01T09:30:00Z', interval: 'day', 'region[exists]': 'false' },
  ],
} as const;
const ask = (operation: keyof typeof questions): Inquiry[] =>
  lanes.flatMap((lane) =>
    ['2026-03-31T09:30:00Z', '2026-04-01T12:00:00Z'].flatMap((now) =>
      questions[operation].map((query) => askOperation({ operation, query, lane, now: Date.parse(now) })),
    ),
  );
const figures = {
  changes: ask('changes'),
  forecast: ask('forecast'),
  savings: ask('savings'),
  unitCosts: ask('unitCosts'),
};
const suggestedPrices = askSuggestedPrices(MONTHS);
const comparisons = groupings.map((by) => askReconciliation({ period: MONTHS, by, bills: [] }));

/** The queries of each operation that shows sums of cohorts. Notifications and events repeat the same sums. */
const inquiries: Readonly<Record<string, readonly Inquiry[]>> = {
  getUsageReport: reports,
  getAdoptionReport: reports,
  getForecastReport: figures.forecast,
  getChangesReport: figures.changes,
  getUnitCostsReport: figures.unitCosts,
  // Sums of days that the usage report by day shows.
  getMetricCosts: reports,
  getSavingsReport: figures.savings,
  // The amount of a dismissal is one that the report showed.
  dismissSaving: figures.savings,
  listSavingDismissals: figures.savings,
  // What a month has changed by is the difference of its totals at two times, which the usage report shows at these times.
  listPeriods: reports,
  closePeriod: reports,
  reopenPeriod: reports,
  getUnownedReport: unowned,
  getReconciliation: [...comparisons, suggestedPrices],
  listAnomalies: [askAnomalies(MONTHS)],
  // The changes of one series, and an hour that follows from sums that the usage report by the hour shows.
  getAnomaly: [askAnomalies(MONTHS), ...figures.changes],
  listNotifications: [askAnomalies(MONTHS), ...budgets],
  createBudget: budgets,
  listBudgets: budgets,
  lookUpAttribution: budgets,
  getBudget: budgets,
  listBudgetPeriods: budgets,
  updateBudget: budgets,
  listExports: exports,
  listJobs: exports,
  getJob: exports,
  cancelJob: exports,
  deliverExport: exports,
};
/** Without the figures, which take as long as all others together: a property of its own asks for them too. */
const costly: ReadonlySet<Inquiry> = new Set(Object.values(figures).flat());
const everything = [...new Set(Object.values(inquiries).flat())].filter((inquiry) => !costly.has(inquiry));

const attack = (calls: readonly Call[]) => runDifferencingAttack(rollupReaderOf(calls), everything);

describe('a differencing attack over all operations together', () => {
  it('includes every operation that shows sums of cohorts', () => {
    const shown = routes.filter(({ discloses }) => discloses.startsWith('cohorts'));

    expect(Object.keys(inquiries).toSorted()).toEqual(shown.map(({ operation }) => operation).toSorted());
  });

  it('cannot isolate the calls of one to four persons (fifty small tenants)', async () => {
    await fc.assert(
      fc.asyncProperty(smallTenant(24), async (calls) => {
        expect(breaches(calls, await attack(calls))).toEqual([]);
      }),
      { numRuns: runs(50), seed: 20_260_303 },
    );
  });

  it('cannot isolate them in the logs of gateways, whatever the layers call a person', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(realisticLogs(), realisticLogs(4)), async ({ reader, calls }) => {
        expect(breaches(calls, await runDifferencingAttack(reader, everything))).toEqual([]);
      }),
      { numRuns: runs(20), seed: 20_261_125 },
    );
  });

  it('cannot isolate them by costs that are divided among models and tokens', async () => {
    const shown = new Map<string, number>();
    const counted = Object.entries(figures).flatMap(([operation, some]) =>
      some.map(
        (inquiry): Inquiry =>
          async (reader) => {
            const sums = await inquiry(reader);
            shown.set(operation, (shown.get(operation) ?? 0) + sums.length);
            return sums;
          },
      ),
    );
    // The tokens of a suggested price are no bit sets here: each call has thousands.
    const all = [...everything.filter((inquiry) => inquiry !== suggestedPrices), ...counted];
    await fc.assert(
      fc.asyncProperty(smallTenant(24), async (calls) => {
        const listed = calls.map(
          (call): Call => ({
            ...call,
            provider: 'openai',
            model: call.model === 'large' ? 'gpt-4o' : 'gpt-4o-mini',
            // Inputs that are long enough for a prompt cache.
            tokens: { input_tokens: 8_192 * (call.invocations ?? 1) },
          }),
        );
        expect(breaches(listed, await runDifferencingAttack(rollupReaderOf(listed), all))).toEqual([]);
      }),
      { numRuns: runs(10), seed: 20_261_126 },
    );

    expect([...shown.values()].filter((sums) => sums > 0)).toHaveLength(4);
  });

  it('cannot isolate them after a correction, which gives the same sums as if it had always been so', async () => {
    await fc.assert(
      fc.asyncProperty(smallTenant(24), fc.nat(23), async (calls, index) => {
        const corrected = calls.map((call, at) => (at === index ? { ...call, owner: 'search' } : call));

        expect(breaches(corrected, await attack(corrected))).toEqual([]);
      }),
      { numRuns: runs(10), seed: 20_260_304 },
    );
  });
});

describe('what no rule for one state of the data can prevent', () => {
  const at = Date.parse('2026-03-02');
  const inBits = (calls: readonly Call[]): Call[] =>
    calls.map((call, index) => ({ ...call, invocations: 2 ** index, cost: String(2 ** index) }));
  const known = team('ads', 6).map((person): Call => ({ at, person, owner: 'ads' }));
  const small = team('lab', 4).map((person): Call => ({ at, person, owner: 'lab' }));
  const fifth: Call = { at, person: 'lab-5', owner: 'lab' };

  it('shows the former sum of a group of four to a caller who asks before and after its fifth person calls', async () => {
    const calls = inBits([...known, ...small, fifth]);
    const before = rollupReaderOf(calls.slice(0, -1));
    const after = rollupReaderOf(calls);
    const states: Inquiry[] = [before, after].flatMap((state) =>
      everything.map((inquiry) => async () => inquiry(state)),
    );

    const atoms = await runDifferencingAttack(after, states);

    expect(breaches(calls, atoms).map((some) => some.length)).toEqual([4, 1]);
  });

  it('shows the calls of a day of four to a caller who asks before and after two names are joined', async () => {
    const days = ['2026-03-02', '2026-03-03', '2026-03-04'].map((day) => Date.parse(day));
    const calls = inBits(
      [5, 4, 5].flatMap((size, day) =>
        team(`day${day}`, size).map((person): Call => ({ at: days[day] ?? 0, person, owner: 'ads' })),
      ),
    );
    const joined = calls.map((call, index) => (index === 1 ? { ...call, person: 'day0-0' } : call));
    const [apart, together] = [rollupReaderOf(calls), rollupReaderOf(joined)];
    const states: Inquiry[] = [apart, together].flatMap((state) =>
      everything.map((inquiry) => async () => inquiry(state)),
    );

    expect(breaches(calls, await runDifferencingAttack(apart, states)).map((some) => some.length)).toEqual([
      4,
    ]);
    expect(breaches(calls, await attack(calls))).toEqual([]);
  });

  it('shows the sum of one person to an accomplice who invents four persons in the same group', async () => {
    const victim: Call = { at, person: 'lab-1', owner: 'lab' };
    const invented = team('fake', 4).map((person): Call => ({ at, person, owner: 'lab', cost: '0' }));
    const calls = inBits([...known, victim, ...invented]);

    const atoms = await attack(calls);

    // No set below five persons, as far as the service can know. The accomplice knows the other four.
    expect(breaches(calls, atoms)).toEqual([]);
    const bit = 2 ** known.length;
    const ofGroup = atoms.filter((atom) => Math.floor(atom / bit) % 2 === 1);
    expect(ofGroup).toEqual([0b11111 * bit]);
  });
});
