import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { OCCUPIED_HOURS } from './ledgerLoader.ts';
import type { MeasuredService } from './service.ts';
import { latencies } from './statistics.ts';
import type { Row } from './table.ts';
import { measure, request } from './traffic.ts';
import { subtractUsage, sumOf } from './usage.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** Minutes named in one message, as the service sends them. */
const MINUTES_AT_ONCE = 200;

/** Has the reader's whole ledger summed anew, as a write to each of its minutes would. */
export const rebuildRollups = async ({ runtime, reader }: MeasuredService): Promise<void> => {
  const sqs = new SQSClient({
    endpoint: runtime.endpoints.sqs,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const minutes = OCCUPIED_HOURS.map((hour) => hour / 60_000);
  for (let at = 0; at < minutes.length; at += MINUTES_AT_ONCE) {
    const message = { tenant_id: reader.tenant_id, minutes: minutes.slice(at, at + MINUTES_AT_ONCE) };
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: runtime.outputs['QueueRollups'],
        MessageBody: JSON.stringify(message),
      }),
    );
  }
  await runtime.idle({ delayed: true });
  sqs.destroy();
};

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

const reports = (): readonly (readonly [string, string])[] => [
  ['usage, 30 days, one sum', `usage?from=${dayBefore(30)}`],
  ['usage, 30 days by owner', `usage?from=${dayBefore(30)}&group_by=owner`],
  [
    'usage, 30 days by owner and service, top 10',
    `usage?from=${dayBefore(30)}&group_by=owner,service&top=10`,
  ],
  [
    'usage, 30 days by model, each day',
    `usage?from=${dayBefore(30)}&group_by=served_model&interval=day&limit=200`,
  ],
  [
    'usage, a day by service, each hour',
    `usage?from=${dayBefore(2)}&to=${dayBefore(1)}&group_by=service&interval=hour&limit=200`,
  ],
  ['adoption, 30 days by owner', `adoption?from=${dayBefore(30)}&group_by=owner`],
];

/** Each report over a ledger of so many records: what it reads, and how long it takes. */
export const reportsAt = async (
  { runtime, reader, usage }: MeasuredService,
  records: number,
  repeats: number,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [report, address] of reports()) {
    const get = () => request(`${runtime.baseUrl}/v1/reports/${address}`, reader.api_keys.read);
    await get();
    const before = usage();
    const { results } = await measure(repeats, 1, get);
    const used = subtractUsage(before, usage());
    const each = results.map(({ milliseconds }) => milliseconds);
    rows.push({
      report,
      records,
      GetItem: sumOf(used, /GetItem/) / repeats,
      Query: sumOf(used, /Query/) / repeats,
      'read units': sumOf(used, /GetItem|Query/, 'capacity') / repeats,
      ...latencies(each),
    });
  }
  return rows;
};
