import type { Account } from './account.ts';

const count = (value: number): string => value.toLocaleString('en-US');

const visibleText = ({ visible, visible_note: note }: Account): string => {
  if (visible === null) return `unknown (${note})`;
  return note === null ? count(visible) : `${count(visible)} (${note})`;
};

const costText = ({ visible, cost_usd: cost, unpriced }: Account): string => {
  if (visible === null) return 'unknown';
  const exact = cost === null ? 'unknown' : `USD ${cost}`;
  return unpriced === 0 ? exact : `${exact}, and ${count(unpriced)} records without a price`;
};

/** The account as plain text for a terminal, with a line feed after each line. */
export const renderAccount = (account: Account): string => {
  const { accepted, refused, repeated, period, seconds, events_per_second: rate } = account;
  const facts: [string, string][] = [
    ['rows', count(account.rows)],
    ['sent', count(account.sent)],
    [
      'accepted',
      repeated === 0 ? count(accepted) : `${count(accepted)} (${count(repeated)} repeat an event_id)`,
    ],
    ['refused', count(refused)],
    ...account.refusals.map(({ line, reason }): [string, string] => ['', `line ${line}: ${reason}`]),
    ...(refused > account.refusals.length && account.refusals.length > 0
      ? [['', `and ${count(refused - account.refusals.length)} more`] satisfies [string, string]]
      : []),
    ['visible', visibleText(account)],
    ['cost', costText(account)],
    ...(period === null ? [] : [['period', `${period.from} to ${period.to}`] satisfies [string, string]]),
    ['time', `${seconds.toFixed(1)} s${rate === null ? '' : `, ${count(Math.round(rate))} events/s`}`],
    ...(account.interrupted ? [['ended', 'interrupted'] satisfies [string, string]] : []),
    ...(account.fault === null ? [] : [['ended', account.fault] satisfies [string, string]]),
  ];
  const lines = facts.map(([name, text]) => `  ${name.padEnd(10)}${text}`.trimEnd());
  return `${account.file} → ${account.base_url}\n${lines.join('\n')}\n`;
};
