import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { localClient } from '../../test/support/localAws.ts';
import type { MeasuredService } from '../support/service.ts';
import { latencies } from '../support/statistics.ts';
import type { Row } from '../support/table.ts';
import { measure, request } from '../support/traffic.ts';
import { subtractUsage, sumOf } from '../support/usage.ts';
import { OCCUPIED_HOURS } from './ledgerLoader.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Minutes per rollup message, as in the service. */
const MINUTES_PER_MESSAGE = 200;

/** Rebuilds all rollups of the reader tenant, by sending a rollup message for each minute with records. */
export const rebuildRollups = async ({ runtime, reader }: MeasuredService): Promise<void> => {
  const sqs = new SQSClient(localClient(runtime.endpoints.sqs));
  const minutes = OCCUPIED_HOURS.map((hour) => hour / 60_000);
  for (let at = 0; at < minutes.length; at += MINUTES_PER_MESSAGE) {
    const message = { tenant_id: reader.tenant_id, minutes: minutes.slice(at, at + MINUTES_PER_MESSAGE) };
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

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const reports = (): readonly (readonly [string, string])[] => [
  ['usage, 30 days, total', `usage?from=${dayBefore(30)}`],
  ['usage, 30 days by owner', `usage?from=${dayBefore(30)}&group_by=owner`],
  [
    'usage, 30 days by owner and service, top 10',
    `usage?from=${dayBefore(30)}&group_by=owner,service&top=10`,
  ],
  [
    'usage, 30 days by model, daily',
    `usage?from=${dayBefore(30)}&group_by=served_model&interval=day&limit=200`,
  ],
  [
    'usage, one day by service, hourly',
    `usage?from=${dayBefore(2)}&to=${dayBefore(1)}&group_by=service&interval=hour&limit=200`,
  ],
  ['adoption, 30 days by owner', `adoption?from=${dayBefore(30)}&group_by=owner`],
];

/** AWS calls, read units and latency of each report at one ledger size. */
export const reportsAt = async (
  { runtime, reader, usage }: MeasuredService,
  records: number,
  repeats: number,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [report, path] of reports()) {
    const get = () => request(`${runtime.baseUrl}/v1/reports/${path}`, reader.api_keys.read);
    await get();
    const before = usage();
    const { results } = await measure(repeats, 1, get);
    const used = subtractUsage(before, usage());
    const latenciesMs = results.map(({ milliseconds }) => milliseconds);
    rows.push({
      report,
      records,
      GetItem: sumOf(used, /GetItem/) / repeats,
      Query: sumOf(used, /Query/) / repeats,
      'read units': sumOf(used, /GetItem|Query/, 'capacity') / repeats,
      ...latencies(latenciesMs),
    });
  }
  return rows;
};
