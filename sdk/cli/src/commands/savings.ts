import { getSavingsReport, type Saving, type SavingsReport } from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { note } from '../terminal.ts';
import { shown } from '../text.ts';
import { isForPeople, pageOptions, pageQuery, printCollection } from './lists.ts';
import { rangeOptions } from './reports.ts';

const HIDDEN = '(suppressed)';

/** A name that is absent is hidden, and one that is null is not attributed. */
const nameOf = (name: string | null | undefined, { pool }: Saving): string =>
  name === undefined ? (pool === undefined ? HIDDEN : '-') : shown(name, '(not attributed)');

const columns: readonly Column<Saving>[] = [
  { title: 'SAVING', value: ({ saving }) => saving },
  { title: 'OWNER', value: (row) => nameOf(row.owner, row) },
  { title: 'SERVICE', value: (row) => nameOf(row.service, row) },
  { title: 'MODEL OR POOL', value: ({ served_model, pool }) => served_model ?? pool ?? null },
  { title: 'INSTEAD', value: ({ replacement }) => replacement?.model, absent: '-' },
  {
    title: 'USD IN 30 DAYS',
    range: ({ low_usd: low, high_usd: high }) => ({ low, high }),
    isAmount: true,
  },
  {
    title: 'REALISED USD',
    range: ({ realised: { low_usd: low, high_usd: high } }) => ({ low, high }),
    isAmount: true,
  },
  { title: 'CONFIDENCE', value: ({ confidence }) => confidence },
  { title: 'CALLS', value: ({ invocations }) => invocations, isAmount: true },
  { title: 'COST USD', value: ({ cost_usd }) => cost_usd, isAmount: true },
];

export const savings: Command = {
  name: 'savings',
  summary: 'Suggest savings, the largest first. --json shows the figures of each computation',
  options: {
    ...rangeOptions,
    dismissed: {
      placeholder: 'HOW',
      help: 'Dismissed suggestions too, or only they. Default: exclude',
      values: ['exclude', 'include', 'only'],
    },
    ...pageOptions,
  },
  run: async (call) => {
    const { terminal, option } = call;
    const query: object = {
      from: option('from'),
      to: option('to'),
      dismissed: option('dismissed'),
      ...pageQuery(call),
    };
    let dismissed = 0;
    let found = 0;
    await printCollection<Saving, SavingsReport>(
      call,
      getSavingsReport(call.client(), query, { signal: terminal.signal }),
      ({ data, dismissed_suggestions }) => {
        found += data.length;
        dismissed = dismissed_suggestions;
        return columns;
      },
      'No savings are found in this period.',
    );
    if (found > 0 && isForPeople(call))
      note(terminal, 'Suggestions about the same calls overlap, so they do not add up.');
    if (dismissed > 0 && option('dismissed') === undefined && isForPeople(call))
      note(terminal, `Dismissed and left out: ${dismissed}. --dismissed include shows them.`);
  },
};
