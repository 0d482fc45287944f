import {
  getUnownedReport,
  type OwnerSuggestion,
  type UnownedGroup,
  type UnownedService,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { note } from '../terminal.ts';
import { shown } from '../text.ts';
import { rangeText } from './groups.ts';
import { integerOf, isForPeople, printRows, rowOptions } from './lists.ts';
import { rangeOptions } from './reports.ts';

/** A service and one way to map its calls. A service without any has one line. */
interface Line {
  readonly service: UnownedService;
  readonly group: UnownedGroup | undefined;
}

const nameOf = ({ kind, service }: UnownedService): string => {
  if (kind === 'folded') return '(hidden: fewer than 5 people)';
  return kind === 'other' ? '(all other services)' : shown(service, '(no service)');
};

const shareOf = ({ share, share_maximum }: UnownedService): string => {
  if (share === null || share_maximum === null) return 'unknown';
  const [least, most] = [share, share_maximum].map((one) => `${Math.round(one * 100)} %`);
  return rangeText(least ?? '', most ?? '');
};

const suggestionOf = ({ owner, basis, calls, of, confidence }: OwnerSuggestion): string => {
  const sure = confidence === null ? '' : `, confidence ${confidence}`;
  return `${shown(owner)} (${basis} ${calls}/${of}${sure})`;
};

const columns: readonly Column<Line>[] = [
  { title: 'SERVICE', value: ({ service }) => nameOf(service) },
  {
    title: 'COST USD',
    range: ({ service: { cost_usd: low, cost_usd_maximum: high } }) => ({ low, high }),
    remark: ({ service: { unpriced_invocations: unknown } }) =>
      unknown === 0 ? '' : ` + ${unknown} unknown`,
    isAmount: true,
  },
  { title: 'SHARE', value: ({ service }) => shareOf(service), isAmount: true },
  {
    title: 'CALLS',
    range: ({ service: { invocations: low, invocations_maximum: high } }) => ({ low, high }),
    isAmount: true,
  },
  {
    title: 'CALLS WITH',
    value: ({ group }) =>
      group?.conditions &&
      (group.conditions.map(({ field, value }) => `${field}=${value}`).join(' ') || 'nothing'),
    absent: '-',
  },
  {
    title: 'SUGGESTED OWNERS',
    value: ({ group }) => group?.suggestions.map(suggestionOf).join(', ') || null,
    absent: '-',
  },
];

export const unowned: Command = {
  name: 'unowned',
  summary: 'List services whose calls have no confirmed owner, with suggestions',
  options: {
    service: { placeholder: 'NAME', help: 'Only this service, from its newest calls' },
    ...rangeOptions,
    top: { placeholder: 'N', help: 'Only the N services with the highest cost. Default: 20' },
    ...rowOptions,
  },
  run: async (call) => {
    const { terminal, option } = call;
    const top = integerOf(call, 'top');
    const given = { service: option('service'), from: option('from'), to: option('to') };
    const query: object = { ...given, ...(top !== undefined && { top }) };
    const report = await getUnownedReport(call.client(), query, { signal: terminal.signal });
    const lines = report.data.flatMap((service): Line[] => {
      const groups = service.groups ?? [];
      return groups.length === 0
        ? [{ service, group: undefined }]
        : groups.map((group) => ({ service, group }));
    });
    await printRows(call, columns, lines, report);
    if (!isForPeople(call)) return;
    if (lines.length === 0) return note(terminal, 'Every call of this period has a confirmed owner.');
    const { totals, period } = report;
    note(
      terminal,
      `Without a confirmed owner: ${rangeText(totals.cost_usd, totals.cost_usd_maximum)} USD, from ${period.from} to ${period.to}`,
    );
    if (lines.some(({ group }) => group !== undefined && group.conditions.length > 0))
      note(
        terminal,
        'To map calls: attribution unowned map OWNER --condition FIELD=VALUE, first with --dry-run',
      );
    if (report.examined === null)
      note(terminal, 'Suggestions need a credential with the scope read:attribution.');
  },
};
