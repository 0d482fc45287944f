import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { TotalsCheckMessage } from '../../schemas/ledger/rollup.ts';
import { localClient } from '../../test/support/localAws.ts';
import type { MeasuredService } from '../support/service.ts';
import { latencies } from '../support/statistics.ts';
import type { Row } from '../support/table.ts';
import { measure, request } from '../support/traffic.ts';
import { subtractUsage, sumOf } from '../support/usage.ts';
import { OCCUPIED_HOURS } from './ledgerLoader.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;

/**
 * Rebuilds all rollups of the reader tenant: a check of the loaded period has each minute summed that differs from the ledger, and
 * what one invocation leaves is continued by the next.
 */
export const rebuildRollups = async ({ runtime, reader }: MeasuredService): Promise<void> => {
  const sqs = new SQSClient(localClient(runtime.endpoints.sqs));
  const message: TotalsCheckMessage = {
    tenant_id: reader.tenant_id,
    check: {
      from: Math.min(...OCCUPIED_HOURS),
      to: Math.max(...OCCUPIED_HOURS) + HOUR_MS,
      isRepeated: true,
    },
  };
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: runtime.outputs['QueueRollups'],
      MessageBody: JSON.stringify(message),
    }),
  );
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
