import type { ReplayReport } from './replayReport.ts';

const count = (value: number): string => value.toLocaleString('en-US');

const visibleText = ({ visible, visible_note: note }: ReplayReport): string => {
  if (visible === null) return `unknown (${note})`;
  return note === null ? count(visible) : `${count(visible)} (${note})`;
};

const costText = ({ visible, cost_usd: cost, unpriced }: ReplayReport): string => {
  if (visible === null) return 'unknown';
  const exact = cost === null ? 'unknown' : `USD ${cost}`;
  return unpriced === 0 ? exact : `${exact}, and ${count(unpriced)} records without a price`;
};

/** The report as plain text for a terminal. Each line ends with a line feed. */
export const renderReport = (report: ReplayReport): string => {
  const { accepted, refused, repeated, period, seconds, events_per_second: rate } = report;
  const facts: [string, string][] = [
    ['rows', count(report.rows)],
    ['sent', count(report.sent)],
    [
      'accepted',
      repeated === 0 ? count(accepted) : `${count(accepted)} (${count(repeated)} repeat an event_id)`,
    ],
    ['refused', count(refused)],
    ...report.refusals.map(({ line, reason }): [string, string] => ['', `line ${line}: ${reason}`]),
    ...(refused > report.refusals.length && report.refusals.length > 0
      ? [['', `and ${count(refused - report.refusals.length)} more`] satisfies [string, string]]
      : []),
    ['visible', visibleText(report)],
    ['cost', costText(report)],
    ...(period === null ? [] : [['period', `${period.from} to ${period.to}`] satisfies [string, string]]),
    ['time', `${seconds.toFixed(1)} s${rate === null ? '' : `, ${count(Math.round(rate))} events/s`}`],
    ...(report.interrupted ? [['ended', 'interrupted'] satisfies [string, string]] : []),
    ...(report.fault === null ? [] : [['ended', report.fault] satisfies [string, string]]),
  ];
  const lines = facts.map(([name, text]) => `  ${name.padEnd(10)}${text}`.trimEnd());
  return `${report.file} → ${report.base_url}\n${lines.join('\n')}\n`;
};
