import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type IdleRow, idleRows, idleTotals } from '../../../bench/cost/idleCost.ts';
import { templateOf } from '../../infra/stack.ts';

const template = templateOf({ alarmEmail: 'operator@example.org' });
const rows = idleRows(template);
const totals = idleTotals(rows);

const costOf = (start: string): IdleRow | undefined => rows.find(({ item }) => item.startsWith(start));

it('costs at most $9.07 in an idle month after the allowance of the account, and $8.50 without limits of workers', () => {
  const unlimited = templateOf({ alarmEmail: 'operator@example.org', workerConcurrency: 'none' });

  expect(totals.usdAfterAllowance).toBeLessThanOrEqual(9.07);
  expect(idleTotals(idleRows(unlimited)).usdAfterAllowance).toBeLessThanOrEqual(8.5);
});

it('shows at most 50 metrics on the dashboard, which AWS does not charge', () => {
  expect(costOf('Dashboards')?.usdAfterAllowance).toBe(0);
});

it('has at most 41 metrics in alarms', () => {
  const withMail = idleRows(templateOf({ notificationSender: 'alerts@example.org' }));

  expect(withMail.find(({ item }) => item === 'Metrics of alarms')?.count).toBeLessThanOrEqual(41);
});

it('fails for a type of resource whose cost nobody decided', () => {
  expect(() => idleRows({ Resources: { Gateway: { Type: 'AWS::EC2::NatGateway' } } })).toThrow(
    'The idle cost of AWS::EC2::NatGateway is not known',
  );
});

it('counts the metrics of an alarm, not its expressions', () => {
  const alarm = (Metrics?: object[]) => ({
    Type: 'AWS::CloudWatch::Alarm',
    Properties: { ...(Metrics && { Metrics }) },
  });
  const Resources = {
    plain: alarm(),
    two: alarm([{ Expression: 'a / b' }, { MetricStat: {} }, { MetricStat: {} }]),
  };

  expect(idleRows({ Resources }).find(({ item }) => item === 'Metrics of alarms')).toMatchObject({
    count: 3,
    usdAfterAllowance: 0,
  });
});

it('polls a consumed queue fifteen times a minute if its concurrency is limited, else six times, and reads streams without a charge', () => {
  const mapping = (Properties: object) => ({
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: { ...Properties },
  });
  const Resources = {
    limited: mapping({ ScalingConfig: { MaximumConcurrency: 20 } }),
    unlimited: mapping({}),
    disabled: mapping({ Enabled: false }),
    stream: mapping({ StartingPosition: 'TRIM_HORIZON' }),
  };

  expect(idleRows({ Resources }).find(({ item }) => item === 'Polls of 2 queues')?.count).toBe(
    657_000 + 262_800,
  );
});

it('prints the same table in the guide', () => {
  const line = ({ item, count, usd, usdAfterAllowance }: IdleRow): string =>
    `| ${item} | ${count.toLocaleString('en-US')} | ${usd.toFixed(2)} | ${usdAfterAllowance.toFixed(2)} |`;
  const guide = readFileSync('docs/guides/costs.md', 'utf8');

  for (const row of rows) expect(guide).toContain(line(row));
  expect(guide).toContain(
    `| **Total** | | **${totals.usd.toFixed(2)}** | **${totals.usdAfterAllowance.toFixed(2)}** |`,
  );
});
