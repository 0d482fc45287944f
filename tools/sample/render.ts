import { formatCarbon, formatCount, formatEnergy, formatMoney } from './formatFigures.ts';
import type { Ranking, StateShare, Summary, Totals } from './summary.ts';

const NAME_WIDTH = 34;
const INDENT = '  ';

/** Column widths. The total is 2 + 34 + 8 + 14 + 12 + 12 + 12 = 94 columns. */
const FIGURE_WIDTHS = [8, 14, 12, 12, 12];

const cut = (name: string): string => {
  const letters = [...name];
  return letters.length <= NAME_WIDTH ? name : `${letters.slice(0, NAME_WIDTH - 1).join('')}…`;
};

const line = (name: string, figures: readonly string[]): string => {
  const shown = cut(name);
  const padding = ' '.repeat(NAME_WIDTH - [...shown].length);
  const cells = figures.map((figure, column) => figure.padStart(FIGURE_WIDTHS[column] ?? 0));
  return `${INDENT}${shown}${padding}${cells.join('')}`.trimEnd();
};

const figuresOf = (totals: Totals): string[] => [
  formatCount(totals.records),
  formatMoney(totals.cost_usd),
  formatEnergy(totals.energy_wh),
  formatCarbon(totals.carbon_gco2e),
  totals.cost_usd.unknown === 0 ? '' : formatCount(totals.cost_usd.unknown),
];

const table = (title: string, unnamedLabel: string, { top, rest }: Ranking, totals: Totals): string[] => {
  const rule = `${INDENT}${'─'.repeat(NAME_WIDTH + FIGURE_WIDTHS.reduce((sum, width) => sum + width, 0))}`;
  return [
    line(title, ['Calls', 'Cost USD', 'Energy', 'CO2e', 'Unpriced']),
    rule,
    ...top.map((group) => line(group.name ?? unnamedLabel, figuresOf(group))),
    ...(rest === null ? [] : [line(`${formatCount(rest.groups)} others`, figuresOf(rest.totals))]),
    rule,
    line('All', figuresOf(totals)),
  ];
};

const stateLine = (shares: readonly StateShare[]): string =>
  shares
    .map(({ state, records, share }) => `${state} ${Math.round(share * 100)} % (${formatCount(records)})`)
    .join(' · ');

const minute = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)}`;

/** The summary as plain text for a terminal of 100 columns. Each line ends with a line feed. */
export const renderSummary = ({ period, totals, services, owners, states }: Summary): string => {
  if (period === null) return `${INDENT}No calls.\n`;
  const noFigure = [
    ['cost', totals.cost_usd.unknown],
    ['energy', totals.energy_wh.unknown],
    ['carbon', totals.carbon_gco2e.unknown],
  ] as const;
  const unknown = noFigure
    .filter(([, calls]) => calls > 0)
    .map(([quantity, calls]) => `${quantity} of ${formatCount(calls)}`)
    .join(' · ');
  return [
    `${INDENT}${formatCount(totals.records)} calls, ${minute(period.from)} to ${minute(period.to)} UTC`,
    '',
    ...table('Service', '(no service named)', services, totals),
    '',
    ...table('Owner', '(no owner named)', owners, totals),
    '',
    `${INDENT}Owners       ${stateLine(states.owner)}`,
    `${INDENT}Services     ${stateLine(states.service)}`,
    ...(unknown === ''
      ? []
      : [`${INDENT}Unknown      ${unknown} calls; not in the sums, never counted as 0`]),
    '',
  ].join('\n');
};
